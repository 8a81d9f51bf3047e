/// @file
/// Spatial force vectors: forces, momenta, impulses. Elements of F⁶, and their product with M⁶.
#pragma once

#include "spacedyn/math/spatial/motion_vector.hpp"

namespace spacedyn {

/// A force vector in Plücker coordinates of some frame O: [n_O; f], moment first.
///
/// [Carius] (8), [Featherstone] (13). For a momentum `angular` is L_O and `linear` is P.
template <typename Scalar>
struct BasicForceVector {
  using Vector = Eigen::Matrix<Scalar, 3, 1>;
  using Coordinates = Eigen::Matrix<Scalar, 6, 1>;

  Vector angular = Vector::Zero();  ///< n_O, moment about O
  Vector linear = Vector::Zero();   ///< f

  /// Coordinates as one column, moment first.
  Coordinates coordinates() const {
    Coordinates column;
    column << angular, linear;
    return column;
  }
  static BasicForceVector from_coordinates(const Coordinates& column) {
    return {column.template head<3>(), column.template tail<3>()};
  }

  BasicForceVector& operator+=(const BasicForceVector& other) { return *this = *this + other; }
  BasicForceVector& operator-=(const BasicForceVector& other) { return *this = *this - other; }
  friend BasicForceVector operator+(const BasicForceVector& a, const BasicForceVector& b) {
    return {elementwise::sum(a.angular, b.angular), elementwise::sum(a.linear, b.linear)};
  }
  friend BasicForceVector operator-(const BasicForceVector& a, const BasicForceVector& b) {
    return {elementwise::difference(a.angular, b.angular),
            elementwise::difference(a.linear, b.linear)};
  }
  friend BasicForceVector operator-(const BasicForceVector& a) { return BasicForceVector{} - a; }
  friend BasicForceVector operator*(const BasicForceVector& a, const Scalar& factor) {
    return {elementwise::scaled(a.angular, factor), elementwise::scaled(a.linear, factor)};
  }
  friend BasicForceVector operator*(const Scalar& factor, const BasicForceVector& a) {
    return a * factor;
  }
};

using ForceVector = BasicForceVector<double>;

/// Power of a force on a motion, the scalar product between F⁶ and M⁶, [Featherstone] (16).
/// There is none within either space.
template <typename Scalar>
Scalar dot(const BasicForceVector<Scalar>& f, const BasicMotionVector<Scalar>& m) {
  return elementwise::dot(f.angular, m.angular) + elementwise::dot(f.linear, m.linear);
}
template <typename Scalar>
Scalar dot(const BasicMotionVector<Scalar>& m, const BasicForceVector<Scalar>& f) {
  return dot(f, m);
}

}  // namespace spacedyn
