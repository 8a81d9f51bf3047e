/// @file
/// Products of 3-vectors written out element by element.
///
/// Compilers keep such numbers in registers. Eigen's own expressions handle the first two elements
/// of a 3-vector as one packet, and a chain of transforms then waits, at each step, for two halves
/// to pass through memory: measured, two and a half times as long (docs/algebra.md).
#pragma once

#include <Eigen/Core>

namespace spacedyn::elementwise {

template <typename Scalar>
using Vector = Eigen::Matrix<Scalar, 3, 1>;
template <typename Scalar>
using Matrix = Eigen::Matrix<Scalar, 3, 3>;

/// a itself, copied number by number rather than as a block of memory.
template <typename Scalar>
Vector<Scalar> copy(const Vector<Scalar>& a) {
  return {a[0], a[1], a[2]};
}
template <typename Scalar>
Vector<Scalar> sum(const Vector<Scalar>& a, const Vector<Scalar>& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
template <typename Scalar>
Vector<Scalar> difference(const Vector<Scalar>& a, const Vector<Scalar>& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
template <typename Scalar>
Vector<Scalar> scaled(const Vector<Scalar>& a, const Scalar& s) {
  return {a[0] * s, a[1] * s, a[2] * s};
}
template <typename Scalar>
Scalar dot(const Vector<Scalar>& a, const Vector<Scalar>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
/// a × b.
template <typename Scalar>
Vector<Scalar> cross(const Vector<Scalar>& a, const Vector<Scalar>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
/// R a.
template <typename Scalar>
Vector<Scalar> times(const Matrix<Scalar>& R, const Vector<Scalar>& a) {
  return {R(0, 0) * a[0] + R(0, 1) * a[1] + R(0, 2) * a[2],
          R(1, 0) * a[0] + R(1, 1) * a[1] + R(1, 2) * a[2],
          R(2, 0) * a[0] + R(2, 1) * a[1] + R(2, 2) * a[2]};
}
/// Rᵀ a.
template <typename Scalar>
Vector<Scalar> transposed_times(const Matrix<Scalar>& R, const Vector<Scalar>& a) {
  return {R(0, 0) * a[0] + R(1, 0) * a[1] + R(2, 0) * a[2],
          R(0, 1) * a[0] + R(1, 1) * a[1] + R(2, 1) * a[2],
          R(0, 2) * a[0] + R(1, 2) * a[1] + R(2, 2) * a[2]};
}

}  // namespace spacedyn::elementwise
