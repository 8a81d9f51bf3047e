#include "reporting/facts/report_motion.hpp"

#include <algorithm>
#include <cmath>

#include "recording/column_names.hpp"
#include "reporting/facts/decimation.hpp"
#include "reporting/facts/derived_rows.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/state/followers.hpp"
#include "spacedyn/state/robot_state.hpp"

namespace spacedyn {
namespace {

ReportArrow arrow(std::string name, std::string kind, std::string unit, int count) {
  return {std::move(name), std::move(kind), std::move(unit), Matrix3X::Zero(3, count),
          Matrix3X::Zero(3, count)};
}

/// Columns of the joint torques, −1 of the base of one of several robots; none where the result has
/// not all of them.
std::vector<int> effort_columns(const ResultTable& result, const Model& model) {
  const RowLayout layout(model, {Channel::joint_torque});
  const ColumnIndex index(result.columns);
  const std::vector<int> joints = recorded_joints(model);
  // nothing drives the base of a robot
  std::vector<int> columns(static_cast<std::size_t>(model.joint_count()), -1);
  for (std::size_t i = 1; i < layout.columns().size(); ++i) {
    const int column = index.find(layout.columns()[i].name);
    if (column < 0) return {};
    columns[static_cast<std::size_t>(joints[i - 1] - 1)] = column;
  }
  return columns;
}

}  // namespace

ResultStates::ResultStates(const ResultTable& result, const Model& model)
    : result_(result), model_(model) {
  const RowLayout layout(model, {Channel::state});
  const ColumnIndex index(result.columns);
  for (std::size_t i = 1; i < layout.columns().size(); ++i) {
    const std::string& name = layout.columns()[i].name;
    columns_.push_back(index.find(name));
    if (columns_.back() < 0 && missing_.empty()) missing_ = name;
  }
}

bool ResultStates::read(int row, State& state) const {
  Eigen::Index next = 0;
  const auto number = [&] {
    return result_.values(row, columns_[static_cast<std::size_t>(next++)]);
  };
  const auto fill_joints = [&](VectorX& vector) {
    bool good = true;
    for (const int joint : recorded_joints(model_)) {
      vector(joint - 1) = number();
      good &= std::isfinite(vector(joint - 1));
    }
    return good;
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
    all_good &= fill_joints(state.q);
    all_good &= fill_joints(state.qd);
    follow(model_, state);
    return all_good;
  }
  bool good = fill(state.r_0);
  good &= fill(wxyz) && wxyz.norm() > 0.0;
  good &= fill_joints(state.q);
  good &= fill(state.v_0);
  good &= fill(state.omega_0);
  good &= fill_joints(state.qd);
  follow(model_, state);
  if (good) state.A_0 = rotation();
  return good;
}

ReportMotion empty_motion(const Model& model, int instants) {
  ReportMotion motion;
  motion.times.resize(static_cast<std::size_t>(instants));
  motion.poses.resize(7 * model.body_count(), instants);
  motion.center_of_mass.resize(3, instants);
  motion.joint_efforts.resize(0, instants);
  return motion;
}

void set_instant(const Model& model, const LinkFrames& frames, int k, ReportMotion& motion) {
  for (int body = 0; body < model.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    motion.poses.col(k).segment<3>(7 * body) = frames.o[i];
    motion.poses.col(k).segment<4>(7 * body + 3) = Quaternion(frames.A[i]).coeffs();
  }
  motion.center_of_mass.col(k) = center_of_mass(model, frames);
}

std::vector<int> motion_rows(const ResultStates& states, const Model& model) {
  std::vector<int> rows;
  State state(model);
  for (const int row : spread_indices(states.size(), kMaxReportFrames)) {
    if (states.read(row, state)) rows.push_back(row);
  }
  return rows;
}

void for_each_instant(const ResultTable& result, const ResultStates& states, const Model& model,
                      const std::vector<int>& rows,
                      const std::function<void(const ShownInstant&)>& visit) {
  State state(model);
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  const VectorX none;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    states.read(rows[k], state);
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
    const EvaluationContext seen{result.values(rows[k], 0), model, state, frames, velocities, none};
    visit({static_cast<int>(k), rows[k], seen});
  }
}

ReportMotion report_motion(const ResultTable& result, const Model& model,
                           const ResultStates& states, ReportScales& scales) {
  const std::vector<int> rows = motion_rows(states, model);
  const auto count = static_cast<int>(rows.size());
  const std::vector<int> efforts = effort_columns(result, model);
  ReportMotion motion = empty_motion(model, count);
  motion.joint_efforts.resize(static_cast<Eigen::Index>(efforts.size()), count);
  ReportArrow linear = arrow("Linear momentum", "linear_momentum", "kg m/s", count);
  ReportArrow angular = arrow("Angular momentum", "angular_momentum", "kg m^2/s", count);

  for_each_instant(result, states, model, rows, [&](const ShownInstant& now) {
    const auto& [number, row, seen] = now;
    const Momentum total = momentum(model, seen.frames, seen.velocities);
    const MomentumScale carried = momentum_scale(model, seen.frames, seen.velocities);
    scales.linear_momentum = std::max(scales.linear_momentum, carried.linear);
    scales.angular_momentum = std::max(scales.angular_momentum, carried.angular);
    motion.times[static_cast<std::size_t>(number)] = seen.time;
    set_instant(model, seen.frames, number, motion);
    linear.origin.col(number) = angular.origin.col(number) = motion.center_of_mass.col(number);
    linear.vector.col(number) = total.linear;
    angular.vector.col(number) = total.angular_centroid;
    for (std::size_t i = 0; i < efforts.size(); ++i) {
      const double effort = efforts[i] < 0 ? 0.0 : result.values(row, efforts[i]);
      motion.joint_efforts(static_cast<Eigen::Index>(i), number) = effort;
    }
  });
  motion.arrows = {std::move(linear), std::move(angular)};
  return motion;
}

}  // namespace spacedyn
