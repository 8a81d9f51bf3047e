/// @file
/// Parts of rotation formulas in a chosen precision: double, or long double where a last digit that
/// is lost inside would show outside.
#pragma once

#include <cmath>
#include <limits>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "spacedyn/math/types.hpp"

namespace spacedyn {

using Extended = long double;
using ExtendedVector = Eigen::Matrix<Extended, 3, 1>;

// squares of any double fit, so that lengths need no scaling
static_assert(std::numeric_limits<Extended>::max_exponent >
              2 * std::numeric_limits<double>::max_exponent + 2);

/// The quaternion of a rotation matrix with w ≥ 0; its largest component comes from a square root,
/// the others by division, so that nothing cancels. At w = 0 the largest component is positive.
template <typename Scalar>
Eigen::Quaternion<Scalar> quaternion_of(const Matrix3& matrix) {
  const Eigen::Matrix<Scalar, 3, 3> A(matrix.cast<Scalar>());
  const Scalar trace = A.trace();
  const Eigen::Matrix<Scalar, 3, 1> squares = Scalar(2) * A.diagonal().array() - trace;
  Eigen::Index i = 0;
  Eigen::Quaternion<Scalar> quaternion;
  if (trace >= squares.maxCoeff(&i)) {
    const Scalar w = std::sqrt(1 + trace) / 2;
    quaternion.w() = w;
    quaternion.vec() << A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1);
    quaternion.vec() /= 4 * w;
    return quaternion;
  }
  const Eigen::Index j = (i + 1) % 3, k = (i + 2) % 3;
  const Scalar x = std::sqrt(1 + squares[i]) / 2;
  quaternion.w() = (A(k, j) - A(j, k)) / (4 * x);
  quaternion.vec()[i] = x;
  quaternion.vec()[j] = (A(j, i) + A(i, j)) / (4 * x);
  quaternion.vec()[k] = (A(k, i) + A(i, k)) / (4 * x);
  if (quaternion.w() < 0) quaternion.coeffs() = -quaternion.coeffs();
  return quaternion;
}

/// E + s ã + v ã², the rotation about the unit axis a with s = sin θ and v = 1 − cos θ.
template <typename Scalar>
Matrix3 rotation_of(const Eigen::Matrix<Scalar, 3, 1>& a, Scalar s, Scalar v) {
  const Scalar xx = v * a.x() * a.x(), yy = v * a.y() * a.y(), zz = v * a.z() * a.z();
  const Scalar xy = v * a.x() * a.y(), xz = v * a.x() * a.z(), yz = v * a.y() * a.z();
  const Scalar x = s * a.x(), y = s * a.y(), z = s * a.z();
  Eigen::Matrix<Scalar, 3, 3> A;
  A << 1 - (yy + zz), xy - z, xz + y,  //
      xy + z, 1 - (xx + zz), yz - x,   //
      xz - y, yz + x, 1 - (xx + yy);
  return A.template cast<double>();
}

}  // namespace spacedyn
