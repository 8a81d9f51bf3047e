/// @file
/// The rotation group: exponential, logarithm and the derivative of the exponential.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Rotation by the rotation vector θ: E + sin θ ã + (1 − cos θ) ã², a = θ/|θ|.
/// Error a few eps·(1 + |θ|) for every finite θ.
SPACEDYN_EXPORT Matrix3 exp_so3(const Vector3& theta);

/// Rotation vector of a rotation matrix, |θ| ≤ π. exp_so3(log_so3(A)) = A to 4 eps, also near π.
/// At |θ| = π, where θ and −θ are the same rotation, the largest component is positive.
SPACEDYN_EXPORT Vector3 log_so3(const Matrix3& A);

/// Left derivative of the exponential: ω = dexp(θ) θ̇ with Ȧ = ω̃ A, A = exp_so3(θ).
SPACEDYN_EXPORT Matrix3 dexp_so3(const Vector3& theta);

/// Largest |θ| accepted by dexp_inverse_so3(): 3π/2; the map is singular at 2π.
inline constexpr double kDexpInverseLimit = 4.71238898038468985769;

/// dexp⁻¹(θ) = E − ½ θ̃ + (1 − (θ/2) cot(θ/2)) θ̃²/θ². @throws DomainError if |θ| > 3π/2.
SPACEDYN_EXPORT Matrix3 dexp_inverse_so3(const Vector3& theta);

/// dexp⁻¹(θ) ω without forming the matrix, for inner loops; NaN where |θ| > 3π/2.
SPACEDYN_EXPORT Vector3 apply_dexp_inverse_so3(const Vector3& theta, const Vector3& omega) noexcept;

/// ∂(dexp⁻¹(θ) ω)/∂θ at constant ω; NaN where |θ| > 3π/2.
///
/// dexp⁻¹(θ) ω = ω − ½ θ × ω + c θ × (θ × ω) with c(θ²) = (1 − (θ/2) cot(θ/2))/θ², so that it is
/// ½ ω̃ + c (θ·ω E + θ ωᵀ − 2 ω θᵀ) + 2 c′ θ × (θ × ω) θᵀ.
SPACEDYN_EXPORT Matrix3 dexp_inverse_derivative(const Vector3& theta,
                                                const Vector3& omega) noexcept;

}  // namespace spacedyn
