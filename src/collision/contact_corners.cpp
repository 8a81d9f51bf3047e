#include "collision/contact_corners.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/outline.hpp"
#include "collision/polyhedron.hpp"

namespace spacedyn {
namespace {

// Corners of the patch of two boxes: the theorem of separating axes, and a face clipped by another.

/// An axis across two edges must part boxes by so much more than a face does, as a part of the
/// smallest edge.
constexpr double kEdgePreference = 1e-4;
/// Cosine of the angle to a face within which the face serves in place of two edges: it is as good,
/// and has more points.
constexpr double kNearFace = 0.995;
/// Faces of the second box must part boxes by so much more than those of the first, as a part of
/// its smallest edge: roundings do not choose.
constexpr double kSameFace = 1e-11;
/// Edges whose directions make a smaller sine are parallel.
constexpr double kParallelBoxEdges = 1e-6;

/// Two boxes, the second in the axes of the first.
struct BoxPair {
  Vector3 a, b;      // half edges
  Matrix3 R, R_abs;  // axes of b
  Vector3 t;         // centre of b
  double best = -std::numeric_limits<double>::infinity();
  int face = -1;  // 0…2 of a, 3…5 of b
  /// Two edges that part the boxes by more than faces do.
  struct Edges {
    int of_a = -1, of_b = -1;
    double apart = 0.0;
    Vector3 direction = Vector3::UnitZ();  // from a to b, in axes of a
  };
  Edges edges;

  BoxPair(const ShapePose& first, const ShapePose& second)
      : a(0.5 * first.size),
        b(0.5 * second.size),
        R(first.rotation.transpose() * second.rotation),
        R_abs(R.cwiseAbs()),
        t(first.rotation.transpose() * (second.position - first.position)) {}

  /// @returns false where boxes are further apart than the reach
  bool separate(double reach) {
    const Vector3 of_b = R_abs * b;
    for (int i = 0; i < 3; ++i) {
      const double apart = std::abs(t(i)) - a(i) - of_b(i);
      if (apart >= reach) return false;
      if (apart > best) {
        best = apart, face = i;
      }
    }
    for (int j = 0; j < 3; ++j) {
      const double along = R.col(j).dot(t);
      const double apart = std::abs(along) - b(j) - R_abs.col(j).dot(a);
      if (apart >= reach) return false;
      if (apart > best + kSameFace * b.minCoeff()) {
        best = apart, face = 3 + j;
      }
    }
    return try_edges(reach);
  }
  /// Whether two edges cross along a direction that is far from the normals of faces.
  bool is_at_edges() const {
    if (edges.of_a < 0) return false;
    const double along_face = std::max(edges.direction.cwiseAbs().maxCoeff(),
                                       (R.transpose() * edges.direction).cwiseAbs().maxCoeff());
    return along_face <= kNearFace;
  }

 private:
  bool try_edges(double reach) {
    const double ahead = kEdgePreference * std::min(a.minCoeff(), b.minCoeff());
    double best_edges = best + ahead;
    for (int i = 0; i < 3; ++i) {
      const Vector3 axis = Vector3::Unit(i);
      for (int j = 0; j < 3; ++j) {
        const Vector3 across = axis.cross(R.col(j));
        const double size = across.norm();
        if (size < kParallelBoxEdges) continue;
        const double along = across.dot(t) / size;
        const double widths =
            (across.cwiseAbs().dot(a) + (R.transpose() * across).cwiseAbs().dot(b)) / size;
        const double apart = std::abs(along) - widths;
        if (apart >= reach) return false;
        if (apart <= best_edges) continue;
        best_edges = edges.apart = apart;
        edges.of_a = i, edges.of_b = j;
        edges.direction = std::copysign(1.0 / size, along) * across;
      }
    }
    return true;
  }
};

/// A polygon in a plane, clipped by the sides of a rectangle.
struct ClippedFace {
  static constexpr int kRoom = 12;
  std::array<Vector3, kRoom> corners;
  int count = 0;

  void add(const Vector3& corner) {
    if (count < kRoom) corners[static_cast<std::size_t>(count++)] = corner;
  }
  /// Keeps what has side · component ≤ limit.
  void cut(int component, double side, double limit) {
    ClippedFace left;
    for (int i = 0; i < count; ++i) {
      const Vector3 &from = corners[static_cast<std::size_t>(i)],
                    &to = corners[static_cast<std::size_t>((i + 1) % count)];
      const double at = limit - side * from(component), after = limit - side * to(component);
      if (at >= 0.0) left.add(from);
      if ((at < 0.0) != (after < 0.0)) left.add(from + at / (at - after) * (to - from));
    }
    *this = left;
  }
};

/// The face of `other` that looks most against a face of `own`, clipped by its sides.
/// @param axis  of the face of own
/// @param side  1 or −1: on which side of own the face is
void add_clipped(const ShapePose& own, const ShapePose& other, int axis, double side, double sign,
                 double reach, ContactCorners& corners) {
  const Matrix3 R = own.rotation.transpose() * other.rotation;
  const Vector3 t = own.rotation.transpose() * (other.position - own.position);
  Eigen::Index facing = 0;
  R.row(axis).cwiseAbs().maxCoeff(&facing);
  const int u = (static_cast<int>(facing) + 1) % 3, v = (static_cast<int>(facing) + 2) % 3;
  const double toward = R(axis, facing) * side > 0.0 ? -0.5 : 0.5;
  const Vector3 center = t + toward * other.size(facing) * R.col(facing);
  const Vector3 along = 0.5 * other.size(u) * R.col(u), beside = 0.5 * other.size(v) * R.col(v);
  ClippedFace clipped;
  clipped.add(center + along + beside);
  clipped.add(center - along + beside);
  clipped.add(center - along - beside);
  clipped.add(center + along - beside);
  for (const int component : {(axis + 1) % 3, (axis + 2) % 3}) {
    clipped.cut(component, 1.0, 0.5 * own.size(component));
    clipped.cut(component, -1.0, 0.5 * own.size(component));
  }
  const Vector3 normal = side * own.rotation.col(axis);  // from own to other
  for (int i = 0; i < clipped.count; ++i) {
    const Vector3& corner = clipped.corners[static_cast<std::size_t>(i)];
    const double gap = side * corner(axis) - 0.5 * own.size(axis);
    if (gap >= reach) continue;
    const Vector3 place = own.position + own.rotation * corner - 0.5 * gap * normal;
    corners.add({-gap, -sign * normal, place});
  }
}

/// The middle between the nearest points of two crossing edges.
void add_crossing(const ShapePose& first, const BoxPair& pair, ContactCorners& corners) {
  const BoxPair::Edges& edges = pair.edges;
  const Vector3 n = edges.direction;
  Vector3 on_a = Vector3::Zero(), on_b = pair.t;
  for (int k = 0; k < 3; ++k) {
    if (k != edges.of_a) on_a(k) = std::copysign(pair.a(k), n(k));
    if (k == edges.of_b) continue;
    on_b -= std::copysign(pair.b(k), pair.R.col(k).dot(n)) * pair.R.col(k);
  }
  const Vector3 along_a = Vector3::Unit(edges.of_a), along_b = pair.R.col(edges.of_b);
  const Vector3 between = on_b - on_a;
  const double cosine = along_a.dot(along_b), sine2 = 1.0 - cosine * cosine;
  const double s = (along_a.dot(between) - cosine * along_b.dot(between)) / sine2;
  const double r = (cosine * along_a.dot(between) - along_b.dot(between)) / sine2;
  const Vector3 middle = 0.5 * (on_a + s * along_a + on_b + r * along_b);
  corners.add({-edges.apart, -(first.rotation * n), first.position + first.rotation * middle});
}

/// Corners nearer to each other than this part of the size of a shape are one.
constexpr double kSameCorner = 1e-6;

/// Corners of any number, of which a few are chosen.
class CornerList {
 public:
  CornerList(const Matrix3& axes, double reach) : axes_(axes), reach_(reach) {}

  /// @param place  in the axes of the contact, halfway between the surfaces
  void add(const Vector3& place, double depth) {
    if (!(depth > -reach_) || count_ == kRoom) return;
    corners_[static_cast<std::size_t>(count_++)] = {depth, place};
  }
  /// The deepest, then those farthest from the ones chosen before.
  ContactCorners choose(double least_distance) const {
    ContactCorners chosen;
    std::array<double, kRoom> distance{};
    distance.fill(std::numeric_limits<double>::infinity());
    int next = deepest();
    while (next >= 0 && chosen.count < ContactCorners::kMost) {
      const Corner& corner = corners_[static_cast<std::size_t>(next)];
      chosen.add({corner.depth, -axes_.col(2), axes_ * corner.place});
      double most = least_distance;
      int farthest = -1;
      for (int i = 0; i < count_; ++i) {
        const auto at = static_cast<std::size_t>(i);
        distance[at] = std::min(distance[at], (corners_[at].place - corner.place).norm());
        if (distance[at] <= most) continue;
        most = distance[at];
        farthest = i;
      }
      next = farthest;
    }
    return chosen;
  }

 private:
  static constexpr int kRoom = 128;
  struct Corner {
    double depth;
    Vector3 place;
  };
  int deepest() const {
    int found = -1;
    for (int i = 0; i < count_; ++i) {
      const double depth = corners_[static_cast<std::size_t>(i)].depth;
      if (found < 0 || depth > corners_[static_cast<std::size_t>(found)].depth) found = i;
    }
    return found;
  }

  const Matrix3 axes_;
  const double reach_;
  std::array<Corner, kRoom> corners_;
  int count_ = 0;
};

void add_faces(const SurfacePiece& a, const SurfacePiece& b, CornerList& list) {
  const Polygon polygon = overlap(a, b);
  for (int i = 0; i < polygon.count; ++i) {
    const Vector2& place = polygon.at(i);
    const double above = a.height + a.slope.dot(place), below = b.height + b.slope.dot(place);
    list.add({place.x(), place.y(), 0.5 * (above + below)}, above - below);
  }
}

/// The part of a line that lies over a face, by its ends.
void add_line(const SurfacePiece& line, const SurfacePiece& face, double side, CornerList& list) {
  const Vector3 from = line.corners[0], along = line.corners[1] - from;
  double low = 0.0, high = 1.0;
  const Polygon rim = polygon_of(face);
  for (int i = 0; i < rim.count; ++i) {
    const HalfPlane inside(rim.at(i), rim.at(i + 1));
    const double offset = inside.offset + inside.gradient.dot(from.head<2>());
    const double slope = inside.gradient.dot(along.head<2>());
    if (slope > 0.0) low = std::max(low, -offset / slope);
    if (slope < 0.0) high = std::min(high, -offset / slope);
    if (slope == 0.0 && offset < 0.0) return;
  }
  if (!(high >= low)) return;
  for (const double s : {low, high}) {
    const Vector3 on_line = from + s * along;
    const double on_face = face.height + face.slope.dot(on_line.head<2>());
    list.add({on_line.x(), on_line.y(), 0.5 * (on_line.z() + on_face)},
             side * (on_line.z() - on_face));
  }
}

void add_surfaces(const Surface& a, const Surface& b, CornerList& list) {
  for (int i = 0; i < a.count; ++i) {
    const SurfacePiece& of_a = a.pieces[static_cast<std::size_t>(i)];
    for (int j = 0; j < b.count; ++j) {
      const SurfacePiece& of_b = b.pieces[static_cast<std::size_t>(j)];
      if (a.is_line && b.is_line) continue;
      if (a.is_line) {
        add_line(of_a, of_b, 1.0, list);
      } else if (b.is_line) {
        add_line(of_b, of_a, -1.0, list);
      } else {
        add_faces(of_a, of_b, list);
      }
    }
  }
}

}  // namespace

ContactCorners box_corners(const ShapePose& a, const ShapePose& b, double reach) {
  ContactCorners corners;
  BoxPair pair(a, b);
  if (!pair.separate(reach)) return corners;
  if (pair.is_at_edges()) {
    add_crossing(a, pair, corners);
    return corners;
  }
  if (pair.face < 3) {
    add_clipped(a, b, pair.face, std::copysign(1.0, pair.t(pair.face)), 1.0, reach, corners);
  } else {
    const int axis = pair.face - 3;
    const double along = pair.R.col(axis).dot(pair.t);
    add_clipped(b, a, axis, along > 0.0 ? -1.0 : 1.0, -1.0, reach, corners);
  }
  // edges that cross beside what the faces share
  const auto is_deeper = [&](const ContactPoint& point) {
    return point.depth >= -pair.edges.apart;
  };
  const auto last = corners.points.begin() + corners.count;
  if (pair.edges.of_a >= 0 && std::none_of(corners.points.begin(), last, is_deeper)) {
    add_crossing(a, pair, corners);
  }
  return corners;
}

ContactCorners contact_corners(const ShapePose& a, const ShapePose& b, double reach) {
  if (a.type == CollisionType::box && b.type == CollisionType::box) {
    return box_corners(a, b, reach);
  }
  ContactCorners corners;
  if (touches_in_point(a.type, b.type)) {
    const ContactPoint point = contact_point(a, b);
    if (point.depth > -reach) corners.add(point);
    return corners;
  }
  const Separation separation = separate_shapes(a, b);
  if (!(separation.distance < reach)) return corners;
  if (!separation.is_at_edges) {
    const Matrix3 axes = axes_along(separation.direction);
    const double slab = std::abs(separation.distance) + reach;
    const Surfaces of_a(a, axes, 1.0, slab), of_b(b, axes, -1.0, slab);
    CornerList list(axes, reach);
    for (int i = 0; i < of_a.count; ++i) {
      for (int j = 0; j < of_b.count; ++j) {
        add_surfaces(of_a.parts[static_cast<std::size_t>(i)],
                     of_b.parts[static_cast<std::size_t>(j)], list);
      }
    }
    corners = list.choose(kSameCorner * bounding_radius(a.type, a.size, a.hull));
  }
  // edges that cross, and lines that do
  if (corners.count == 0) {
    const ContactPoint deepest = deepest_contact(a, b);
    if (deepest.depth > -reach) corners.add(deepest);
  }
  return corners;
}

}  // namespace spacedyn
