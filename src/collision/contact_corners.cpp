#include "collision/contact_corners.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/outline.hpp"

namespace spacedyn {
namespace {

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

Matrix3 axes_of(const Vector3& direction) {
  Matrix3 axes;
  axes.col(2) = direction;
  axes.col(0) = direction.unitOrthogonal();
  axes.col(1) = direction.cross(axes.col(0));
  return axes;
}

}  // namespace

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
    const Matrix3 axes = axes_of(separation.direction);
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
