/// @file
/// The generalized Jacobian of a free-floating arm and what belongs to it.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/base_response.hpp"

namespace spacedyn {

/// J* = J_m − J_b H_b⁻¹ H_bm = J_m + J_b D, 6×n: the inertial twist (linear, angular) of an
/// endpoint per joint rate while the total momentum is zero. Columns of other branches are not
/// zero, because they too move the base. Fixed base: J* = J_m. O(n), allocates nothing if J* has
/// its size.
SPACEDYN_EXPORT void generalized_jacobian(const Eigen::Ref<const Matrix6X>& J_m, const Matrix6& J_b,
                                          const BaseResponse& response,
                                          Eigen::Ref<Matrix6X> J_star);

/// J̇* = J̇_m − J̇_b H_b⁻¹ H_bm − J_b H_b⁻¹ (Ḣ_bm − Ḣ_b H_b⁻¹ H_bm) = J̇_m + J̇_b D + J_b Ḋ, 6×n.
/// Allocates nothing if J̇* has its size.
SPACEDYN_EXPORT void generalized_jacobian_derivative(const Eigen::Ref<const Matrix6X>& J_m_dot,
                                                     const Matrix6& J_b, const Matrix6& J_b_dot,
                                                     const BaseResponse& response,
                                                     const Eigen::Ref<const Matrix6X>& D_dot,
                                                     Eigen::Ref<Matrix6X> J_star_dot);

/// J_b H_b⁻¹ [P; L_0]: what conserved momentum adds to the twist of an endpoint,
/// ẋ_h = J* q̇ + offset. Zero for a fixed base. Allocates nothing.
/// @param momentum  [P; L_0] about the base centroid, see momentum_about_base()
SPACEDYN_EXPORT Vector6 twist_offset(const Matrix6& J_b, const BaseResponse& response,
                                     const Vector6& momentum);

/// d/dt of twist_offset() while no external force acts: J̇_b H_b⁻¹ h + J_b H_b⁻¹ (ḣ − Ḣ_b H_b⁻¹ h)
/// with h = [P; L_0] and ḣ = [0; −v_0 × P], because the base centroid moves.
/// ẍ_h = J* q̈ + J̇* q̇ + this. Allocates nothing.
SPACEDYN_EXPORT Vector6 twist_offset_rate(const Matrix6& J_b, const Matrix6& J_b_dot,
                                          const BaseResponse& response, const InertiaRates& rates,
                                          const Vector3& v_0, const Vector6& momentum);

/// @name The same at a state: conveniences that size everything themselves
/// @throws DimensionError, DomainError if state or frame do not fit the model or the model is too
/// big; NumericalError if H_b is singular.
/// @{
SPACEDYN_EXPORT Matrix6X generalized_jacobian(const Model& model, const State& state,
                                              const Frame& frame);
SPACEDYN_EXPORT Matrix6X generalized_jacobian_derivative(const Model& model, const State& state,
                                                         const Frame& frame);
/// Only positions of the state are used; the momentum need not be that of its velocities.
SPACEDYN_EXPORT Vector6 twist_offset(const Model& model, const State& state, const Frame& frame,
                                     const Vector6& momentum,
                                     MomentumPoint point = MomentumPoint::base_centroid);
/// @}

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
