/// @file
/// The generalized Jacobian of a free-floating arm and what belongs to it.
#pragma once

#include <optional>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/base_response.hpp"
#include "spacedyn/math/singular_values.hpp"

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

/// How near to a singularity rates are still exact.
struct ResolvedRateOptions {
  /// Singular values up to tolerance × σ_max count as zero: motion along them is given up.
  double tolerance = 1e-12;
  /// λ in the unit of J; 0: exact, with rates that grow without bound towards a singularity.
  double damping = 0.0;
};

/// What was achieved.
struct ResolvedRates {
  int rank = 0;            ///< of J
  double threshold = 0.0;  ///< singular values up to it counted as zero
  double residual = 0.0;   ///< |J q̇ − ẋ|, the part of the task that is not met
};

/// q̇ = J⁺ ẋ: the shortest of the rates that come nearest to the twist; damped, the minimum of
/// |J q̇ − ẋ|² + λ² |q̇|². For a free-floating arm J is J* and ẋ the wanted twist less its
/// twist_offset(). A singular J is reported by the rank and the residual, never by NaN.
/// O(m² n), allocates nothing.
/// @param jacobian  J written in its matrix(), m×n; already in the units in which errors compare
/// @param twist     ẋ, size m
/// @param rates     out: q̇, size n
SPACEDYN_EXPORT ResolvedRates resolve_rates(const ResolvedRateOptions& options,
                                            SingularValues& jacobian, ConstVectorRef twist,
                                            VectorRef rates) noexcept;

/// Singular values of the base disturbance map D = −H_b⁻¹ H_bm, linear and angular rows apart
/// because they have different units. Rates of prismatic and revolute joints are taken as they are.
struct CouplingMeasures {
  Vector3 linear = Vector3::Zero();  ///< of rows 1–3, descending, m/s per joint rate; 0 beyond n
  Vector3 angular = Vector3::Zero();  ///< of rows 4–6, descending, rad/s per joint rate; 0 beyond n
  /// √det(D Dᵀ), the volume of base twists that unit joint rates reach; only where n ≥ 6.
  std::optional<double> volume;
};

/// Memory of one evaluation, sized once.
struct SPACEDYN_EXPORT CouplingWorkspace {
  SingularValues linear, angular, all;

  explicit CouplingWorkspace(const Model& model);
};

/// The measures of a base response. O(n), allocates nothing. A fixed base is not disturbed: all
/// zero.
SPACEDYN_EXPORT CouplingMeasures compute_coupling_measures(const BaseResponse& response,
                                                           CouplingWorkspace& workspace) noexcept;

/// The convenience that sizes everything itself.
/// @throws DimensionError, DomainError if the state does not fit the model or the model is too big;
/// NumericalError if H_b is singular.
SPACEDYN_EXPORT CouplingMeasures coupling_measures(const Model& model, const State& state);

}  // namespace spacedyn
