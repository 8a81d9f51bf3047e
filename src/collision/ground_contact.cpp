#include <cmath>

#include "collision/contact_gradient.hpp"
#include "collision/rims.hpp"
#include "spacedyn/assert.hpp"
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

// Derivatives of points of contact with the ground.

using Columns = ContactGradient::Columns;

/// Of a point that moves as @p moves tells, a ball of a radius about it.
ContactGradient of_point(const SurfacePoint& ground, const Columns& moves, double radius) {
  ContactGradient gradient;
  gradient.depth = -ground.normal.transpose() * moves;
  gradient.normal = ground.normal_gradient * moves;
  gradient.point = moves - radius * gradient.normal;
  return gradient;
}

/// The motion of the lowest point at a = −M n/√(nᵀ M n) from the centre, M = R S² Rᵀ: with the
/// normal below it, n = n(r + a), and with the axes, as both together turn it along.
Columns lowest_of_ellipsoid(const ShapePose& shape, const SurfacePoint& ground,
                            const Vector3& arm) {
  const Vector3& n = ground.normal;
  const Matrix3 axes = shape.rotation * shape.size.asDiagonal(), M = axes * axes.transpose();
  const double length = std::sqrt(n.dot(M * n));
  const Matrix3 by_normal = (arm * arm.transpose() - M) / length;
  const Matrix3 by_place = by_normal * ground.normal_gradient;
  const Matrix3 settled = (Matrix3::Identity() - by_place).inverse();
  Columns moves;
  moves << Matrix3::Identity() + settled * by_place, settled * (by_normal * tilde(n) - tilde(arm));
  return moves;
}

Columns on_rim(const RimPoint& rim, double radius) {
  const Vector3 &x = rim.axis, &n = rim.ground.normal, &d = rim.down;
  const Columns end = columns_at(rim.arm);
  Columns axis = columns_at(x), down = columns_at(d);
  axis.leftCols<3>().setZero();
  down.leftCols<3>().setZero();
  if (!rim.is_upright()) {
    const Matrix3 across_axis = Matrix3::Identity() - x * x.transpose();
    const Columns across = across_axis * (rim.ground.normal_gradient * end) -
                           (x * n.transpose() + n.dot(x) * Matrix3::Identity()) * axis;
    down = (d * d.transpose() - Matrix3::Identity()) * across / rim.across.norm();
  }
  if (rim.is_beside) down = tilde(x) * down - tilde(d) * axis;
  return end + radius * rim.sign * down;
}

/// With q = c + τ x, τ = r (n·x)/s: dn = N dq, where dτ = r/s³ d(n·x) has dn in it, too.
ContactGradient on_edge(const ShapePose& cylinder, const RimPoint& rim, const Terrain& terrain) {
  const double r = cylinder.size.x();
  const RimBall ball(rim, cylinder.position + rim.arm, r, terrain);
  const Vector3 &x = rim.axis, &n = ball.ground.normal;
  const Matrix3& N = ball.ground.normal_gradient;
  const double s = ball.sine, growth = r / (s * s * s);
  Columns axis = columns_at(x);
  axis.leftCols<3>().setZero();
  const Columns held = columns_at(rim.arm) + ball.shift * axis;  // with τ as it is
  const auto by_axis = n.transpose() * axis;
  const Eigen::Matrix<double, 1, 6> along =  // d(n·x)
      ((x.transpose() * N) * held + by_axis) / (1.0 - growth * x.dot(N * x));
  const Columns moves = held + growth * x * along;
  ContactGradient gradient;
  gradient.depth = -n.transpose() * columns_at(ball.contact(r).point - cylinder.position);
  gradient.normal = N * moves;
  gradient.point = moves - r / s * gradient.normal -
                   growth * n.dot(x) * n * along;  // d(r/s) = r/s³ (n·x) d(n·x)
  return gradient;
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

ContactGradient contact_gradient(const ShapePose& shape, const Terrain& terrain, int number) {
  const int each = contact_point_count(shape), own = number % each;
  const Terrain& part = terrain.part(number / each);
  if (stands_on_balls(shape.type)) {
    const GroundBall ball = ground_ball(shape.type, shape.size, shape.hull, own);
    const Vector3 arm = shape.rotation * ball.center;
    return of_point(part.nearest(shape.position + arm), columns_at(arm), ball.radius);
  }
  if (shape.type == CollisionType::cylinder && part.has_edges()) {
    const RimPoint rim(shape, own, part);
    if (rim.is_lying()) return on_edge(shape, rim, part);
  }
  const Vector3 point = contact_point(shape, terrain, number).point;
  const SurfacePoint ground = part.nearest(point);
  if (shape.type == CollisionType::cylinder) {
    return of_point(ground, on_rim(RimPoint(shape, own, part), shape.size.x()), 0.0);
  }
  return of_point(ground, lowest_of_ellipsoid(shape, ground, point - shape.position), 0.0);
}

}  // namespace spacedyn
