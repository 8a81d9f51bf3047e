/// @file
/// The one border between this layer, angular first, and the rest of the library, linear first.
#pragma once

#include "spacedyn/math/spatial/force_vector.hpp"

namespace spacedyn {

/// @name (ω, v) ↔ (v, ω) and (n, f) ↔ (f, n); the same vectors, only written differently
/// @{
template <typename Scalar>
Eigen::Matrix<Scalar, 6, 1> linear_first(const BasicMotionVector<Scalar>& m) {
  Eigen::Matrix<Scalar, 6, 1> column;
  column << m.linear, m.angular;
  return column;
}
template <typename Scalar>
Eigen::Matrix<Scalar, 6, 1> linear_first(const BasicForceVector<Scalar>& f) {
  Eigen::Matrix<Scalar, 6, 1> column;
  column << f.linear, f.angular;
  return column;
}
inline MotionVector motion_from_linear_first(const Vector6& twist) {
  return {twist.tail<3>(), twist.head<3>()};
}
inline ForceVector force_from_linear_first(const Vector6& wrench) {
  return {wrench.tail<3>(), wrench.head<3>()};
}
/// A 6×6 matrix with both orders exchanged; its own inverse.
inline Matrix6 exchange_order(const Matrix6& matrix) {
  Matrix6 exchanged;
  exchanged << matrix.bottomRightCorner<3, 3>(), matrix.bottomLeftCorner<3, 3>(),
      matrix.topRightCorner<3, 3>(), matrix.topLeftCorner<3, 3>();
  return exchanged;
}
/// @}

}  // namespace spacedyn
