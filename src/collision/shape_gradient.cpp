// Derivatives of points of contact of two shapes.
#include <algorithm>
#include <cmath>

#include "collision/axis_pair.hpp"
#include "collision/contact_gradient.hpp"
#include "collision/polyhedron.hpp"

namespace spacedyn {
namespace {

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

ContactGradient contact_gradient(const ShapePose& a, const ShapePose& b) {
  if (a.type == CollisionType::sphere) return of_ball(a, b);
  if (b.type != CollisionType::sphere) return of_capsules(a, b);
  ContactGradient gradient = of_ball(b, a);
  gradient.normal = -gradient.normal;
  gradient.moves_second = true;
  return gradient;
}

}  // namespace spacedyn
