#include "reporting/facts/report_motion.hpp"

#include <algorithm>

#include "recording/robot_columns.hpp"
#include "reporting/facts/decimation.hpp"
#include "spacedyn/inertia/momentum.hpp"

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
  const std::vector<int> joints = recorded_joints(model);
  // nothing drives the base of a robot
  std::vector<int> columns(static_cast<std::size_t>(model.joint_count()), -1);
  for (std::size_t i = 1; i < layout.columns().size(); ++i) {
    const int column = result.find(layout.columns()[i].name);
    if (column < 0) return {};
    columns[static_cast<std::size_t>(joints[i - 1] - 1)] = column;
  }
  return columns;
}

void write_poses(const LinkFrames& frames, const State& state, Eigen::Ref<VectorX> poses) {
  for (std::size_t i = 0; i < frames.A.size(); ++i) {
    const Quaternion attitude(i == 0 ? state.A_0 : frames.A[i]);
    poses.segment<3>(static_cast<Eigen::Index>(7 * i)) = frames.o[i];
    poses.segment<4>(static_cast<Eigen::Index>(7 * i + 3)) = attitude.coeffs();
  }
}

}  // namespace

std::vector<int> motion_rows(const ResultStates& states, const Model& model) {
  std::vector<int> rows;
  State state(model);
  for (const int row : spread_indices(states.size(), kMaxReportFrames)) {
    if (states.read(row, state)) rows.push_back(row);
  }
  return rows;
}

ReportMotion report_motion(const ResultTable& result, const Model& model,
                           const ResultStates& states, ReportScales& scales) {
  const std::vector<int> rows = motion_rows(states, model);
  const auto count = static_cast<int>(rows.size());
  const std::vector<int> efforts = effort_columns(result, model);
  ReportMotion motion;
  motion.poses.resize(7 * model.body_count(), count);
  motion.center_of_mass.resize(3, count);
  motion.joint_efforts.resize(static_cast<Eigen::Index>(efforts.size()), count);
  ReportArrow linear = arrow("Linear momentum", "linear_momentum", "kg m/s", count);
  ReportArrow angular = arrow("Angular momentum", "angular_momentum", "kg m^2/s", count);

  State state(model);
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  for (int k = 0; k < count; ++k) {
    const int row = rows[static_cast<std::size_t>(k)];
    states.read(row, state);
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
    const Momentum total = momentum(model, frames, velocities);
    const MomentumScale carried = momentum_scale(model, frames, velocities);
    scales.linear_momentum = std::max(scales.linear_momentum, carried.linear);
    scales.angular_momentum = std::max(scales.angular_momentum, carried.angular);
    motion.times.push_back(result.values(row, 0));
    write_poses(frames, state, motion.poses.col(k));
    motion.center_of_mass.col(k) = center_of_mass(model, frames);
    linear.origin.col(k) = angular.origin.col(k) = motion.center_of_mass.col(k);
    linear.vector.col(k) = total.linear;
    angular.vector.col(k) = total.angular_centroid;
    for (std::size_t i = 0; i < efforts.size(); ++i) {
      const double effort = efforts[i] < 0 ? 0.0 : result.values(row, efforts[i]);
      motion.joint_efforts(static_cast<Eigen::Index>(i), k) = effort;
    }
  }
  motion.arrows = {std::move(linear), std::move(angular)};
  return motion;
}

}  // namespace spacedyn
