#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "collision/polyhedron.hpp"
#include "collision/rims.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

/// Halvings of a capsule's axis: to rounding.
constexpr int kHalvings = 52;
/// Shapes further apart than this part of the radius are not looked at rim by rim.
constexpr double kFarFromRim = 0.05;
/// Cylinders deeper in each other than this part of their least size are looked at all around.
constexpr double kDeep = 0.2;
/// Cosine of the angle up to which directions all around are neighbours.
constexpr double kBeside = 0.5;

/// Sine up to which a direction counts as across an axis.
constexpr double kAcross = 0.1;

/// Steps, rad, of the search that leads to the highest place near a direction.
constexpr double kFirstStep = 0.1, kLastStep = 1e-3;
/// Directions across an axis that are looked at before the gap is made stationary.
constexpr int kAround = 16;
/// The same between the faces of an edge.
constexpr int kBetween = 8;

/// Equal steps of a turn.
const std::array<Eigen::Vector2d, kAround>& turns() {
  static const std::array<Eigen::Vector2d, kAround> all = [] {
    std::array<Eigen::Vector2d, kAround> made;
    for (int k = 0; k < kAround; ++k) {
      const double angle = 2.0 * kPi * k / kAround;
      made[static_cast<std::size_t>(k)] = {std::cos(angle), std::sin(angle)};
    }
    return made;
  }();
  return all;
}

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

  /// Climbs from the best direction so far.
  Vector3 climb() const { return climb(best_.direction); }
  /// Climbs from a direction, by steps in eight directions that become shorter.
  Vector3 climb(const Vector3& start) const {
    Vector3 n = start;
    double most = gap_along(a_, b_, n);
    for (double step = kFirstStep; step > kLastStep;) {
      const Vector3 u = n.unitOrthogonal(), v = n.cross(u);
      Vector3 better = n;
      for (std::size_t k = 0; k < kAround; k += 2) {
        const Eigen::Vector2d& turn = turns()[k];
        const Vector3 tried = (n + step * (turn.x() * u + turn.y() * v)).normalized();
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
  /// Whether cylinders are so deep in each other that the gap has several highest places.
  bool is_deep() const {
    const auto least = [](const ShapePose& shape) {
      return std::min(shape.size.x(), 0.5 * shape.size.y());
    };
    return best_.distance < -kDeep * std::min(least(a_), least(b_));
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
  separator.attempt(separator.climb());
  for (const ConvexHull::Edge& edge : body.hull.edges()) {
    const Vector3 from = body.corner(edge.from);
    const Vector3 along = (body.corner(edge.to) - from).normalized();
    const Vector3 left = body.normal(edge.left), right = body.normal(edge.right);
    const double widest = widest_gap(from - cylinder.position, along, left, right, cylinder);
    if (widest <= separator.best().distance) continue;
    separator.attempt(axis.cross(along));
    const Fan fan(-left, along);
    const double step = fan.angle_of(-right) / (kBetween - 1);
    for (const double side : {-1.0, 1.0}) {
      const Vector3 center = cylinder.position + side * 0.5 * cylinder.size.y() * axis;
      Rims rims;
      rims.offset = from - center;
      rims.rims[0] = rim_of(cylinder);
      rims.count = 1;
      // the gap may be stationary several times between the faces of the edge
      std::array<double, kBetween> gaps;
      for (int i = 0; i < kBetween; ++i) {
        gaps[static_cast<std::size_t>(i)] = rims.gap(fan.at(i * step));
      }
      for (int i = 0; i < kBetween; ++i) {
        const int before = std::max(i - 1, 0), after = std::min(i + 1, kBetween - 1);
        const double own = gaps[static_cast<std::size_t>(i)];
        if (own < gaps[static_cast<std::size_t>(before)]) continue;
        if (own < gaps[static_cast<std::size_t>(after)]) continue;
        const double low = std::min(before * step, after * step);
        const double high = std::max(before * step, after * step);
        separator.attempt(largest(rims, fan, i * step, low, high));
      }
    }
  }
}

Rims rims_of(const ShapePose& a, const ShapePose& b, double end_a, double end_b) {
  Rims rims;
  rims.offset = b.position + end_b * 0.5 * b.size.y() * b.rotation.col(2) -
                (a.position + end_a * 0.5 * a.size.y() * a.rotation.col(2));
  rims.rims = {rim_of(a), rim_of(b)};
  rims.count = 2;
  return rims;
}

/// A side and a rim: directions across the axis of one of two cylinders.
void try_across(const ShapePose& a, const ShapePose& b, const Vector3& axis,
                CylinderSeparator& separator) {
  const Fan fan(axis.unitOrthogonal(), axis);
  constexpr double kStep = 2.0 * kPi / kAround;
  std::array<double, kAround> gaps;
  for (std::size_t k = 0; k < kAround; ++k) {
    gaps[k] = gap_along(a, b, turns()[k].x() * fan.from + turns()[k].y() * fan.beside);
  }
  for (std::size_t k = 0; k < kAround; ++k) {
    if (gaps[k] < gaps[(k + 1) % kAround] || gaps[k] < gaps[(k + kAround - 1) % kAround]) continue;
    const double angle = static_cast<double>(k) * kStep;
    for (const double end_a : {-1.0, 1.0}) {
      for (const double end_b : {-1.0, 1.0}) {
        const Rims rims = rims_of(a, b, end_a, end_b);
        separator.attempt(largest(rims, fan, angle, angle - kStep, angle + kStep));
      }
    }
  }
}

/// Directions to the faces, edges and corners of a cube that stands along what two axes have in
/// common: the same for both orders of them.
std::array<Vector3, 26> all_around(const Vector3& axis, const Vector3& other) {
  const bool is_parallel = axis.cross(other).norm() <= 1e-9;
  const Vector3 one = is_parallel ? axis : Vector3((axis + other).normalized());
  const Vector3 two =
      is_parallel ? Vector3(axis.unitOrthogonal()) : Vector3((axis - other).normalized());
  const Vector3 three = one.cross(two);
  std::array<Vector3, 26> directions;
  std::size_t count = 0;
  for (int i = 0; i < 27; ++i) {
    const Vector3 place(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
    if (place.isZero(0.0)) continue;
    directions[count++] = (place.x() * one + place.y() * two + place.z() * three).normalized();
  }
  return directions;
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
  // with the ends that are farthest; both where a direction is nearly across the axis
  const auto for_each_ends = [&](const Vector3& n, const auto& visit) {
    for (const double end_a : {-1.0, 1.0}) {
      for (const double end_b : {-1.0, 1.0}) {
        if (end_a * axis.dot(n) < -kAcross || end_b * other.dot(n) > kAcross) continue;
        visit(rims_of(a, b, end_a, end_b));
      }
    }
  };
  const auto try_rims = [&](const Vector3& start) {
    separator.attempt(start);
    for_each_ends(start, [&](const Rims& rims) { separator.attempt(stationary(rims, start)); });
  };
  try_rims(separator.climb());
  for (const std::size_t rim : {0U, 1U}) {
    for (const double side : {-1.0, 1.0}) {
      for_each_ends(side * (rim == 0 ? axis : other), [&](const Rims& rims) {
        const auto start = beside_axis(rims, rim, side);
        if (start) separator.attempt(stationary(rims, *start));
      });
    }
  }
  if (separator.is_deep()) {
    // from those around which no other has a wider gap
    const std::array<Vector3, 26> starts = all_around(axis, other);
    std::array<double, 26> gaps;
    for (std::size_t i = 0; i < starts.size(); ++i) gaps[i] = gap_along(a, b, starts[i]);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      bool is_peak = true;
      for (std::size_t j = 0; j < starts.size(); ++j) {
        is_peak = is_peak && (starts[i].dot(starts[j]) < kBeside || gaps[j] <= gaps[i]);
      }
      if (is_peak) try_rims(separator.climb(starts[i]));
    }
  }
  for (const Vector3& across : {axis, other}) try_across(a, b, across, separator);
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
      // by components, so that it lies on the end however near the direction is to the axis
      const double x = shape.rotation.col(0).dot(direction);
      const double y = shape.rotation.col(1).dot(direction), size = std::hypot(x, y);
      const double c = size > 0.0 ? x / size : 1.0, s = size > 0.0 ? y / size : 0.0;
      return rim_center(shape, direction) +
             shape.size.x() * (c * shape.rotation.col(0) + s * shape.rotation.col(1));
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
