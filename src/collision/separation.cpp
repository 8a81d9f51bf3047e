#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "collision/polyhedron.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

/// Halvings of a capsule's axis: to rounding.
constexpr int kHalvings = 52;
/// Newton's method gives up after so many steps; four to six are enough.
constexpr int kSteps = 20;
/// Steps of it, rad; after one shorter than the second the next is rounding.
constexpr double kLongestStep = 0.3, kConverged = 1e-8;

/// Shapes further apart than this part of the radius are not looked at rim by rim.
constexpr double kFarFromRim = 0.05;

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

/// Goes to the nearest direction where the gap is stationary.
Vector3 stationary(const Rims& rims, Vector3 n) {
  for (int step = 0; step < kSteps; ++step) {
    Vector3 gradient;
    Matrix3 hessian;
    const double gap = rims.gap(n, gradient, hessian);
    const Vector3 first = n.unitOrthogonal(), second = n.cross(first);
    Eigen::Matrix2d curvature;
    curvature << first.dot(hessian * first) - gap, first.dot(hessian * second),
        second.dot(hessian * first), second.dot(hessian * second) - gap;
    const double determinant = curvature.determinant();
    if (!(std::abs(determinant) > 0.0)) return n;
    const Eigen::Vector2d slope(gradient.dot(first), gradient.dot(second));
    const Eigen::Vector2d move = -curvature.inverse() * slope;
    Vector3 change = move.x() * first + move.y() * second;
    const double size = change.norm();
    if (!std::isfinite(size)) return n;
    if (size > kLongestStep) change *= kLongestStep / size;
    n = (n + change).normalized();
    if (size < kConverged) break;
  }
  return n;
}

/// The same among the directions across a line.
Vector3 stationary(const Rims& rims, Vector3 n, const Vector3& line) {
  for (int step = 0; step < kSteps; ++step) {
    const Vector3 turned = line.cross(n);
    double slope = rims.offset.dot(turned), curvature = -rims.offset.dot(n);
    for (int i = 0; i < rims.count; ++i) {
      const Rims::Rim& rim = rims.rims[static_cast<std::size_t>(i)];
      const double along = rim.axis.dot(n), change = rim.axis.dot(turned);
      const double square = 1.0 - along * along, size = std::sqrt(std::max(0.0, square));
      if (!(size > 0.0)) continue;
      // size² = 1 − along²
      const double rate = -along * change / size;
      slope -= rim.radius * rate;
      curvature -= rim.radius * ((along * along - change * change) - rate * rate) / size;
    }
    if (!(std::abs(curvature) > 0.0)) return n;
    const double move = -slope / curvature;
    if (!std::isfinite(move)) return n;
    n = (n + std::clamp(move, -kLongestStep, kLongestStep) * turned).normalized();
    if (std::abs(move) < kConverged) break;
  }
  return n;
}

/// Steps, rad, of the search that leads to the highest place near a direction.
constexpr double kFirstStep = 0.1, kLastStep = 1e-3;

/// Tries directions for a cylinder a and a shape b.
class CylinderSeparator {
 public:
  CylinderSeparator(const ShapePose& a, const ShapePose& b) : a_(a), b_(b) {
    best_.distance = -std::numeric_limits<double>::infinity();
  }

  void attempt(Vector3 n) {
    const double size = n.norm();
    if (!(size > 0.0)) return;
    n /= size;
    for (const double side : {1.0, -1.0}) {
      const double gap = gap_along(a_, b_, side * n);
      if (gap > best_.distance) best_ = {gap, side * n, false, Vector3::Zero()};
    }
  }

  const Separation& best() const { return best_; }

  /// Climbs from the best direction so far, by steps in eight directions that become shorter.
  Vector3 climb() const {
    Vector3 n = best_.direction;
    double most = best_.distance;
    for (double step = kFirstStep; step > kLastStep;) {
      const Vector3 u = n.unitOrthogonal(), v = n.cross(u);
      Vector3 better = n;
      for (int k = 0; k < 8; ++k) {
        const double angle = 0.25 * k * kPi;
        const Vector3 tried = (n + step * (std::cos(angle) * u + std::sin(angle) * v)).normalized();
        const double gap = gap_along(a_, b_, tried);
        if (gap <= most) continue;
        most = gap;
        better = tried;
      }
      if (better == n) step *= 0.5;
      n = better;
    }
    return n;
  }
  /// Whether the shapes are so far apart that the rest does not matter.
  bool is_far() const {
    const bool both = b_.type == CollisionType::cylinder;
    const double radius = both ? std::min(a_.size.x(), b_.size.x()) : a_.size.x();
    return best_.distance > kFarFromRim * radius;
  }

 private:
  const ShapePose &a_, &b_;
  Separation best_;
};

Rims::Rim rim_of(const ShapePose& cylinder) {
  return {cylinder.rotation.col(2), cylinder.size.x()};
}

/// The centre of the rim that is farther in a direction.
Vector3 rim_center(const ShapePose& cylinder, const Vector3& direction) {
  const Vector3 axis = cylinder.rotation.col(2);
  return cylinder.position + std::copysign(0.5 * cylinder.size.y(), axis.dot(direction)) * axis;
}

/// No direction against the faces of an edge, nor between them, has a wider gap.
double widest_gap(const Vector3& edge_from_center, const Vector3& along, const Vector3& left,
                  const Vector3& right, const ShapePose& cylinder) {
  const Vector3 out = edge_from_center - along.dot(edge_from_center) * along;
  const double size = out.norm(), at_left = -left.dot(out), at_right = -right.dot(out);
  const bool is_between = std::min(at_left, at_right) >= left.dot(right) * size;
  const double reach = is_between ? size : std::max(at_left, at_right);
  return reach - std::min(cylinder.size.x(), 0.5 * cylinder.size.y());
}

void try_polyhedron(const ShapePose& cylinder, const ShapePose& other,
                    CylinderSeparator& separator) {
  const Polyhedron body(other);
  const Vector3 axis = cylinder.rotation.col(2);
  for (int face = 0; face < body.face_count(); ++face) separator.attempt(body.normal(face));
  for (const Vector3& corner : body.hull.corners()) {
    const Vector3 at = body.position + body.rotation * body.scale.cwiseProduct(corner);
    const Vector3 out = at - cylinder.position;
    separator.attempt(out - axis.dot(out) * axis);
  }
  if (separator.is_far()) return;
  const Vector3 best = separator.climb();
  for (const ConvexHull::Edge& edge : body.hull.edges()) {
    const Vector3 from = body.corner(edge.from);
    const Vector3 along = (body.corner(edge.to) - from).normalized();
    const Vector3 left = body.normal(edge.left), right = body.normal(edge.right);
    const double widest = widest_gap(from - cylinder.position, along, left, right, cylinder);
    if (widest <= separator.best().distance) continue;
    separator.attempt(axis.cross(along));
    for (const double side : {-1.0, 1.0}) {
      const Vector3 center = cylinder.position + side * 0.5 * cylinder.size.y() * axis;
      Rims rims;
      rims.offset = from - center;
      rims.rims[0] = rim_of(cylinder);
      rims.count = 1;
      // the gap may be stationary several times between the faces of the edge
      for (const double part : {0.05, 0.35, 0.65, 0.95}) {
        const Vector3 start = -((1.0 - part) * left + part * right).normalized();
        separator.attempt(stationary(rims, start, along));
      }
      const Vector3 across = best - along.dot(best) * along;
      if (across.norm() > 0.1) separator.attempt(stationary(rims, across.normalized(), along));
    }
  }
}

void try_cylinder(const ShapePose& a, const ShapePose& b, CylinderSeparator& separator) {
  const Vector3 axis = a.rotation.col(2), other = b.rotation.col(2);
  const Vector3 between = b.position - a.position;
  separator.attempt(other);
  const Vector3 common = axis.cross(other);
  if (common.norm() > 1e-9) separator.attempt(common);
  separator.attempt(between - axis.dot(between) * axis);
  separator.attempt(between - other.dot(between) * other);
  if (separator.is_far()) return;
  const Vector3 start = separator.climb();
  for (const double end_a : {-1.0, 1.0}) {
    for (const double end_b : {-1.0, 1.0}) {
      const Vector3 at_a = a.position + end_a * 0.5 * a.size.y() * axis;
      const Vector3 at_b = b.position + end_b * 0.5 * b.size.y() * other;
      Rims rims;
      rims.offset = at_b - at_a;
      rims.rims = {rim_of(a), rim_of(b)};
      rims.count = 2;
      // a side and a rim: directions across one axis
      for (const Vector3* across : {&axis, &other}) {
        const Vector3 out = rims.offset - across->dot(rims.offset) * *across;
        if (!(out.norm() > 0.0)) continue;
        const Vector3 first = out.normalized(), turned = across->cross(first);
        for (int k = 0; k < 8; ++k) {
          const double angle = 0.25 * k * kPi;
          const Vector3 n = std::cos(angle) * first + std::sin(angle) * turned;
          separator.attempt(stationary(rims, n, *across));
        }
      }
      // two rims
      separator.attempt(stationary(rims, start));
      for (const Vector3* across : {&axis, &other}) {
        const Vector3 along = start - across->dot(start) * *across;
        if (along.norm() > 0.1) separator.attempt(stationary(rims, along.normalized(), *across));
      }
    }
  }
}

}  // namespace

double gap_along(const ShapePose& a, const ShapePose& b, const Vector3& direction) {
  return direction.dot(farthest_point(b, -direction) - farthest_point(a, direction));
}

Vector3 farthest_point(const ShapePose& shape, const Vector3& direction) {
  const Vector3 axis = shape.rotation.col(2);
  switch (shape.type) {
    case CollisionType::sphere:
      return shape.position + shape.size.x() * direction;
    case CollisionType::capsule:
      return shape.position + shape.size.x() * direction +
             std::copysign(0.5 * shape.size.y(), axis.dot(direction)) * axis;
    case CollisionType::cylinder: {
      const Vector3 across = direction - axis.dot(direction) * axis;
      const double size = across.norm();
      const Vector3 out = size > 1e-14 ? Vector3(across / size) : shape.rotation.col(0);
      return rim_center(shape, direction) + shape.size.x() * out;
    }
    case CollisionType::ellipsoid:
      return shape.position +
             shape.rotation *
                 shape.size.cwiseProduct(
                     shape.size.cwiseProduct(shape.rotation.transpose() * direction).normalized());
    case CollisionType::box:
    case CollisionType::mesh: {
      const Polyhedron body(shape);
      return body.corner(body.farthest(direction));
    }
  }
  return shape.position;
}

Separation separate_cylinder(const ShapePose& a, const ShapePose& b) {
  const bool first = a.type == CollisionType::cylinder;
  const ShapePose &cylinder = first ? a : b, &other = first ? b : a;
  CylinderSeparator separator(cylinder, other);
  separator.attempt(cylinder.rotation.col(2));
  if (other.type == CollisionType::cylinder) {
    try_cylinder(cylinder, other, separator);
  } else {
    try_polyhedron(cylinder, other, separator);
  }
  Separation best = separator.best();
  if (!first) best.direction = -best.direction;
  return best;
}

Separation separate_capsule(const ShapePose& capsule, const ShapePose& other) {
  const Vector3 axis = capsule.rotation.col(2);
  double low = -0.5 * capsule.size.y(), high = 0.5 * capsule.size.y(), at = 0.0;
  Vector3 normal = Vector3::UnitZ();
  double distance = 0.0;
  // the distance from a convex shape is convex along a line
  const auto look = [&](double s) {
    at = s;
    distance = distance_from_shape(other, capsule.position + s * axis, normal);
    return normal.dot(axis);
  };
  if (look(low) < 0.0 && look(high) > 0.0) {
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = 0.5 * (low + high);
      (look(middle) < 0.0 ? low : high) = middle;
    }
    const double nearer = distance;
    const Vector3 own = normal;
    const double place = at;
    look(low == place ? high : low);
    if (nearer < distance) distance = nearer, normal = own, at = place;
  }
  if (distance < 0.0) {
    // its axis is inside: that of a cylinder without radius
    ShapePose core = capsule;
    core.type = CollisionType::cylinder;
    core.size.x() = 0.0;
    Separation best = separate_cylinder(core, other);
    best.distance -= capsule.size.x();
    best.point = capsule.position + at * axis;
    return best;
  }
  const double gap = distance - capsule.size.x();
  return {gap, -normal, false,
          capsule.position + at * axis - (capsule.size.x() + 0.5 * gap) * normal};
}

Separation separate_shapes(const ShapePose& a, const ShapePose& b) {
  if (a.type == CollisionType::capsule) return separate_capsule(a, b);
  if (b.type == CollisionType::capsule) {
    Separation turned = separate_capsule(b, a);
    turned.direction = -turned.direction;
    return turned;
  }
  if (Polyhedron::is_one(a.type) && Polyhedron::is_one(b.type)) {
    return separate_polyhedra(Polyhedron(a), Polyhedron(b));
  }
  return separate_cylinder(a, b);
}

}  // namespace spacedyn
