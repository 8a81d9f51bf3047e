#include "spacedyn/recording/base_rotation_watch.hpp"

#include <algorithm>

#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/state/robot_state.hpp"

namespace spacedyn {
namespace {

Matrix3 attitude(const Model& model, std::size_t robot, const State& state) {
  return model.robots().empty() ? state.A_0 : base_motion(model, model.robots()[robot], state).A_0;
}

}  // namespace

BaseRotationWatch::BaseRotationWatch(const ForcedSystem& system, const State& start)
    : model_(system.model), is_fixed_(system.base_mode == BaseMode::fixed) {
  const std::size_t bases = std::max<std::size_t>(1, model_->robots().size());
  for (std::size_t i = 0; i < bases; ++i) start_.push_back(attitude(*model_, i, start));
  add_quantities(bases);
}

void BaseRotationWatch::see(const SimulationPoint& point) {
  for (std::size_t i = 0; i < start_.size(); ++i) {
    const Matrix3 turn = attitude(*model_, i, point.state) * start_[i].transpose();
    keep(i, axis_angle_from_matrix(turn).angle, point.time);
  }
}

std::vector<BaseRotation> BaseRotationWatch::rotations() const {
  const std::vector<Robot>& robots = model_->robots();
  if (robots.empty()) {
    if (is_fixed_) return {};
    return {{"base", peaks()[0].value, peaks()[0].time}};
  }
  std::vector<BaseRotation> rotations;
  for (std::size_t i = 0; i < robots.size(); ++i) {
    if (!robots[i].moves()) continue;
    rotations.push_back({robots[i].name, peaks()[i].value, peaks()[i].time});
  }
  return rotations;
}

}  // namespace spacedyn
