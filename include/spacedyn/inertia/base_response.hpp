/// @file
/// How a floating base answers the motion of the joints when momentum is conserved.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/inertia_rates.hpp"

namespace spacedyn {

/// Whether the inertias that must be inverted can be.
enum class [[nodiscard]] InertiaStatus{
    ok,
    singular_base_inertia,  ///< H_b: no mass, or all mass on one line
    singular_joint_inertia  ///< H*: some joint motion has no inertia
};

/// What eliminates the base from [P; L_0] = H_b x_b + H_bm q̇, momentum about the base centroid.
///
/// Fixed base: nothing moves it, so H_b⁻¹ and D are zero, the limit of an infinitely heavy base;
/// all that is built on them (J*, H*, offsets, impulses) then takes its fixed-base meaning.
struct SPACEDYN_EXPORT BaseResponse {
  Matrix6 H_b_inverse = Matrix6::Zero();  ///< base twist per momentum (linear, angular)
  /// Base disturbance map D = −H_b⁻¹ H_bm, 6×n: base twist per joint rate at zero momentum.
  Matrix6X D;

  BaseResponse() = default;
  explicit BaseResponse(const Model& model);
};

/// H_b⁻¹ and D by a Cholesky factorization of H_b whose pivots are checked against rounding.
/// O(n), allocates nothing. If the status is not ok the response is zero, as for a fixed base.
SPACEDYN_EXPORT InertiaStatus compute_base_response(const Model& model, const InertiaBlocks& blocks,
                                                    BaseResponse& response) noexcept;

/// Ḋ = −H_b⁻¹ (Ḣ_bm + Ḣ_b D), 6×n. Allocates nothing if Ḋ has its size.
SPACEDYN_EXPORT void compute_base_response_rate(const BaseResponse& response,
                                                const InertiaRates& rates,
                                                Eigen::Ref<Matrix6X> D_dot);

/// Base twist x_b = D q̇ + H_b⁻¹ [P; L_0], (linear, angular), inertial.
/// @param momentum  [P; L_0], kg m/s and kg m²/s, about the base centroid; not read for a fixed
/// base
SPACEDYN_EXPORT Vector6 base_twist(const BaseResponse& response, ConstVectorRef qd,
                                   const Vector6& momentum = Vector6::Zero());

/// The point about which an angular momentum is given.
enum class MomentumPoint { base_centroid, inertial_origin, system_centroid };

/// [P; L_0] about the base centroid from [P; L] about another point: L_0 = L − r_0 × P from the
/// inertial origin, L_0 = L + r_0g × P from the system centroid.
/// @param r_0  base centroid, m, inertial; r_0 × P loses digits far from the origin
SPACEDYN_EXPORT Vector6 momentum_about_base(const Vector6& momentum, MomentumPoint point,
                                            const Vector3& r_0, const InertiaBlocks& blocks);

/// The response at a state: the convenience that sizes everything itself.
/// @throws DimensionError, DomainError if the state does not fit the model or the model is too big;
/// NumericalError if H_b is singular.
SPACEDYN_EXPORT BaseResponse base_response(const Model& model, const State& state);

}  // namespace spacedyn
