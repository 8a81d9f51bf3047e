/// @file
/// Rotation vectors by quaternions, where a step turns attitudes by little. Private.
#pragma once

#include <cmath>

#include <Eigen/Geometry>

#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Unit quaternion of a rotation vector.
inline Eigen::Quaterniond quaternion_of_vector(const Vector3& theta) {
  const double half = 0.5 * theta.norm();
  const double part = half > 0.0 ? 0.5 * std::sin(half) / half : 0.5;
  Eigen::Quaterniond quaternion;
  quaternion.w() = std::cos(half);
  quaternion.vec() = part * theta;
  return quaternion;
}

/// Rotation vector of a unit quaternion, at most π long.
inline Vector3 vector_of_quaternion(const Eigen::Quaterniond& quaternion) {
  const double sine = quaternion.vec().norm();
  if (sine == 0.0) return Vector3::Zero();
  // of both quaternions of a rotation the one with the shorter turn
  const double angle = 2.0 * std::atan2(sine, std::abs(quaternion.w()));
  return std::copysign(angle / sine, quaternion.w()) * quaternion.vec();
}

/// log(exp(a) exp(b)), at most π long, to a few eps.
inline Vector3 rotated(const Vector3& a, const Vector3& b) {
  return vector_of_quaternion(quaternion_of_vector(a) * quaternion_of_vector(b));
}

}  // namespace spacedyn
