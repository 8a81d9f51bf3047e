/// @file
/// Splines of joints as functions of their rows, and what a motion through them uses of its limits.
/// Private.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "optimization/path_dynamics.hpp"
#include "optimization/shape_distances.hpp"

namespace spacedyn {

/// The splines that are 1 at one of equally spaced rows and 0 at the others, at s in 0…1.
class SplineBasis {
 public:
  explicit SplineBasis(int rows);

  int rows() const { return static_cast<int>(times_.size()); }
  const std::vector<double>& times() const { return times_; }
  /// Values of all at one s: those, first and second derivatives, a column each.
  Eigen::Matrix<double, Eigen::Dynamic, 3> at(double s) const;
  /// ∫ b‴_i b‴_k ds.
  const MatrixX& jerk_products() const { return jerk_products_; }

 private:
  std::vector<double> times_;
  MatrixX unit_;
  MatrixX jerk_products_;
};

/// A goal that has been checked, with limits.
struct TrajectoryTask {
  /// @throws DomainError, DimensionError
  TrajectoryTask(const Model& model, const State& state, const TrajectoryGoal& goal);

  Eigen::Index count() const { return from.size(); }

  const Model& model;
  const State& state;
  TrajectoryGoal goal;
  TrajectoryLimits limits;
  VectorX from;
  std::shared_ptr<ShapeDistances> distances;  ///< null: not asked for
};

/// Points between neighbouring rows at which a motion is looked at in the end.
inline constexpr int kPointsOfCheck = 50;
/// What counts as kept: rounding of parts of limits.
inline constexpr double kPartTolerance = 1e-9;
/// Of a clearance, m.
inline constexpr double kClearanceTolerance = 1e-9;
/// Of a turn of the base, rad.
inline constexpr double kTurnTolerance = 1e-6;

/// Evaluates a motion between its rows and fills what it uses.
void check_trajectory(const TrajectoryTask& task, PathDynamics& dynamics,
                      JointTrajectory& trajectory);
/// Looks at distances between its rows.
void check_clearance(const TrajectoryTask& task, JointTrajectory& trajectory);
/// Scales the time until rates and efforts are within their limits, and one of them uses its limit
/// up, if that does it.
void stretch(const TrajectoryTask& task, PathDynamics& dynamics, JointTrajectory& trajectory);
/// A motion along the straight line, its duration that of the goal or the least that limits allow.
JointTrajectory straight_line(const TrajectoryTask& task, PathDynamics& dynamics,
                              const SplineBasis& basis);
/// Adds a loop around the straight line, another one for each number.
void add_loop(int number, const TrajectoryTask& task, JointTrajectory& motion);
/// Says what is not met, and whether all is.
void judge(const TrajectoryTask& task, JointTrajectory& trajectory);

}  // namespace spacedyn
