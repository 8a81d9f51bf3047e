/// @file
/// Spatial motion vectors: velocities, accelerations, directions of motion. Elements of M⁶.
#pragma once

#include "spacedyn/math/spatial/elementwise.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// A motion vector in Plücker coordinates of some frame O: [ω; v_O], angular first.
///
/// [Carius] (2), [Featherstone] (7). The linear part belongs to the point of the body that passes
/// through O at this instant. A force vector is another type: the two neither add nor mix.
template <typename Scalar>
struct BasicMotionVector {
  using Vector = Eigen::Matrix<Scalar, 3, 1>;
  using Coordinates = Eigen::Matrix<Scalar, 6, 1>;

  Vector angular = Vector::Zero();  ///< ω
  Vector linear = Vector::Zero();   ///< v_O

  /// Coordinates as one column, angular first.
  Coordinates coordinates() const {
    Coordinates column;
    column << angular, linear;
    return column;
  }
  static BasicMotionVector from_coordinates(const Coordinates& column) {
    return {column.template head<3>(), column.template tail<3>()};
  }

  BasicMotionVector& operator+=(const BasicMotionVector& other) { return *this = *this + other; }
  BasicMotionVector& operator-=(const BasicMotionVector& other) { return *this = *this - other; }
  friend BasicMotionVector operator+(const BasicMotionVector& a, const BasicMotionVector& b) {
    return {elementwise::sum(a.angular, b.angular), elementwise::sum(a.linear, b.linear)};
  }
  friend BasicMotionVector operator-(const BasicMotionVector& a, const BasicMotionVector& b) {
    return {elementwise::difference(a.angular, b.angular),
            elementwise::difference(a.linear, b.linear)};
  }
  friend BasicMotionVector operator-(const BasicMotionVector& a) { return BasicMotionVector{} - a; }
  friend BasicMotionVector operator*(const BasicMotionVector& a, const Scalar& factor) {
    return {elementwise::scaled(a.angular, factor), elementwise::scaled(a.linear, factor)};
  }
  friend BasicMotionVector operator*(const Scalar& factor, const BasicMotionVector& a) {
    return a * factor;
  }
};

using MotionVector = BasicMotionVector<double>;

}  // namespace spacedyn
