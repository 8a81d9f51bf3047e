/// @file
/// How a floating base answers given joint motion while momentum is conserved.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/base_response.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// A motion of joints and base, sampled; q moves in straight lines between samples.
struct SPACEDYN_EXPORT FreeFloatingPath {
  std::vector<double> time;   ///< s, ascending
  std::vector<State> states;  ///< as many; q̇, v_0, ω_0 are those with which a sample is reached

  FreeFloatingPath() = default;
  /// A path that is still at its start, at time 0.
  explicit FreeFloatingPath(const State& start) : time{0.0}, states{start} {}
};

/// Joint positions to be reached at a time, at constant rates from those before.
struct JointKnot {
  double time = 0.0;  ///< s
  VectorX q;          ///< size n
};

/// What is conserved and how finely the motion is integrated.
struct FlightOptions {
  /// [P; L], kg m/s and kg m²/s, inertial, about `momentum_point` at the end of the given path.
  Vector6 momentum = Vector6::Zero();
  MomentumPoint momentum_point = MomentumPoint::base_centroid;
  double tolerance = 1e-12;         ///< estimated attitude error of a step, rad
  double largest_joint_step = 0.1;  ///< largest joint displacement between samples, rad or m
};

/// Continues a path: the joints pass the knots, the base moves as conservation of momentum demands,
/// [v_0; ω_0] = D q̇ + H_b⁻¹ [P; L_0].
///
/// Where that leads depends on the path of the joints, not only on its ends; at zero momentum it
/// does not depend on their speed. The attitude is integrated as a rotation vector in a chart that
/// is centred anew at each step, A_0 ← exp_so3(θ) A_0, by the Runge–Kutta pair of Fehlberg of order
/// 8(7); steps are chosen so that the pair's difference stays below the tolerance. The base's place
/// is not integrated: it follows from the system centroid, which moves at P/w. O(n²) per stage.
/// @param path  its last state is the start; its velocities are not read
/// @throws DomainError for an empty path, a fixed base, knots whose times do not ascend, or options
/// out of range; DimensionError for knots of another size; NumericalError if H_b is singular.
SPACEDYN_EXPORT FreeFloatingPath continue_free_floating_path(const Model& model,
                                                             FreeFloatingPath path,
                                                             const std::vector<JointKnot>& knots,
                                                             const FlightOptions& options = {});

}  // namespace spacedyn
