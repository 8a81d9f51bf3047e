/// @file
/// Rotations and their parametrizations. All matrices are active: their columns are the rotated
/// axes, so A maps body to inertial components. Angles in rad.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Skew-symmetric matrix of the cross product, tilde(a) b = a × b.
template <typename Derived>
Eigen::Matrix<typename Derived::Scalar, 3, 3> tilde(const Eigen::MatrixBase<Derived>& a) {
  using Scalar = typename Derived::Scalar;
  const Eigen::Matrix<Scalar, 3, 1> v = a;
  Eigen::Matrix<Scalar, 3, 3> skew;
  skew << Scalar(0), -v.z(), v.y(), v.z(), Scalar(0), -v.x(), -v.y(), v.x(), Scalar(0);
  return skew;
}

/// @name Rotations about axes
/// @{
SPACEDYN_EXPORT Matrix3 rotation_x(double angle);
SPACEDYN_EXPORT Matrix3 rotation_y(double angle);
SPACEDYN_EXPORT Matrix3 rotation_z(double angle);

/// Rotation by an angle about an axis. @throws DomainError if the axis is zero or not finite.
SPACEDYN_EXPORT Matrix3 rotation_about(const Vector3& axis, double angle);

/// Smallest rotation taking e_z to the direction of @p axis (180° about x for −e_z).
/// @throws DomainError if the axis is zero or not finite.
SPACEDYN_EXPORT Matrix3 rotation_from_z_to(const Vector3& axis);
/// @}

/// @name Twist angles Q = (α, β, γ) of the paper: A = R_x(α) R_y(β) R_z(γ)
/// @{
SPACEDYN_EXPORT Matrix3 matrix_from_twist(const Vector3& twist);
/// Inverse; β in [−π/2, π/2]. At |β| = π/2 the split is not unique: γ = 0 is returned.
SPACEDYN_EXPORT Vector3 twist_from_matrix(const Matrix3& A);
/// @}

/// @name Roll, pitch, yaw of URDF and ROS: A = R_z(y) R_y(p) R_x(r)
/// @{
SPACEDYN_EXPORT Matrix3 matrix_from_rpy(const Vector3& rpy);
/// Inverse; p in [−π/2, π/2]. At |p| = π/2 the split is not unique: y = 0 is returned.
SPACEDYN_EXPORT Vector3 rpy_from_matrix(const Matrix3& A);
/// @}

/// @name Euler angles 3-1-3 (φ, θ, ψ): A = R_z(φ) R_x(θ) R_z(ψ)
/// @{
SPACEDYN_EXPORT Matrix3 matrix_from_euler_313(const Vector3& angles);
/// Inverse; θ in [0, π]. At θ = 0 or π the split is not unique: ψ = 0 is returned.
SPACEDYN_EXPORT Vector3 euler_313_from_matrix(const Matrix3& A);
/// @}

/// @name Unit quaternions (Eigen keeps x, y, z, w in memory; constructors take w first)
/// @{
/// Normalizes first. @throws DomainError if the quaternion is zero or not finite.
SPACEDYN_EXPORT Matrix3 matrix_from_quaternion(const Quaternion& quaternion);
/// Of the two quaternions of a rotation the one with w ≥ 0.
SPACEDYN_EXPORT Quaternion quaternion_from_matrix(const Matrix3& A);
/// Q̇ = ½ (0, ω) ⊗ Q with ω in inertial axes, of the quaternion of A with Ȧ = ω̃ A.
SPACEDYN_EXPORT Quaternion quaternion_rate(const Quaternion& quaternion, const Vector3& omega);
/// @}

/// @name Axis and angle
/// @{
struct AxisAngle {
  Vector3 axis = Vector3::UnitZ();  ///< unit vector
  double angle = 0.0;               ///< in [0, π]
};
/// Inverse of rotation_about(); the axis of the identity is e_z.
SPACEDYN_EXPORT AxisAngle axis_angle_from_matrix(const Matrix3& A);
/// @}

/// @name Direction cosines C = Aᵀ of aerospace literature
/// @{
inline Matrix3 direction_cosines(const Matrix3& A) { return A.transpose(); }
inline Matrix3 matrix_from_direction_cosines(const Matrix3& C) { return C.transpose(); }
/// @}

/// The rotation nearest to a matrix in the Frobenius norm (polar decomposition).
/// @throws DomainError if the matrix is not finite or singular, or nearest to a reflection.
SPACEDYN_EXPORT Matrix3 nearest_rotation(const Matrix3& matrix);

/// Largest deviation of AᵀA from the identity, element by element.
SPACEDYN_EXPORT double orthogonality_error(const Matrix3& A);

/// Attitude after turning at constant ω (inertial) for Δt: (E + sin θ ã + (1 − cos θ) ã²) A.
/// Equation [SpaceDyn] (4) with the sign corrected and the unit axis a = ω/|ω|, θ = |ω| Δt.
SPACEDYN_EXPORT Matrix3 rodrigues_update(const Matrix3& A, const Vector3& omega, double dt);

/// Rotation vector that turns A_now into A_goal: log(A_goal A_nowᵀ), rad, in the frame in which
/// both are given, |·| ≤ π; A_goal = exp_so3(error) A_now.
///
/// Differs from [SpaceDyn]: `tr2diff` returns sin(angle)·axis, which is zero again at 180° and
/// pulls back beyond 90°. At 180°, where both directions are equally far, one is returned.
/// @pre both are rotations
SPACEDYN_EXPORT Vector3 orientation_error(const Matrix3& A_goal, const Matrix3& A_now);

}  // namespace spacedyn
