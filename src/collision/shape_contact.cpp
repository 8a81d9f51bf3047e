#include <algorithm>
#include <cmath>

#include "collision/contact_gradient.hpp"
#include "collision/polyhedron.hpp"
#include "collision/rims.hpp"
#include "spacedyn/collision/contact_geometry.hpp"

namespace spacedyn {
namespace {

/// More than Newton's method takes from the pole of its sum to a root.
constexpr int kNewtonSteps = 200;

/// The nearest point of a shape's surface and how far a point is outside of it.
struct Nearest {
  double distance;  // negative inside
  Vector3 normal;   // outwards
};

/// The overlap of a sphere with a surface at the foot of its centre.
ContactPoint with_ball(const Vector3& center, double radius, const Nearest& nearest) {
  const double depth = radius - nearest.distance;
  return {depth, nearest.normal, center - (radius - 0.5 * depth) * nearest.normal};
}

Nearest from_point(const Vector3& difference) {
  const double distance = difference.norm();
  return {distance, distance > 0.0 ? Vector3(difference / distance) : Vector3::UnitZ()};
}

Nearest from_segment(const ShapePose& capsule, const Vector3& point) {
  const Vector3 axis = capsule.rotation.col(2);
  const double half = 0.5 * capsule.size.y();
  const double along = std::clamp(axis.dot(point - capsule.position), -half, half);
  Nearest nearest = from_point(point - capsule.position - along * axis);
  nearest.distance -= capsule.size.x();
  return nearest;
}

Nearest from_box(const ShapePose& box, const Vector3& point) {
  const Vector3 half = 0.5 * box.size;
  const Vector3 local = box.rotation.transpose() * (point - box.position);
  const Vector3 beyond = local - local.cwiseMax(-half).cwiseMin(half);
  Nearest nearest = from_point(beyond);
  if (nearest.distance > 0.0) return {nearest.distance, box.rotation * nearest.normal};
  Eigen::Index face = 0;
  const double inside = (half - local.cwiseAbs()).minCoeff(&face);
  return {-inside, std::copysign(1.0, local(face)) * box.rotation.col(face)};
}

Nearest from_cylinder(const ShapePose& cylinder, const Vector3& point) {
  const double radius = cylinder.size.x(), half = 0.5 * cylinder.size.y();
  const Vector3 local = cylinder.rotation.transpose() * (point - cylinder.position);
  const double off = std::hypot(local.x(), local.y());
  const Vector3 outward =
      off > 0.0 ? Vector3(local.x() / off, local.y() / off, 0.0) : Vector3::UnitX();
  const double up = std::copysign(1.0, local.z());
  const double beyond_side = off - radius, beyond_end = std::abs(local.z()) - half;
  Nearest nearest{std::max(beyond_side, beyond_end), outward};
  if (beyond_side > 0.0 && beyond_end > 0.0) {
    nearest = from_point(beyond_side * outward + Vector3(0.0, 0.0, up * beyond_end));
  } else if (beyond_end > beyond_side) {
    nearest.normal = {0.0, 0.0, up};
  }
  return {nearest.distance, cylinder.rotation * nearest.normal};
}

/// With the point x = e² p/(t + e²) of the surface nearest to p, all by axes, t is the largest root
/// of Σ (e p/(t + e²))² = 1: that sum falls and is convex, so Newton's method from below does not
/// overshoot. Its unknown is s = t + e_min², exact next to the pole of the shortest axis.
Nearest from_ellipsoid(const ShapePose& shape, const Vector3& point) {
  const Vector3& e = shape.size;
  const Vector3 local = shape.rotation.transpose() * (point - shape.position);
  const Vector3 p = local.cwiseAbs(), squares = e.cwiseProduct(e);
  int shortest = 0;
  const double least = squares.minCoeff(&shortest);
  const Vector3 excess = squares - Vector3::Constant(least);
  double s = std::max(0.0, (e.cwiseProduct(p) - excess).maxCoeff());
  double sum = 0.0, slope = 0.0;
  const auto evaluate = [&] {
    sum = slope = 0.0;
    for (int i = 0; i < 3; ++i) {
      if (!(p(i) > 0.0)) continue;
      const double part = e(i) * p(i) / (s + excess(i));
      sum += part * part;
      slope -= 2.0 * part * part / (s + excess(i));
    }
  };
  evaluate();
  const bool is_in_middle = s == 0.0 && !(sum > 1.0);  // as near to both ends of the shortest axis
  for (int i = 0; i < kNewtonSteps && sum > 1.0; ++i) {
    const double next = s + (1.0 - sum) / slope;
    if (!(next > s)) break;
    s = next;
    evaluate();
  }
  Vector3 nearest = Vector3::Zero();
  for (int i = 0; i < 3; ++i) {
    if (p(i) > 0.0) nearest(i) = squares(i) * p(i) / (s + excess(i));
  }
  if (is_in_middle) nearest(shortest) = e(shortest) * std::sqrt(std::max(0.0, 1.0 - sum));
  for (int i = 0; i < 3; ++i) nearest(i) = std::copysign(nearest(i), local(i));
  const Vector3 normal = nearest.cwiseQuotient(squares).normalized();
  return {normal.dot(local - nearest), shape.rotation * normal};
}

Nearest from_shape(const ShapePose& shape, const Vector3& point) {
  switch (shape.type) {
    case CollisionType::sphere: {
      Nearest nearest = from_point(point - shape.position);
      nearest.distance -= shape.size.x();
      return nearest;
    }
    case CollisionType::capsule:
      return from_segment(shape, point);
    case CollisionType::box:
      return from_box(shape, point);
    case CollisionType::ellipsoid:
      return from_ellipsoid(shape, point);
    case CollisionType::cylinder:
      return from_cylinder(shape, point);
    case CollisionType::mesh: {
      Vector3 normal = Vector3::UnitZ();
      const Vector3 local = shape.rotation.transpose() * (point - shape.position);
      const double distance = shape.hull->distance(local, normal);
      return {distance, shape.rotation * normal};
    }
  }
  return {};
}

ContactPoint capsules(const ShapePose& a, const ShapePose& b) {
  const AxisPair axes(a, b);
  const auto [s, t] = axes.nearest();
  const Vector3 on_a = a.position + s * axes.a;
  Nearest nearest = from_point(on_a - b.position - t * axes.b);
  // this distance has the line between both points as its gradient whatever s and t do
  nearest.distance = std::sqrt(axes.value(s, t)) - b.size.x();
  return with_ball(on_a, a.size.x(), nearest);
}

// Derivatives of points of contact of two shapes.

Matrix3 across(const Vector3& n) { return Matrix3::Identity() - n * n.transpose(); }

/// ∂normal/∂(centre of the ball) in the axes of a shape, of its surface nearest to @p local, where
/// the normal is n; distances to sharp edges are those to the edge.
Matrix3 of_capsule(const ShapePose& capsule, const Vector3& local, const Vector3& n,
                   double distance) {
  const bool beside = std::abs(local.z()) < 0.5 * capsule.size.y();
  Matrix3 gradient = across(n);
  if (beside) gradient(2, 2) = 0.0;
  return gradient / (distance + capsule.size.x());
}

Matrix3 of_box(const ShapePose& box, const Vector3& local, const Vector3& n, double distance) {
  if (!(distance > 0.0)) return Matrix3::Zero();
  const Vector3 half = 0.5 * box.size;
  const Vector3 is_beyond = (local.cwiseAbs().array() > half.array()).cast<double>();
  Matrix3 gradient = -n * n.transpose();
  gradient.diagonal() += is_beyond;
  return gradient / distance;
}

Matrix3 of_cylinder(const ShapePose& cylinder, const Vector3& local, const Vector3& n,
                    double distance) {
  const double off = std::hypot(local.x(), local.y());
  const double beside = off - cylinder.size.x();
  const double beyond = std::abs(local.z()) - 0.5 * cylinder.size.y();
  const bool at_edge = beside > 0.0 && beyond > 0.0;
  if (!(off > 0.0) || (!at_edge && beyond > beside)) return Matrix3::Zero();
  const Vector3 around(-local.y() / off, local.x() / off, 0.0);
  const Matrix3 turning = around * around.transpose() / off;
  if (!at_edge) return turning;
  // the normal is (beside outward + beyond axis)/distance
  return (across(n) - around * around.transpose()) / distance + beside / distance * turning;
}

/// The distance of a surface with the shape operator W has the Hessian W (E + d W)⁻¹.
Matrix3 of_ellipsoid(const ShapePose& shape, const Vector3& local, const Vector3& n,
                     double distance) {
  const Vector3 inverse_squares = shape.size.cwiseProduct(shape.size).cwiseInverse();
  const Vector3 slope = inverse_squares.cwiseProduct(local - distance * n);
  const Matrix3 W = across(n) * inverse_squares.asDiagonal() * across(n) / slope.norm();
  return W * (Matrix3::Identity() + distance * W).inverse();
}

Matrix3 normal_gradient(const ShapePose& shape, const Vector3& point, const Vector3& normal,
                        double distance) {
  const Vector3 local = shape.rotation.transpose() * (point - shape.position);
  const Vector3 n = shape.rotation.transpose() * normal;
  const auto of_shape = [&]() -> Matrix3 {
    switch (shape.type) {
      case CollisionType::sphere:
        return across(n) / (distance + shape.size.x());
      case CollisionType::capsule:
        return of_capsule(shape, local, n, distance);
      case CollisionType::box:
        return of_box(shape, local, n, distance);
      case CollisionType::cylinder:
        return of_cylinder(shape, local, n, distance);
      case CollisionType::ellipsoid:
        return of_ellipsoid(shape, local, n, distance);
      case CollisionType::mesh:
        break;
    }
    return Matrix3::Zero();
  };
  return shape.rotation * of_shape() * shape.rotation.transpose();
}

/// Of the overlap of a ball of radius R about c with a surface: c − (R − depth/2) n.
void complete(ContactGradient& gradient, const ContactGradient::Columns& center, double radius,
              double depth, const Vector3& n) {
  gradient.point = center - (radius - 0.5 * depth) * gradient.normal + 0.5 * n * gradient.depth;
}

ContactGradient of_ball(const ShapePose& ball, const ShapePose& shape) {
  const double radius = ball.size.x();
  Vector3 n;
  const double distance = distance_from_shape(shape, ball.position, n);
  const ContactGradient::Columns center = columns_at(Vector3::Zero());
  ContactGradient gradient;
  gradient.depth = -n.transpose() * center;
  gradient.normal = normal_gradient(shape, ball.position, n, distance) * center;
  complete(gradient, center, radius, radius - distance, n);
  return gradient;
}

ContactGradient of_capsules(const ShapePose& a, const ShapePose& b) {
  using Row = Eigen::Matrix<double, 1, 6>;
  const AxisPair axes(a, b);
  const auto [s, t] = axes.nearest();
  const Vector3 w = axes.difference(s, t);
  const double distance = std::sqrt(axes.value(s, t));
  const ContactGradient::Columns moved = columns_at(s * axes.a);  // of the point at a given s
  ContactGradient::Columns turned = columns_at(axes.a);
  turned.leftCols<3>().setZero();
  // stationary in s: a·w + ε s = 0, and in t: −b·w + ε t = 0
  Row by_s = -(axes.a.transpose() * moved + w.transpose() * turned);
  Row by_t = axes.b.transpose() * moved;
  axes.solve(s, t, by_s, by_t);
  const ContactGradient::Columns change = moved + axes.a * by_s - axes.b * by_t;
  const Vector3 n = w.norm() > 0.0 ? Vector3(w.normalized()) : Vector3(Vector3::UnitZ());
  ContactGradient gradient;
  gradient.depth = -w.transpose() * moved / distance;
  gradient.normal = across(n) * change / w.norm();
  complete(gradient, moved + axes.a * by_s, a.size.x(), a.size.x() + b.size.x() - distance, n);
  return gradient;
}

}  // namespace

double distance_from_shape(const ShapePose& shape, const Vector3& point, Vector3& normal) {
  const Nearest nearest = from_shape(shape, point);
  normal = nearest.normal;
  return nearest.distance;
}

bool touches_in_point(CollisionType a, CollisionType b) {
  const bool has_sphere = a == CollisionType::sphere || b == CollisionType::sphere;
  return has_sphere || (a == CollisionType::capsule && b == CollisionType::capsule);
}

bool may_touch(CollisionType a, CollisionType b) {
  const bool has_ellipsoid = a == CollisionType::ellipsoid || b == CollisionType::ellipsoid;
  return !has_ellipsoid || a == CollisionType::sphere || b == CollisionType::sphere;
}

ContactPoint contact_point(const ShapePose& a, const ShapePose& b) {
  if (a.type == CollisionType::sphere) {
    return with_ball(a.position, a.size.x(), from_shape(b, a.position));
  }
  if (b.type == CollisionType::sphere) {
    ContactPoint turned = with_ball(b.position, b.size.x(), from_shape(a, b.position));
    turned.normal = -turned.normal;
    return turned;
  }
  if (touches_in_point(a.type, b.type)) return capsules(a, b);
  return deepest_contact(a, b);
}

ContactGradient contact_gradient(const ShapePose& a, const ShapePose& b) {
  if (a.type == CollisionType::sphere) return of_ball(a, b);
  if (b.type != CollisionType::sphere) return of_capsules(a, b);
  ContactGradient gradient = of_ball(b, a);
  gradient.normal = -gradient.normal;
  gradient.moves_second = true;
  return gradient;
}

}  // namespace spacedyn
