/// @file
/// How dexp⁻¹ changes with the rotation vector.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// ∂(dexp⁻¹(θ) ω)/∂θ at constant ω; NaN where |θ| > 3π/2.
///
/// dexp⁻¹(θ) ω = ω − ½ θ × ω + c θ × (θ × ω) with c(θ²) = (1 − (θ/2) cot(θ/2))/θ², so that it is
/// ½ ω̃ + c (θ·ω E + θ ωᵀ − 2 ω θᵀ) + 2 c′ θ × (θ × ω) θᵀ.
SPACEDYN_EXPORT Matrix3 dexp_inverse_derivative(const Vector3& theta,
                                                const Vector3& omega) noexcept;

}  // namespace spacedyn
