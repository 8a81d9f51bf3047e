#include <cmath>

#include "collision/ground_ball.hpp"
#include "spacedyn/assert.hpp"

namespace spacedyn {
namespace {

/// Four points on the rim of each end of a cylinder.
constexpr int kRimPoints = 4;
constexpr int kEllipsoidIterations = 32;

ContactPoint touching_at(const Vector3& point, const Terrain& terrain) {
  const SurfacePoint ground = terrain.nearest(point);
  return {-ground.distance, ground.normal, point};
}

ContactPoint ball(const Vector3& center, double radius, const Terrain& terrain) {
  const SurfacePoint ground = terrain.nearest(center);
  return {radius - ground.distance, ground.normal, center - radius * ground.normal};
}

/// The point of an ellipsoid whose tangential plane is that of the ground below it. On curved
/// ground by iteration, which converges where the ellipsoid is the more curved of both.
ContactPoint lowest_of_ellipsoid(const ShapePose& shape, const Terrain& terrain) {
  Vector3 point = shape.position;
  ContactPoint found;
  for (int i = 0; i < kEllipsoidIterations; ++i) {
    const Vector3 before = found.normal;
    found = touching_at(point, terrain);
    const bool is_settled = i > 0 && found.normal == before;
    if (is_settled) break;
    const Vector3 down =
        -shape.size.cwiseProduct(shape.rotation.transpose() * found.normal);  // of the unit sphere
    point = shape.position + shape.rotation * shape.size.cwiseProduct(down.normalized());
  }
  return found;
}

/// A point on a rim, by quarters of a turn from the lowest one. With s the sine between axis and
/// normal, depths are that of the centre of the end and r s (1, 0, −1, 0): smooth where the
/// cylinder stands upright, though the lowest point jumps there.
Vector3 rim_point(const ShapePose& cylinder, int number, const Terrain& terrain) {
  const double radius = cylinder.size.x();
  const double side = number < kRimPoints ? -0.5 : 0.5;
  const Vector3 axis = cylinder.rotation.col(2);
  const Vector3 center = cylinder.position + side * cylinder.size.y() * axis;
  const Vector3 normal = terrain.nearest(center).normal;
  const Vector3 across = normal - normal.dot(axis) * axis;
  const double length = across.norm();
  const Vector3 down = length > 1e-12 ? Vector3(-across / length) : cylinder.rotation.col(0);
  switch (number % kRimPoints) {
    case 0:
      return center + radius * down;
    case 1:
      return center + radius * axis.cross(down);
    case 2:
      return center - radius * down;
    default:
      return center - radius * axis.cross(down);
  }
}

}  // namespace

int contact_point_count(const ShapePose& shape) {
  switch (shape.type) {
    case CollisionType::sphere:
    case CollisionType::ellipsoid:
      return 1;
    case CollisionType::capsule:
      return 2;
    case CollisionType::box:
    case CollisionType::cylinder:
      return 8;
    case CollisionType::mesh:
      return static_cast<int>(shape.hull->corners().size());
  }
  return 0;
}

ContactPoint contact_point(const ShapePose& shape, const Terrain& terrain, int number) {
  SPACEDYN_ASSERT(number >= 0 && number < contact_point_count(shape));
  if (stands_on_balls(shape.type)) {
    const GroundBall own = ground_ball(shape.type, shape.size, shape.hull, number);
    return ball(shape.position + shape.rotation * own.center, own.radius, terrain);
  }
  return shape.type == CollisionType::cylinder
             ? touching_at(rim_point(shape, number, terrain), terrain)
             : lowest_of_ellipsoid(shape, terrain);
}

double bounding_radius(CollisionType type, const Vector3& size, const ConvexHull* hull) {
  switch (type) {
    case CollisionType::sphere:
      return size.x();
    case CollisionType::capsule:
      return size.x() + 0.5 * size.y();
    case CollisionType::box:
      return 0.5 * size.norm();
    case CollisionType::cylinder:
      return std::hypot(size.x(), 0.5 * size.y());
    case CollisionType::ellipsoid:
      return size.maxCoeff();
    case CollisionType::mesh:
      return hull != nullptr ? hull->radius() : 0.0;
  }
  return 0.0;
}

}  // namespace spacedyn
