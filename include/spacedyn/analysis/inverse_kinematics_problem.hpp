/// @file
/// What inverse kinematics is asked and what it answers, with a fixed base as with a floating one.
#pragma once

#include <functional>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// Which part of a pose a frame must reach.
enum class GoalKind { pose, position, orientation };

/// Where one frame should be.
struct FrameGoal {
  Frame frame;                      ///< of a body, from Model::frame()
  Pose pose;                        ///< inertial; the part that `kind` leaves out is not read
  GoalKind kind = GoalKind::pose;   ///< what counts
  double position_weight = 1.0;     ///< of the position error, 1/m; relates goals to one another
  double orientation_weight = 1.0;  ///< of the orientation error, 1/rad
};

/// How a solver searches and when it is content.
struct InverseKinematicsSettings {
  double position_tolerance = 1e-9;     ///< largest position error of a reached goal, m
  double orientation_tolerance = 1e-9;  ///< largest angle to a reached orientation, rad
  int max_iterations = 200;             ///< from each start
  /// Further starts, tried where the search got stuck: the given start moved by a fixed sequence of
  /// joint displacements, the first ones small. 0: none.
  int restarts = 24;
  /// Whether joints keep their position limits, at every iterate and in the result. A start outside
  /// is first moved to the nearest limit.
  bool respect_limits = true;
  /// Called with every iterate that is kept and its weighted error ½|W e|²; may be empty.
  std::function<void(const VectorX& q, double error)> on_iterate;
};

enum class InverseKinematicsStatus {
  converged,        ///< every goal is reached to its tolerance
  best_found,       ///< no start led there: the least error found, a minimum; often unreachable
  iteration_limit,  ///< as best_found, but that search was cut off by max_iterations
};

/// What is left of a goal; zero for the part that does not count.
struct GoalResidual {
  double position = 0.0;     ///< m
  double orientation = 0.0;  ///< rad
};

/// How a search went.
struct InverseKinematicsReport {
  InverseKinematicsStatus status = InverseKinematicsStatus::best_found;
  int iterations = 0;                   ///< of all starts together
  int restarts = 0;                     ///< further starts that were needed
  double error = 0.0;                   ///< ½|W e|²
  std::vector<GoalResidual> residuals;  ///< one for each goal
  std::vector<int> at_limit;            ///< joints (1…n) that rest on a position limit

  bool converged() const { return status == InverseKinematicsStatus::converged; }
};

/// Name of a status as files and reports print it.
SPACEDYN_EXPORT const char* to_string(InverseKinematicsStatus status);

}  // namespace spacedyn
