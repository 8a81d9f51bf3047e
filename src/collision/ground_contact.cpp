#include <cmath>

#include "collision/ground_ball.hpp"
#include "collision/rim_ball.hpp"
#include "spacedyn/assert.hpp"

namespace spacedyn {
namespace {

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

ContactPoint on_rim(const ShapePose& cylinder, const Terrain& terrain, int number) {
  const RimPoint rim(cylinder, number, terrain);
  const Vector3 end = cylinder.position + rim.arm;
  const double radius = cylinder.size.x();
  if (terrain.has_edges() && rim.is_lying()) {
    return RimBall(rim, end, radius, terrain).contact(radius);
  }
  return touching_at(end + radius * rim.direction(), terrain);
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
  const int each = contact_point_count(shape);
  SPACEDYN_ASSERT(number >= 0 && number < each * terrain.part_count());
  const Terrain& part = terrain.part(number / each);
  const int own = number % each;
  if (stands_on_balls(shape.type)) {
    const GroundBall corner = ground_ball(shape.type, shape.size, shape.hull, own);
    return ball(shape.position + shape.rotation * corner.center, corner.radius, part);
  }
  if (shape.type != CollisionType::cylinder) return lowest_of_ellipsoid(shape, part);
  return on_rim(shape, part, own);
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
