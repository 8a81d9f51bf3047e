#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "collision/outline.hpp"

namespace spacedyn {
namespace {

/// Springs that stand for a face on a face, and for a line on anything.
constexpr double kSpringsOfArea = 4.0, kSpringsOfLine = 2.0;
/// Part of a line below which it touches in a point.
constexpr double kNarrow = 1e-9;
/// Pairs of faces of each of which several points are taken.
constexpr int kMostFine = 9;
/// Part of the size of apart shapes within which faces are looked at.
constexpr double kNear = 1e-3;

/// Takes what cells consist of; measures are brought to springs at the end.
class Collector {
 public:
  Collector(ContactManifold& manifold, const Matrix3& axes) : manifold_(manifold), axes_(axes) {}

  void begin() {
    first_ = manifold_.count;
    measure_ = 0.0;
  }
  /// @param place  in the axes of the contact, halfway between the surfaces
  void add(const Vector3& place, double depth, double measure) {
    measure_ += measure;
    if (!(depth > 0.0) || !(measure > 0.0) || room() < 1) return;
    const auto at = static_cast<std::size_t>(manifold_.count++);
    manifold_.points[at] = {depth, -axes_.col(2), axes_ * place};
    manifold_.weights[at] = measure;
  }
  /// One point for many: as strong as they and at the centre of their forces.
  void add_mean(const Vector3& place, double depth, double weight, double measure) {
    measure_ += measure;
    if (!(depth > 0.0) || !(weight > 0.0)) return;
    const Vector3 point = axes_ * place;
    if (room() > 0) {
      const auto at = static_cast<std::size_t>(manifold_.count++);
      manifold_.points[at] = {depth, -axes_.col(2), point};
      manifold_.weights[at] = weight;
      return;
    }
    ContactPoint& last = manifold_.points[ContactManifold::kMost - 1];
    double& own = manifold_.weights[ContactManifold::kMost - 1];
    const double force = own * last.depth, other = weight * depth;
    last.point = (force * last.point + other * point) / (force + other);
    last.depth = (force + other) / (own + weight);
    own += weight;
  }
  int room() const { return ContactManifold::kMost - manifold_.count; }
  /// @returns the share that has found a place
  double end(double springs, double share) {
    if (!(measure_ > 0.0) || manifold_.count == first_) return 0.0;
    for (int i = first_; i < manifold_.count; ++i) {
      manifold_.weights[static_cast<std::size_t>(i)] *= springs * share / measure_;
    }
    return share;
  }

 private:
  ContactManifold& manifold_;
  const Matrix3 axes_;
  int first_ = 0;
  double measure_ = 0.0;
};

/// Points on the edges of a fan of triangles: exact for polynomials of degree two.
/// @param is_fine  else one point stands for all
void add_area(const SurfacePiece& a, const SurfacePiece& b, bool is_fine, Collector& to) {
  const Vector2 gradient = a.slope - b.slope;
  const double offset = a.height - b.height;
  Polygon polygon = overlap(a, b);
  polygon.cut(offset, gradient);
  const double area = polygon.count > 2 ? polygon.area() : 0.0;
  if (!(area > 0.0)) return;
  Vector2 center = Vector2::Zero();
  for (int i = 1; i + 1 < polygon.count; ++i) {
    const double part =
        0.5 * cross(polygon.at(i) - polygon.at(0), polygon.at(i + 1) - polygon.at(0));
    center += part / (3.0 * area) * (polygon.at(0) + polygon.at(i) + polygon.at(i + 1));
  }
  const auto lift = [&](const Vector2& place) {
    const double height = 0.5 * (a.height + b.height + (a.slope + b.slope).dot(place));
    return Vector3(place.x(), place.y(), height);
  };
  const auto depth = [&](const Vector2& place) { return offset + gradient.dot(place); };
  const auto part = [&](int i) {
    return 0.5 * cross(polygon.at(i) - center, polygon.at(i + 1) - center);
  };
  const auto visit = [&](const auto& add) {
    for (int i = 0; i < polygon.count; ++i) {
      const double before = part(i + polygon.count - 1), after = part(i);
      add(0.5 * (polygon.at(i) + center), (before + after) / 3.0);
      add(0.5 * (polygon.at(i) + polygon.at(i + 1)), after / 3.0);
    }
  };
  if (is_fine && to.room() >= 2 * polygon.count) {
    visit(
        [&](const Vector2& place, double measure) { to.add(lift(place), depth(place), measure); });
    return;
  }
  double force = 0.0;
  Vector2 moment = Vector2::Zero();
  visit([&](const Vector2& place, double measure) {
    force += measure * depth(place);
    moment += measure * depth(place) * place;
  });
  const Vector2 pressed = moment / force;
  to.add_mean(lift(pressed), depth(pressed), force / depth(pressed), area);
}

/// Part of a line, from 0 to 1.
struct Interval {
  double low = 0.0, high = 1.0;

  /// Keeps where offset + slope s is not negative.
  void cut(double offset, double slope) {
    if (slope > 0.0) {
      low = std::max(low, -offset / slope);
    } else if (slope < 0.0) {
      high = std::min(high, -offset / slope);
    } else if (offset < 0.0) {
      high = -1.0;
    }
  }
  bool is_empty() const { return !(high >= low); }
};

/// The depth along a line: depth + slope s − bend s² where it lies over the other surface.
struct Profile {
  Vector3 from = Vector3::Zero(), along = Vector3::Zero();
  double depth = 0.0, slope = 0.0, bend = 0.0;
  /// To the middle between both surfaces.
  Vector2 across = Vector2::Zero(), across_change = Vector2::Zero();
  double side = 1.0;  // 1: the line belongs to the first shape, −1: to the second
  Interval over;

  double at(double s) const { return depth + s * (slope - bend * s); }
  Vector3 place(double s) const {
    Vector3 place = from + s * along;
    place.head<2>() += across + s * across_change;
    place.z() -= 0.5 * side * at(s);
    return place;
  }
  double deepest() const {
    const double far = slope > 0.0 ? over.high : over.low;
    return bend > 0.0 ? std::clamp(0.5 * slope / bend, over.low, over.high) : far;
  }
  /// Where it is not negative.
  Interval inside() const {
    Interval part = over;
    if (!(bend > 0.0)) {
      part.cut(depth, slope);
      return part;
    }
    const double root = slope * slope + 4.0 * bend * depth;
    const double q = 0.5 * (slope + std::copysign(std::sqrt(std::max(0.0, root)), slope));
    const double one = q / bend, two = q != 0.0 ? -depth / q : one;
    part.low = std::max(part.low, std::min(one, two));
    part.high = root > 0.0 ? std::min(part.high, std::max(one, two)) : part.low - 1.0;
    return part;
  }
};

Profile over_face(const SurfacePiece& line, const SurfacePiece& face, double side) {
  Profile profile;
  profile.from = line.corners[0];
  profile.along = line.corners[1] - line.corners[0];
  profile.side = side;
  const Vector2 from = profile.from.head<2>(), along = profile.along.head<2>();
  const Polygon rim = polygon_of(face);
  for (int i = 0; i < rim.count; ++i) {
    const HalfPlane inside(rim.at(i), rim.at(i + 1));
    profile.over.cut(inside.offset + inside.gradient.dot(from), inside.gradient.dot(along));
  }
  profile.depth = side * (profile.from.z() - face.height - face.slope.dot(from));
  profile.slope = side * (profile.along.z() - face.slope.dot(along));
  return profile;
}

/// Over another round line the depth falls with the square of the distance between both.
Profile over_line(const SurfacePiece& line, const SurfacePiece& other, double radii, double side) {
  Profile profile;
  profile.from = line.corners[0];
  profile.along = line.corners[1] - line.corners[0];
  profile.side = side;
  const Vector3 between = profile.from - other.corners[0];
  const Vector3 beside = other.corners[1] - other.corners[0];
  const double square = beside.head<2>().squaredNorm();
  // the place of the other line beside s
  double t = 0.5, t_change = 0.0;
  if (square > 0.0) {
    t = beside.head<2>().dot(between.head<2>()) / square;
    t_change = beside.head<2>().dot(profile.along.head<2>()) / square;
  }
  profile.over.cut(t, t_change);
  profile.over.cut(1.0 - t, -t_change);
  const Vector3 apart = between - t * beside, change = profile.along - t_change * beside;
  profile.across = -0.5 * apart.head<2>();
  profile.across_change = -0.5 * change.head<2>();
  profile.depth = side * apart.z() - 0.5 * apart.head<2>().squaredNorm() / radii;
  profile.slope = side * change.z() - apart.head<2>().dot(change.head<2>()) / radii;
  profile.bend = 0.5 * change.head<2>().squaredNorm() / radii;
  return profile;
}

/// By the rule of Simpson.
void add_profile(const Profile& profile, Collector& to) {
  const Interval part = profile.inside();
  if (!(part.high - part.low > kNarrow)) return;
  const double sixth = (part.high - part.low) / 6.0, middle = 0.5 * (part.low + part.high);
  to.add(profile.place(part.low), profile.at(part.low), sixth);
  to.add(profile.place(middle), profile.at(middle), 4.0 * sixth);
  to.add(profile.place(part.high), profile.at(part.high), sixth);
}

/// @returns the share that has found a place
double add_surfaces(const Surface& a, const Surface& b, Collector& to) {
  const double share = a.share * b.share;
  if (a.is_line && b.is_line) {
    double found = 0.0;
    // from both sides, so that neither is preferred
    for (const double side : {1.0, -1.0}) {
      const Surface &own = side > 0.0 ? a : b, &other = side > 0.0 ? b : a;
      to.begin();
      add_profile(over_line(own.pieces[0], other.pieces[0], a.radius + b.radius, side), to);
      found += to.end(kSpringsOfLine, 0.5 * share);
    }
    return found;
  }
  to.begin();
  for (int i = 0; i < a.count; ++i) {
    const SurfacePiece& of_a = a.pieces[static_cast<std::size_t>(i)];
    for (int j = 0; j < b.count; ++j) {
      const SurfacePiece& of_b = b.pieces[static_cast<std::size_t>(j)];
      if (a.is_line) {
        add_profile(over_face(of_a, of_b, 1.0), to);
      } else if (b.is_line) {
        add_profile(over_face(of_b, of_a, -1.0), to);
      } else {
        add_area(of_a, of_b, a.count * b.count <= kMostFine, to);
      }
    }
  }
  return to.end(a.is_line || b.is_line ? kSpringsOfLine : kSpringsOfArea, share);
}

/// Axes whose third is the direction.
Matrix3 axes_along(const Vector3& direction) {
  Matrix3 axes;
  axes.col(2) = direction;
  axes.col(0) = direction.unitOrthogonal();
  axes.col(1) = direction.cross(axes.col(0));
  return axes;
}

/// The place of the greatest depth that has been offered.
struct Deepest {
  double depth = -std::numeric_limits<double>::infinity();
  Vector3 place = Vector3::Zero();

  void offer(const Vector3& at, double own) {
    if (own <= depth) return;
    depth = own;
    place = at;
  }
  void offer(const Profile& profile) {
    if (profile.over.is_empty()) return;
    const double s = profile.deepest();
    offer(profile.place(s), profile.at(s));
  }
  void offer(const SurfacePiece& a, const SurfacePiece& b) {
    const Polygon polygon = overlap(a, b);
    for (int k = 0; k < polygon.count; ++k) {
      const Vector2& at = polygon.at(k);
      const double above = a.height + a.slope.dot(at), below = b.height + b.slope.dot(at);
      offer({at.x(), at.y(), 0.5 * (above + below)}, above - below);
    }
  }
};

/// What stands for the greater share of a shape.
const Surface& main_part(const Surfaces& shape) {
  return shape.parts[shape.count > 1 && shape.parts[1].share > shape.parts[0].share ? 1 : 0];
}

Deepest deepest_of(const Surface& a, const Surface& b) {
  Deepest deepest;
  for (int i = 0; i < a.count; ++i) {
    const SurfacePiece& of_a = a.pieces[static_cast<std::size_t>(i)];
    for (int j = 0; j < b.count; ++j) {
      const SurfacePiece& of_b = b.pieces[static_cast<std::size_t>(j)];
      if (a.is_line && b.is_line) {
        deepest.offer(over_line(of_a, of_b, a.radius + b.radius, 1.0));
      } else if (a.is_line) {
        deepest.offer(over_face(of_a, of_b, 1.0));
      } else if (b.is_line) {
        deepest.offer(over_face(of_b, of_a, -1.0));
      } else {
        deepest.offer(of_a, of_b);
      }
    }
  }
  return deepest;
}

ContactPoint deepest_point(const ShapePose& a, const ShapePose& b, const Separation& separation) {
  const Vector3& n = separation.direction;
  ContactPoint deepest{-separation.distance, -n, separation.point};
  const bool is_round = a.type == CollisionType::capsule || b.type == CollisionType::capsule;
  if (separation.is_at_edges || is_round) return deepest;
  const Matrix3 axes = axes_along(n);
  const double slab =
      std::abs(separation.distance) + kNear * bounding_radius(a.type, a.size, a.hull);
  const Deepest found =
      deepest_of(main_part(Surfaces(a, axes, 1.0, slab)), main_part(Surfaces(b, axes, -1.0, slab)));
  deepest.point = std::isfinite(found.depth)
                      ? Vector3(axes * found.place)
                      : Vector3(0.5 * (farthest_point(a, n) + farthest_point(b, -n)));
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
  const double depth = manifold.deepest.depth;
  if (!(depth > 0.0)) return manifold;
  const Matrix3 axes = axes_along(separation.direction);
  const Surfaces of_a(a, axes, 1.0, depth), of_b(b, axes, -1.0, depth);
  Collector collector(manifold, axes);
  double found = 0.0;
  for (int i = 0; i < of_a.count; ++i) {
    for (int j = 0; j < of_b.count; ++j) {
      found += add_surfaces(of_a.parts[static_cast<std::size_t>(i)],
                            of_b.parts[static_cast<std::size_t>(j)], collector);
    }
  }
  // what is too narrow for a place is a point
  if (found < 1.0 - 1e-9 && collector.room() > 0) {
    const auto at = static_cast<std::size_t>(manifold.count++);
    manifold.points[at] = manifold.deepest;
    manifold.weights[at] = 1.0 - found;
  }
  return manifold;
}

}  // namespace spacedyn
