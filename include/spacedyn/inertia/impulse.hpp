/// @file
/// What an impulse at a frame does to all velocities, and the inertia that is felt there.
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Cholesky>

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/base_response.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"

namespace spacedyn {

/// Response to impulses at one frame, and the memory for it, sized once.
struct SPACEDYN_EXPORT ImpulseResponse {
  MatrixX H_star;                     ///< n×n
  Matrix6X J_star;                    ///< 6×n
  Eigen::LLT<MatrixX> factorization;  ///< of H*
  /// H⁻¹ [J_bᵀ; J_mᵀ], (6+n)×6: change of u = [v_0; ω_0; q̇] per impulse (N s, N m s) that the
  /// environment exerts on the frame, inertial axes.
  MatrixX velocity_per_impulse;
  /// Hand inverse inertia J H⁻¹ Jᵀ = J* H*⁻¹ J*ᵀ + J_b H_b⁻¹ J_bᵀ, 6×6, symmetric: change of the
  /// frame's twist per impulse. Regular with a free base; singular with a fixed base wherever J_m
  /// has no full row rank.
  Matrix6 inverse_inertia = Matrix6::Zero();

  /// @throws DimensionError for more links than Topology::kMaxDenseLinks.
  explicit ImpulseResponse(const Model& model);
};

/// The response at a frame with Jacobians J_m, J_b: Δq̇ = H*⁻¹ J*ᵀ p, Δx_b = H_b⁻¹ J_bᵀ p + D Δq̇.
/// Joints are free and give way; a fixed base takes no velocity. O(n³), allocates nothing. If the
/// status is not ok the response is zero; nothing is ever NaN because an inertia is singular.
SPACEDYN_EXPORT InertiaStatus compute_impulse_response(const InertiaBlocks& blocks,
                                                       const BaseResponse& base,
                                                       const Eigen::Ref<const Matrix6X>& J_m,
                                                       const Matrix6& J_b,
                                                       ImpulseResponse& response) noexcept;

/// The convenience that sizes everything itself.
/// @throws DimensionError, DomainError if state or frame do not fit the model or the model is too
/// big; NumericalError if H_b or H* is singular.
SPACEDYN_EXPORT ImpulseResponse impulse_response(const Model& model, const State& state,
                                                 const Frame& frame);

/// The effect of an impulse of 1 N s that the environment exerts at a point along a direction.
struct ImpactEffect {
  /// 1/(nᵀ J H⁻¹ Jᵀ n), kg: the mass of a free particle whose velocity along the direction would
  /// change as much; infinite where the point cannot move along it.
  double effective_mass = 0.0;
  VectorX velocity_change;  ///< H⁻¹ Jᵀ n of u = [v_0; ω_0; q̇], size 6 + n
};

/// H⁻¹ Jᵀ n of a point, all coordinates that move freely giving way.
/// @param direction  inertial axes, of any length
/// @param free       rows of u that move freely; nothing: all, the base if the model's is not fixed
/// @throws DimensionError, DomainError if state, frame or direction do not fit or the model is too
/// big; NumericalError if H of the free coordinates is singular
SPACEDYN_EXPORT ImpactEffect impact_effect(const Model& model, const State& state, const Frame& at,
                                           const Vector3& direction,
                                           const std::optional<std::vector<int>>& free = {});
/// The same of an impulse between two points: on the first along the direction, on the second
/// against it.
SPACEDYN_EXPORT ImpactEffect impact_effect(const Model& model, const State& state,
                                           const Frame& first, const Frame& second,
                                           const Vector3& direction,
                                           const std::optional<std::vector<int>>& free = {});

}  // namespace spacedyn
