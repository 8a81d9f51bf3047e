/// @file
/// Where a system is and how it moves at one instant.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// Position and velocity of the base centroid and the joints, inertial frame, SI units.
///
/// Generalized velocity is u = [v_0; ω_0; q̇]; it is not the derivative of a coordinate vector,
/// because Ȧ_0 = ω̃_0 A_0.
struct SPACEDYN_EXPORT State {
  Vector3 r_0 = Vector3::Zero();      ///< base centroid, m
  Matrix3 A_0 = Matrix3::Identity();  ///< base attitude, base to inertial components
  VectorX q;                          ///< joint positions, rad or m, size n
  Vector3 v_0 = Vector3::Zero();      ///< velocity of the base centroid, m/s
  Vector3 omega_0 = Vector3::Zero();  ///< angular velocity of the base, rad/s
  VectorX qd;                         ///< joint velocities, size n
  VectorX z;                          ///< auxiliary states of force elements and controllers

  State() = default;
  /// Everything zero, attitude identity, sizes from the model. Of several robots the base is the
  /// inertial frame, and r_0 the centroid of all that is fixed to it.
  explicit State(const Model& model);

  /// u = [v_0; ω_0; q̇], size 6 + n.
  VectorX velocity() const;

  /// @throws DimensionError if q or q̇ does not have n elements; DomainError if a number is not
  /// finite or A_0 is not a rotation to 1e-6.
  void check(const Model& model) const;
};

/// @name Parts of a generalized vector [linear (3); angular (3); joints (n)]
/// @{
template <typename Derived>
auto linear_part(Eigen::MatrixBase<Derived>& x) {
  return x.template head<3>();
}
template <typename Derived>
auto linear_part(const Eigen::MatrixBase<Derived>& x) {
  return x.template head<3>();
}
template <typename Derived>
auto angular_part(Eigen::MatrixBase<Derived>& x) {
  return x.template segment<3>(3);
}
template <typename Derived>
auto angular_part(const Eigen::MatrixBase<Derived>& x) {
  return x.template segment<3>(3);
}
template <typename Derived>
auto joint_part(Eigen::MatrixBase<Derived>& x) {
  return x.tail(x.size() - 6);
}
template <typename Derived>
auto joint_part(const Eigen::MatrixBase<Derived>& x) {
  return x.tail(x.size() - 6);
}
/// @}

}  // namespace spacedyn
