/// @file
/// How a point of contact changes with the motion of its shapes. Private.
#pragma once

#include "spacedyn/collision/contact_geometry.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {

/// Derivatives of a point of contact by a small motion [shift; turn] of the centre of one shape,
/// seen from the other one or from the ground; inertial axes.
struct ContactGradient {
  using Columns = Eigen::Matrix<double, 3, 6>;

  Eigen::Matrix<double, 1, 6> depth;
  Columns normal, point;
  /// Whether the motion is that of the second shape, seen from the first.
  bool moves_second = false;
};

/// [E, −arm~]: what a small motion [shift; turn] does to a material point.
inline ContactGradient::Columns columns_at(const Vector3& arm) {
  ContactGradient::Columns columns;
  columns << Matrix3::Identity(), -tilde(arm);
  return columns;
}

/// Whether the derivatives of contact_point() are known: of pairs that touch in one point, but for
/// meshes.
inline bool has_gradient(CollisionType a, CollisionType b) {
  return touches_in_point(a, b) && a != CollisionType::mesh && b != CollisionType::mesh;
}

/// Of a point against the ground. Allocates nothing.
ContactGradient contact_gradient(const ShapePose& shape, const Terrain& terrain, int number);
/// Of two shapes. @pre has_gradient(). Allocates nothing.
ContactGradient contact_gradient(const ShapePose& a, const ShapePose& b);

}  // namespace spacedyn
