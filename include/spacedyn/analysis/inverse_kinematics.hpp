/// @file
/// Joint positions that bring frames where they should be, with the base at rest.
#pragma once

#include <optional>
#include <vector>

#include "spacedyn/analysis/inverse_kinematics_problem.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

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

}  // namespace spacedyn
