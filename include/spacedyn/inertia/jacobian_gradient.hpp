/// @file
/// Derivatives of Jacobians with respect to configuration.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"

namespace spacedyn {

/// ∂J/∂x_j for each coordinate of x = [δr_0; δθ; q], θ a rotation vector on the left: 6 + n
/// matrices of each kind, inertial axes.
struct JacobianGradient {
  std::vector<Matrix6X> J_m;     ///< of (16), 6×n each
  std::vector<Matrix6> J_b;      ///< of (16)
  std::vector<Matrix6X> J_star;  ///< of the generalized Jacobian, 6×n each
};

/// Jacobians depend on the configuration alone and their rates are linear in the velocity, so that
/// ∂J/∂x_j is J̇ at the unit velocity u = e_j. O(n · Σ depth²).
/// @param state  its velocities are not read
/// @throws as generalized_jacobian_derivative()
SPACEDYN_EXPORT JacobianGradient jacobian_gradient(const Model& model, const State& state,
                                                   const Frame& frame);

}  // namespace spacedyn
