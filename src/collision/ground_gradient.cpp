// Derivatives of points of contact with the ground.
#include <cmath>

#include "collision/contact_gradient.hpp"
#include "collision/ground_ball.hpp"
#include "collision/rim_ball.hpp"

namespace spacedyn {
namespace {

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
