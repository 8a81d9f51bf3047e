/// @file
/// Joint positions that bring frames where they should be, with the base at rest or floating.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "spacedyn/analysis/free_floating_path.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/state/state.hpp"

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

struct InverseKinematicsOptions : InverseKinematicsSettings {
  /// Preferred joint positions, size n: of the solutions of a redundant arm around the one found,
  /// that of least |q − posture| is returned. Needs a reached goal; without, nothing changes.
  std::optional<VectorX> posture;
};

struct InverseKinematicsResult {
  VectorX q;  ///< joint positions, size n, rad or m
  InverseKinematicsReport report;
};

/// Finds q such that all goals are met while the base stays at (r_0, A_0) of the state.
///
/// Levenberg–Marquardt on ½|W e(q)|², with e the position errors and orientation_error(): each step
/// minimizes ½|W(e − J d)|² + ½ μ|d|² within the position limits (active set), μ = λ|W e|², and λ
/// follows the ratio of actual to predicted gain, so a step never raises the error and the
/// convergence is quadratic near a solution. As μ vanishes steps tend to those of least |d|, where
/// 1 rad counts as 1 m. Damping bounds steps at singularities; a start from which no step helps,
/// such as a straight arm told to shorten, is left by a restart. A goal out of reach gives the
/// nearest point found, and the status says so. O(iterations · n³), allocates.
/// @param state  r_0 and A_0 of the base and the start q; velocities are not read
/// @throws DimensionError, DomainError if state, goals or options do not fit the model.
SPACEDYN_EXPORT InverseKinematicsResult solve_inverse_kinematics(
    const Model& model, const State& state, const std::vector<FrameGoal>& goals,
    const InverseKinematicsOptions& options = {});

struct FreeFloatingOptions : InverseKinematicsSettings {
  FlightOptions flight;  ///< momentum and integration
  /// Rate of the fastest joint of each straight piece, rad/s or m/s, less where a joint's own
  /// velocity limit is lower. At zero momentum it sets the times of the path, not its places.
  double joint_speed = 1.0;
};

struct FreeFloatingResult {
  FreeFloatingPath path;  ///< the given path and its continuation to the goals or nearest to them
  InverseKinematicsReport report;
};

/// Continues a path until all goals are met, with a floating base at given momentum.
///
/// The search of solve_inverse_kinematics() with the generalized Jacobian, ẋ_h = J* q̇ +
/// J_b H_b⁻¹ [P; L_0]. Since the end depends on the path, each step is flown by
/// continue_free_floating_path() before it is judged, and the answer is the whole path: the joints
/// run through the accepted steps in straight pieces. The errors in the report are those of the
/// flown end, so a simulation of this joint motion arrives there. With momentum the system drifts
/// while the joints move; each step takes that into account over the time it takes. A base that
/// drifts faster than the joints can follow is not caught up with, and loops of the joints that
/// would turn the base towards a goal out of reach are not sought; the status says so.
/// @param path  its last state is the start; its velocities are not read
/// @throws what solve_inverse_kinematics() and continue_free_floating_path() throw.
SPACEDYN_EXPORT FreeFloatingResult solve_free_floating_inverse_kinematics(
    const Model& model, const FreeFloatingPath& path, const std::vector<FrameGoal>& goals,
    const FreeFloatingOptions& options = {});

}  // namespace spacedyn
