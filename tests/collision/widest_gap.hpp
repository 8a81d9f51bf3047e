/// @file
/// Depths of convex shapes by a search over all directions.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "spacedyn/collision/contact_geometry.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/dice.hpp"

namespace spacedyn::testing {

class ShapeDice : public Dice {
 public:
  using Dice::Dice;
  /// A shape about a place; meshes are hulls of 12 points.
  ShapePose pose(CollisionType type, double spread) {
    ShapePose pose{type,
                   {number(0.1, 0.5), number(0.2, 0.6), number(0.2, 0.6)},
                   vector(spread),
                   exp_so3(vector(3.0)),
                   nullptr};
    if (type != CollisionType::mesh) return pose;
    std::vector<Vector3> points;
    for (int i = 0; i < 12; ++i) points.push_back(vector(1.0).normalized() * number(0.2, 0.4));
    hulls_.push_back(std::make_unique<const ConvexHull>(points));
    pose.hull = hulls_.back().get();
    return pose;
  }

  std::vector<std::unique_ptr<const ConvexHull>> hulls_;
};

/// How far a shape reaches along a direction.
inline double reach(const ShapePose& shape, const Vector3& direction) {
  const Vector3 d = shape.rotation.transpose() * direction, &size = shape.size;
  double own = 0.0;
  if (shape.type == CollisionType::box) own = 0.5 * size.dot(d.cwiseAbs());
  if (shape.type == CollisionType::capsule) own = size.x() + 0.5 * size.y() * std::abs(d.z());
  if (shape.type == CollisionType::cylinder) {
    own = size.x() * std::hypot(d.x(), d.y()) + 0.5 * size.y() * std::abs(d.z());
  }
  if (shape.type == CollisionType::mesh) {
    own = -1e9;
    for (const Vector3& corner : shape.hull->corners()) own = std::max(own, d.dot(corner));
  }
  return direction.dot(shape.position) + own;
}

/// The gap along a direction from the second shape to the first.
inline double gap(const ShapePose& a, const ShapePose& b, const Vector3& normal) {
  return -reach(a, -normal) - reach(b, normal);
}

/// The widest gap near a direction, by a search with ever shorter steps.
inline double climb(const ShapePose& a, const ShapePose& b, Vector3 normal, double step,
                    double least) {
  double best = gap(a, b, normal);
  while (step > least) {
    bool better = false;
    const Vector3 u = normal.unitOrthogonal(), v = normal.cross(u);
    for (int k = 0; k < 8; ++k) {
      const double angle = 0.25 * k * 3.14159265358979323846;
      const Vector3 tried =
          (normal + step * (std::cos(angle) * u + std::sin(angle) * v)).normalized();
      const double value = gap(a, b, tried);
      if (value <= best) continue;
      best = value;
      normal = tried;
      better = true;
      break;
    }
    if (!better) step *= 0.5;
  }
  return best;
}

/// The widest gap that searches from random directions find, but for those with less at the start.
inline double widest_gap(const ShapePose& a, const ShapePose& b, Dice& dice, int starts,
                         double least) {
  double best = -1e9;
  for (int k = 0; k < starts; ++k) {
    const Vector3 start = dice.vector(1.0).normalized();
    if (gap(a, b, start) < least) continue;
    best = std::max(best, climb(a, b, start, 0.05, 1e-3));
  }
  return best;
}

}  // namespace spacedyn::testing
