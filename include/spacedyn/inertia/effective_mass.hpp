/// @file
/// What an impact at a point feels and does: virtual mass, and the jump of all velocities.
#pragma once

#include <optional>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"

namespace spacedyn {

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
