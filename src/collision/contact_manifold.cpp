#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "collision/polyhedron.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

constexpr int kMostCorners = 24;
/// Corners of two polygons and their crossings.
constexpr int kMostClipped = 2 * kMostCorners;
/// Rims nearer to each other than this part of the patch are one line.
constexpr double kSame = 1e-12;

/// Lines with a smaller sine between them are parallel.
constexpr double kParallelLines = 1e-3;

/// A shape as seen along the normal: corners of its farthest face, edge or corner.
struct Feature {
  std::array<Vector3, kMostCorners> corners;  // across, across, along
  int count = 0;
  /// Height over a place: h = height + slope · place.
  Eigen::Vector2d slope = Eigen::Vector2d::Zero();
  double height = 0.0;

  void add(const Vector3& corner) {
    if (count < kMostCorners) corners[static_cast<std::size_t>(count++)] = corner;
  }
  double over(const Eigen::Vector2d& place) const { return height + slope.dot(place); }
  /// The plane through a point with a normal; of a line the plane along it that is level across it.
  void lay_plane(const Vector3& normal, const Vector3& point) {
    slope = -normal.head<2>() / normal.z();
    height = point.z() - slope.dot(point.head<2>());
  }
};

/// Axes whose third is the direction.
Matrix3 axes_along(const Vector3& direction) {
  Matrix3 axes;
  axes.col(2) = direction;
  axes.col(0) = direction.unitOrthogonal();
  axes.col(1) = direction.cross(axes.col(0));
  return axes;
}

void lay_line(Feature& feature) {
  const Vector3 along = feature.corners[1] - feature.corners[0];
  const double square = along.head<2>().squaredNorm();
  if (square > 0.0) feature.slope = along.z() / square * along.head<2>();
  feature.height = feature.corners[0].z() - feature.slope.dot(feature.corners[0].head<2>());
}

Feature feature_of_polyhedron(const Polyhedron& body, const Vector3& outwards,
                              const Matrix3& axes) {
  int best = 0;
  double most = -2.0;
  for (int face = 0; face < body.face_count(); ++face) {
    const double along = body.normal(face).dot(outwards);
    if (along <= most) continue;
    most = along;
    best = face;
  }
  const auto& corners = body.face(best).corners;
  Feature feature;
  // of a face with more corners some stand for all
  const std::size_t step = (corners.size() + kMostCorners - 1) / kMostCorners;
  for (std::size_t i = 0; i < corners.size(); i += step) {
    feature.add(axes.transpose() * body.corner(corners[i]));
  }
  feature.lay_plane(axes.transpose() * body.normal(best), feature.corners[0]);
  return feature;
}

/// Of a round shape: the points of its rim that a ContactPoint with the ground would have.
Feature feature_of_round(const ShapePose& shape, const Vector3& outwards, const Matrix3& axes) {
  const Vector3 axis = shape.rotation.col(2);
  const double along = axis.dot(outwards), radius = shape.size.x();
  const Vector3 end = 0.5 * shape.size.y() * axis;
  const Vector3 across = outwards - along * axis;
  const double size = across.norm();
  const Vector3 out = size > 1e-12 ? Vector3(across / size) : shape.rotation.col(0);
  Feature feature;
  if (shape.type == CollisionType::cylinder && std::abs(along) > std::sqrt(0.5)) {
    const double side = along < 0.0 ? -1.0 : 1.0;
    const Vector3 center = shape.position + side * end;
    const Vector3 turn = side * axis.cross(out);
    for (const Vector3& to : {out, turn, Vector3(-out), Vector3(-turn)}) {
      feature.add(axes.transpose() * (center + radius * to));
    }
    feature.lay_plane(axes.transpose() * (side * axis), feature.corners[0]);
    return feature;
  }
  const Vector3 reach = radius * (shape.type == CollisionType::capsule ? outwards : out);
  feature.add(axes.transpose() * (shape.position - end + reach));
  feature.add(axes.transpose() * (shape.position + end + reach));
  lay_line(feature);
  return feature;
}

Feature feature_of(const ShapePose& shape, const Vector3& outwards, const Matrix3& axes) {
  if (Polyhedron::is_one(shape.type)) {
    return feature_of_polyhedron(Polyhedron(shape), outwards, axes);
  }
  return feature_of_round(shape, outwards, axes);
}

/// A polygon, or a line, across the normal.
struct Outline {
  std::array<Eigen::Vector2d, kMostClipped> corners;
  int count = 0;

  void add(const Eigen::Vector2d& corner) {
    if (count < kMostClipped) corners[static_cast<std::size_t>(count++)] = corner;
  }
  const Eigen::Vector2d& at(int i) const {
    return corners[static_cast<std::size_t>((i + count) % count)];
  }
};

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

Outline outline_of(const Feature& feature) {
  Outline outline;
  double area = 0.0;
  for (int i = 0; i < feature.count; ++i) {
    outline.add(feature.corners[static_cast<std::size_t>(i)].head<2>());
  }
  for (int i = 0; i < outline.count; ++i) area += cross(outline.at(i), outline.at(i + 1));
  if (area < 0.0) std::reverse(outline.corners.begin(), outline.corners.begin() + outline.count);
  return outline;
}

/// The part of an outline on the left of a line.
Outline cut(const Outline& outline, const Eigen::Vector2d& from, const Eigen::Vector2d& along) {
  Outline left;
  const bool is_line = outline.count == 2;
  const int edges = is_line ? 1 : outline.count;
  if (outline.count == 1) {
    if (cross(along, outline.at(0) - from) >= 0.0) left.add(outline.at(0));
    return left;
  }
  for (int i = 0; i < edges; ++i) {
    const Eigen::Vector2d &a = outline.at(i), &b = outline.at(i + 1);
    const double at_a = cross(along, a - from), at_b = cross(along, b - from);
    if (at_a >= 0.0) left.add(a);
    if ((at_a < 0.0) != (at_b < 0.0)) {
      const double share = at_a / (at_a - at_b);
      if (share > 0.0 && share < 1.0) left.add(a + share * (b - a));
    }
    if (is_line && at_b >= 0.0) left.add(b);
  }
  return left;
}

/// Leaves out corners that are the same as the one before.
void join_corners(Outline& outline) {
  Eigen::AlignedBox2d box;
  for (int i = 0; i < outline.count; ++i) box.extend(outline.at(i));
  const double least = outline.count > 0 ? kSame * box.diagonal().norm() : 0.0;
  Outline joined;
  for (int i = 0; i < outline.count; ++i) {
    if ((outline.at(i) - outline.at(i - 1)).norm() > least || outline.count == 1) {
      joined.add(outline.at(i));
    }
  }
  if (joined.count == 0 && outline.count > 0) joined.add(outline.at(0));
  outline = joined;
}

/// What a corner counts: of a polygon the angle by which its rim turns, in right angles.
double weight_of(const Outline& outline, int i) {
  if (outline.count < 3) return 1.0;
  const Eigen::Vector2d before = outline.at(i) - outline.at(i - 1);
  const Eigen::Vector2d after = outline.at(i + 1) - outline.at(i);
  return std::max(0.0, std::atan2(cross(before, after), before.dot(after))) / (0.5 * kPi);
}

/// Where two lines cross, or the ends of what parallel ones have in common.
Outline crossing_lines(const Feature& a, const Feature& b) {
  const Eigen::Vector2d from = a.corners[0].head<2>(), along = a.corners[1].head<2>() - from;
  const Eigen::Vector2d start = b.corners[0].head<2>(), other = b.corners[1].head<2>() - start;
  const double length = along.norm(), other_length = other.norm();
  Outline outline;
  const double turn = cross(along, other);
  if (std::abs(turn) > kParallelLines * length * other_length) {
    const double share = cross(start - from, other) / turn;
    outline.add(from + std::clamp(share, 0.0, 1.0) * along);
    return outline;
  }
  const auto place = [&](const Eigen::Vector2d& point) {
    return length > 0.0 ? std::clamp(along.dot(point - from) / (length * length), 0.0, 1.0) : 0.5;
  };
  const double first = place(start), second = place(start + other);
  outline.add(from + first * along);
  if (first != second) outline.add(from + second * along);
  return outline;
}

Outline overlap(const Feature& a, const Feature& b) {
  const bool a_is_area = a.count > 2, b_is_area = b.count > 2;
  if (!a_is_area && !b_is_area) return crossing_lines(a, b);
  const Feature& cutter = b_is_area ? b : a;
  Outline outline = outline_of(b_is_area ? a : b);
  const Outline rim = outline_of(cutter);
  for (int i = 0; i < rim.count && outline.count > 0; ++i) {
    const Eigen::Vector2d along = rim.at(i + 1) - rim.at(i);
    if (along.squaredNorm() > 0.0) outline = cut(outline, rim.at(i), along);
  }
  join_corners(outline);
  return outline;
}

/// The points of two overlapping shapes and what they count.
template <typename Add>
void for_each_place(const ShapePose& a, const ShapePose& b, const Vector3& n, const Add& add) {
  const Matrix3 axes = axes_along(n);
  const Feature of_a = feature_of(a, n, axes), of_b = feature_of(b, -n, axes);
  const Outline outline = overlap(of_a, of_b);
  for (int i = 0; i < outline.count; ++i) {
    const Eigen::Vector2d& place = outline.at(i);
    const double above = of_a.over(place), below = of_b.over(place);
    const Vector3 point(place.x(), place.y(), 0.5 * (above + below));
    add({above - below, -n, axes * point}, weight_of(outline, i));
  }
}

ContactPoint deepest_point(const ShapePose& a, const ShapePose& b, const Separation& separation) {
  const Vector3& n = separation.direction;
  ContactPoint deepest{-separation.distance, -n, separation.point};
  const bool is_round = a.type == CollisionType::capsule || b.type == CollisionType::capsule;
  if (separation.is_at_edges || is_round) return deepest;
  // where faces lie on each other any place of the overlap will do: the deepest as computed
  double most = -std::numeric_limits<double>::infinity();
  for_each_place(a, b, n, [&](const ContactPoint& point, double /*weight*/) {
    if (point.depth <= most) return;
    most = point.depth;
    deepest.point = point.point;
  });
  if (std::isfinite(most)) return deepest;
  deepest.point = 0.5 * (farthest_point(a, n) + farthest_point(b, -n));
  return deepest;
}

}  // namespace

ContactPoint deepest_contact(const ShapePose& a, const ShapePose& b) {
  return deepest_point(a, b, separate_shapes(a, b));
}

ContactManifold contact_manifold(const ShapePose& a, const ShapePose& b) {
  ContactManifold manifold;
  const Separation separation = separate_shapes(a, b);
  manifold.deepest = deepest_point(a, b, separation);
  if (!(manifold.deepest.depth > 0.0)) return manifold;
  const Vector3& n = separation.direction;
  const auto add = [&](const ContactPoint& point, double weight) {
    if (!(point.depth > 0.0) || !(weight > 0.0) || manifold.count == ContactManifold::kMost) return;
    const auto at = static_cast<std::size_t>(manifold.count++);
    manifold.points[at] = point;
    manifold.weights[at] = weight;
  };
  for_each_place(a, b, n, add);
  if (manifold.count == 0) add(manifold.deepest, 1.0);
  return manifold;
}

}  // namespace spacedyn
