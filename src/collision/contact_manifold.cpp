#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "collision/core_direction.hpp"
#include "collision/patch_region.hpp"
#include "collision/surface_pieces.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

/// Springs that stand for a face on a face, and for a line on anything.
constexpr double kSpringsOfArea = 4.0, kSpringsOfLine = 2.0;
/// Part of the size of apart shapes within which faces are looked at.
constexpr double kNear = 1e-3;
/// Length, in depths, that the deepest point counts as where lines and round ends touch: where
/// these are shorter it stands for them.
constexpr double kPointLength = 0.01;
/// Faces beyond the depth by this part of it are looked at, too: roundings.
constexpr double kSlabMargin = 1e-9;
/// Corners that stand for the rim of an end on another end.
constexpr int kCornersOfRim = SurfacePiece::kMostCorners;

/// Takes what patches consist of; their measures, m², are brought to springs at the end.
class Collector {
 public:
  Collector(ContactManifold& manifold, const Matrix3& axes) : manifold_(manifold), axes_(axes) {}

  /// @param place   in the axes of the contact, halfway between the surfaces
  /// @param weight  springs times the measure
  void add(const Vector3& place, double depth, double weight) {
    if (!(depth > 0.0) || !(weight > 0.0)) return;
    forces_ += weight * depth;
    moments_ += weight * depth * place;
    const Vector3 point = axes_ * place;
    if (manifold_.count < ContactManifold::kMost) {
      const auto at = static_cast<std::size_t>(manifold_.count++);
      manifold_.points[at] = {depth, -axes_.col(2), point};
      manifold_.weights[at] = weight;
      return;
    }
    // one point for several: as strong as they and at the centre of their forces
    ContactPoint& last = manifold_.points[ContactManifold::kMost - 1];
    double& own = manifold_.weights[ContactManifold::kMost - 1];
    const double force = own * last.depth, other = weight * depth;
    last.point = (force * last.point + other * point) / (force + other);
    last.depth = (force + other) / (own + weight);
    own += weight;
  }
  void add_measure(double measure) { measure_ += measure; }
  void add_springs(double springs) { springs_ += springs; }
  bool is_empty() const { return !(measure_ > 0.0); }
  /// The deepest point, as strong as a patch of some measure all over which it is as deep.
  void add_point(const ContactPoint& deepest, double measure) {
    if (!(measure > 0.0)) return;
    Vector3 place = axes_.transpose() * deepest.point;
    // where the patch is larger the deepest place may jump from one of its ends to the other
    const double part = measure / (measure + measure_);
    if (forces_ > 0.0) place += (1.0 - part * part * part) * (moments_ / forces_ - place);
    add(place, deepest.depth, springs_ * measure);
    measure_ += measure;
  }
  void end() {
    for (int i = 0; i < manifold_.count; ++i) {
      manifold_.weights[static_cast<std::size_t>(i)] /= measure_;
    }
  }

 private:
  ContactManifold& manifold_;
  const Matrix3 axes_;
  double measure_ = 0.0, springs_ = 0.0, forces_ = 0.0;
  Vector3 moments_ = Vector3::Zero();
};

/// A face on a face. Of two round ends one is exact and the other a polygon.
struct FacePair {
  const SurfacePiece &a, &b;
  const RoundEnd* exact = nullptr;

  Vector2 gradient() const { return a.slope - b.slope; }
  double depth(const Vector2& place) const { return a.height - b.height + gradient().dot(place); }
  Vector3 lift(const Vector2& place) const {
    const double height = 0.5 * (a.height + b.height + (a.slope + b.slope).dot(place));
    return {place.x(), place.y(), height};
  }
  PatchRegion region() const {
    Polygon polygon = exact == nullptr ? overlap(a, b) : outline_of(exact == &a.end ? b : a);
    polygon.cut(a.height - b.height, gradient());
    return exact == nullptr ? region_of(polygon, gradient())
                            : region_of(polygon, gradient(), *exact);
  }

 private:
  static Polygon outline_of(const SurfacePiece& face) {
    if (!face.is_round) return polygon_of(face);
    Polygon polygon;
    for (int i = 0; i < kCornersOfRim; ++i) {
      const double angle = 2.0 * kPi * i / kCornersOfRim;
      polygon.add(face.end.center + face.end.rim * Vector2(std::cos(angle), std::sin(angle)));
    }
    return polygon;
  }
};

/// Axes that a shape carries, nearest to the directions of two edges, or of two diameters, as seen
/// along the normal.
Eigen::Matrix2d carried_axes(const SurfacePiece& face) {
  Eigen::Matrix2d seen = face.end.rim;
  if (!face.is_round) {
    seen.col(0) = (face.corners[1] - face.corners[0]).normalized().head<2>();
    seen.col(1) = (face.corners[2] - face.corners[1]).normalized().head<2>();
    if (seen.determinant() < 0.0) seen.col(1) *= -1.0;
  }
  return axes_along(Vector2(seen(0, 0) + seen(1, 1), seen(1, 0) - seen(0, 1)));
}

/// Four points as each of both shapes sees it, so that neither is preferred.
void add_points(const FacePair& pair, const PatchRegion& part, double weight, Collector& to) {
  for (const SurfacePiece* face : {&pair.a, &pair.b}) {
    const Eigen::Matrix2d reach = part.spread * carried_axes(*face);
    for (int k = 0; k < 4; ++k) {
      const Vector2 place = part.center + (k < 2 ? 1.0 : -1.0) * reach.col(k % 2);
      to.add(pair.lift(place), pair.depth(place), 0.125 * weight);
    }
  }
}

/// By two points of Gauss.
void add_profile(const LineProfile& profile, double width, Collector& to) {
  const Interval part = profile.inside();
  if (!(part.high > part.low)) return;
  const double half = 0.5 * (part.high - part.low), middle = 0.5 * (part.low + part.high);
  const double measure = 2.0 * half * width * profile.along.head<2>().norm();
  to.add_measure(measure);
  for (const double side : {-1.0, 1.0}) {
    const double s = middle + side * half / std::sqrt(3.0);
    to.add(profile.place(s), profile.at(s), 0.5 * kSpringsOfLine * measure);
  }
}

void add_lines(const Surface& a, const Surface& b, double width, Collector& to) {
  // from both sides, so that neither is preferred
  for (const LineProfile& profile : over_line(a, b, 1.0)) add_profile(profile, 0.5 * width, to);
  for (const LineProfile& profile : over_line(b, a, -1.0)) add_profile(profile, 0.5 * width, to);
}

/// @param width  of what touches along lines, m
void add_surfaces(const Surface& a, const Surface& b, double width, Collector& to) {
  const double share = a.share * b.share;
  to.add_springs(share * (a.is_line || b.is_line ? kSpringsOfLine : kSpringsOfArea));
  if (a.is_line && b.is_line) {
    add_lines(a, b, share * width, to);
    return;
  }
  const auto add = [&](const FacePair& pair, double factor) {
    const PatchRegion part = pair.region();
    if (!(part.area > 0.0)) return;
    to.add_measure(factor * part.area);
    add_points(pair, part, kSpringsOfArea * factor * part.area, to);
  };
  for (int i = 0; i < a.count; ++i) {
    const SurfacePiece& of_a = a.pieces[static_cast<std::size_t>(i)];
    for (int j = 0; j < b.count; ++j) {
      const SurfacePiece& of_b = b.pieces[static_cast<std::size_t>(j)];
      if (a.is_line) {
        add_profile(over_face(of_a, of_b, 1.0), share * width, to);
      } else if (b.is_line) {
        add_profile(over_face(of_b, of_a, -1.0), share * width, to);
      } else if (of_a.is_round && of_b.is_round) {
        add({of_a, of_b, &of_a.end}, 0.5 * share);
        add({of_a, of_b, &of_b.end}, 0.5 * share);
      } else {
        const RoundEnd* end = of_a.is_round ? &of_a.end : of_b.is_round ? &of_b.end : nullptr;
        add({of_a, of_b, end}, share);
      }
    }
  }
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
  void offer(const LineProfile& profile) {
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
        for (const LineProfile& profile : over_line(a, b, 1.0)) deepest.offer(profile);
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

/// Of a cylinder or a capsule; 0 of others.
double round_radius(const ShapePose& shape) {
  return Polyhedron::is_one(shape.type) ? 0.0 : shape.size.x();
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
  const Vector3 direction = core_direction(a, b, separation);
  const double slab = (1.0 + kSlabMargin) * std::max(depth, -gap_along(a, b, direction));
  const Matrix3 axes = axes_along(direction);
  const Surfaces of_a(a, axes, 1.0, slab), of_b(b, axes, -1.0, slab);
  const double width = std::sqrt(2.0 * (round_radius(a) + round_radius(b)) * depth);
  Collector collector(manifold, axes);
  for (int i = 0; i < of_a.count; ++i) {
    for (int j = 0; j < of_b.count; ++j) {
      add_surfaces(of_a.parts[static_cast<std::size_t>(i)], of_b.parts[static_cast<std::size_t>(j)],
                   width, collector);
    }
  }
  double measure = kPointLength * depth * width;
  if (!(measure > 0.0) && collector.is_empty()) measure = depth * depth;
  collector.add_point(manifold.deepest, measure);
  collector.end();
  return manifold;
}

}  // namespace spacedyn
