#include "reporting/facts/result_states.hpp"

#include <cmath>

#include "spacedyn/math/rotations.hpp"
#include "spacedyn/state/robot_state.hpp"

namespace spacedyn {

ResultStates::ResultStates(const ResultTable& result, const Model& model)
    : result_(result), model_(model) {
  const RowLayout layout(model, {Channel::state});
  for (std::size_t i = 1; i < layout.columns().size(); ++i) {
    const std::string& name = layout.columns()[i].name;
    columns_.push_back(result.find(name));
    if (columns_.back() < 0 && missing_.empty()) missing_ = name;
  }
}

bool ResultStates::read(int row, State& state) const {
  Eigen::Index next = 0;
  const auto number = [&] {
    return result_.values(row, columns_[static_cast<std::size_t>(next++)]);
  };
  const auto fill = [&](auto& vector) {
    for (Eigen::Index i = 0; i < vector.size(); ++i) vector(i) = number();
    return vector.allFinite();
  };
  Eigen::Vector4d wxyz;
  const auto rotation = [&] {
    return matrix_from_quaternion({wxyz(0), wxyz(1), wxyz(2), wxyz(3)});
  };
  if (!model_.robots().empty()) {
    bool all_good = true;
    for (const Robot& robot : model_.robots()) {
      BaseMotion base;
      all_good &= fill(base.r_0);
      all_good &= fill(wxyz) && wxyz.norm() > 0.0;
      all_good &= fill(base.v_0);
      all_good &= fill(base.omega_0);
      if (!all_good) return false;
      base.A_0 = rotation();
      if (robot.moves()) set_base_motion(model_, robot, base, state);
    }
    for (VectorX* vector : {&state.q, &state.qd}) {
      for (const Robot& robot : model_.robots()) {
        auto own = vector->segment(robot.first_joint() - 1, robot.joint_count());
        all_good &= fill(own);
      }
    }
    return all_good;
  }
  bool good = fill(state.r_0);
  good &= fill(wxyz) && wxyz.norm() > 0.0;
  good &= fill(state.q);
  good &= fill(state.v_0);
  good &= fill(state.omega_0);
  good &= fill(state.qd);
  if (good) state.A_0 = rotation();
  return good;
}

}  // namespace spacedyn
