/// @file
/// Joint motions that bring frames where they should be while the base floats.
#pragma once

#include <vector>

#include "spacedyn/analysis/free_floating_path.hpp"
#include "spacedyn/analysis/inverse_kinematics_problem.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

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
