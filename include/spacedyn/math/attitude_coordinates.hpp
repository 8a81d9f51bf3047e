/// @file
/// Attitude as a column of numbers, and the rate of that column: the part of q̇ = Q(q) α of
/// [RBDA] (3.6) that is not trivial.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// How an attitude is written as numbers.
enum class AttitudeCoordinates {
  quaternion,       ///< (w, x, y, z); never singular, of any length but zero
  rotation_vector,  ///< θ of exp_so3(); refused beyond 3π/2
  twist_angles,     ///< (α, β, γ), A = R_x(α) R_y(β) R_z(γ); singular at β = ±π/2
  euler_313         ///< (φ, θ, ψ), A = R_z(φ) R_x(θ) R_z(ψ); singular at θ = 0 and π
};

/// Three or four numbers, without allocation.
using AttitudeVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 4, 1>;
/// Three columns and as many rows as there are numbers.
using AttitudeRateMatrix = Eigen::Matrix<double, Eigen::Dynamic, 3, 0, 4, 3>;

/// Where |cos β| (twist) or |sin θ| (3-1-3) is below this, rates of angles are refused.
inline constexpr double kAngleSingularity = 1e-6;

/// 4 for the quaternion, else 3.
SPACEDYN_EXPORT int attitude_size(AttitudeCoordinates kind);

/// @throws DimensionError if the size is wrong; DomainError if a quaternion is zero
SPACEDYN_EXPORT Matrix3 matrix_from_attitude(AttitudeCoordinates kind, ConstVectorRef attitude);
/// One of the columns that stand for a rotation: w ≥ 0, |θ| ≤ π, angles in their ranges.
SPACEDYN_EXPORT AttitudeVector attitude_from_matrix(AttitudeCoordinates kind, const Matrix3& A);

/// Rate of the column at angular velocity ω (inertial). Linear in ω; allocates nothing.
/// @throws DimensionError if the size is wrong
/// @throws DomainError at singular angles and beyond |θ| = 3π/2, where no rate exists
SPACEDYN_EXPORT AttitudeVector attitude_rate(AttitudeCoordinates kind, ConstVectorRef attitude,
                                             const Vector3& omega);
/// The matrix that attitude_rate() applies to ω.
SPACEDYN_EXPORT AttitudeRateMatrix attitude_rate_matrix(AttitudeCoordinates kind,
                                                        ConstVectorRef attitude);

}  // namespace spacedyn
