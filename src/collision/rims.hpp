/// @file
/// Gaps between shapes with rims as functions of the direction. Private.
#pragma once

#include <array>
#include <cmath>

#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Shapes whose gap along all directions of a family is smooth: a point c that the gap of the
/// centres of rims adds to, and the rims themselves.
struct Rims {
  struct Rim {
    Vector3 axis;
    double radius;
  };
  Vector3 offset = Vector3::Zero();  // from the first centre or corner to the second
  std::array<Rim, 2> rims;
  int count = 0;

  double gap(const Vector3& m) const {
    double value = offset.dot(m);
    for (int i = 0; i < count; ++i) {
      const Rim& rim = rims[static_cast<std::size_t>(i)];
      value -= rim.radius * (m - rim.axis.dot(m) * rim.axis).norm();
    }
    return value;
  }
  /// The gap, its gradient and its second derivative for a direction of any length.
  double gap(const Vector3& m, Vector3& gradient, Matrix3& hessian) const {
    double value = offset.dot(m);
    gradient = offset;
    hessian.setZero();
    for (int i = 0; i < count; ++i) {
      const Rim& rim = rims[static_cast<std::size_t>(i)];
      const Vector3 across = m - rim.axis.dot(m) * rim.axis;
      const double size = across.norm();
      if (!(size > 0.0)) continue;
      const Vector3 out = across / size, turn = rim.axis.cross(out);
      value -= rim.radius * size;
      gradient -= rim.radius * out;
      hessian -= rim.radius / size * turn * turn.transpose();
    }
    return value;
  }
};

/// Directions across a line, by the angle from one of them.
struct Fan {
  Vector3 from, beside;

  Fan(const Vector3& first, const Vector3& line) : from(first), beside(line.cross(first)) {}
  Vector3 at(double angle) const { return std::cos(angle) * from + std::sin(angle) * beside; }
  double angle_of(const Vector3& n) const { return std::atan2(beside.dot(n), from.dot(n)); }
};

/// Goes to the nearest direction where the gap is stationary.
Vector3 stationary(const Rims& rims, Vector3 n);

/// Where the gap is largest in a range of a fan: next to an angle by Newton's method, which halves
/// the range where it would leave it.
Vector3 largest(const Rims& rims, const Fan& fan, double angle, double low, double high);

}  // namespace spacedyn
