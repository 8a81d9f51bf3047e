/// @file
/// Points of shapes whose contact with the ground is that of a ball. Private.
#pragma once

#include "spacedyn/collision/contact_geometry.hpp"

namespace spacedyn {

/// A ball in the axes of a shape, from its centre; a corner is one without a radius.
struct GroundBall {
  Vector3 center = Vector3::Zero();
  double radius = 0.0;
};

/// Whether all points of a type on the ground are balls.
constexpr bool stands_on_balls(CollisionType type) {
  return type == CollisionType::sphere || type == CollisionType::capsule ||
         type == CollisionType::box || type == CollisionType::mesh;
}

/// Ball of a point's number. @pre stands_on_balls(type)
inline GroundBall ground_ball(CollisionType type, const Vector3& size, const ConvexHull* hull,
                              int number) {
  switch (type) {
    case CollisionType::sphere:
      return {Vector3::Zero(), size.x()};
    case CollisionType::capsule:
      return {{0.0, 0.0, (number == 0 ? -0.5 : 0.5) * size.y()}, size.x()};
    case CollisionType::mesh:
      return {hull->corners()[static_cast<std::size_t>(number)], 0.0};
    default:
      break;
  }
  const Vector3 signs((number & 1) != 0 ? 0.5 : -0.5, (number & 2) != 0 ? 0.5 : -0.5,
                      (number & 4) != 0 ? 0.5 : -0.5);
  return {signs.cwiseProduct(size), 0.0};
}

}  // namespace spacedyn
