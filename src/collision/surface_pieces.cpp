#include "collision/surface_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/outline.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

/// Faces whose normals make a smaller cosine with the normal of the contact are seen edge-on.
constexpr double kEdgeOn = 1e-6;
/// Corners that stand for a rim.
constexpr int kRimCorners = 16;
/// Cosines between the axis and the normal from which the end of a cylinder begins to count, and
/// from which it alone does.
constexpr double kSideOnly = 0.5, kEndOnly = 0.87;

/// 0 up to 0, 1 from 1, smooth between.
double smooth_step(double value) {
  const double t = std::clamp(value, 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

}  // namespace

Surfaces::Surfaces(const ShapePose& shape, const Matrix3& axes, double outwards, double slab) {
  if (Polyhedron::is_one(shape.type)) {
    add_faces(Polyhedron(shape), axes, outwards, slab);
  } else if (shape.type == CollisionType::capsule) {
    add_line(shape, axes, outwards, 1.0);
  } else {
    const double along = std::abs(shape.rotation.col(2).dot(axes.col(2)));
    const double end = smooth_step((along - kSideOnly) / (kEndOnly - kSideOnly));
    if (end > 0.0) add_end(shape, axes, outwards, end);
    if (end < 1.0) add_line(shape, axes, outwards, 1.0 - end);
  }
}

void Surfaces::add_faces(const Polyhedron& body, const Matrix3& axes, double outwards,
                         double slab) {
  Surface& surface = add();
  const Vector3 out = outwards * axes.col(2);
  const double top = out.dot(body.corner(body.farthest(out)));
  for (int number = 0; number < body.face_count(); ++number) {
    const Vector3 normal = body.normal(number);
    if (!(normal.dot(out) > kEdgeOn) || surface.count == Surface::kMostPieces) continue;
    const auto& corners = body.face(number).corners;
    double reach = -std::numeric_limits<double>::infinity();
    for (const int corner : corners) reach = std::max(reach, out.dot(body.corner(corner)));
    if (reach < top - slab) continue;
    SurfacePiece& piece = surface.add();
    // of a face with more corners some stand for all
    const std::size_t step =
        (corners.size() + SurfacePiece::kMostCorners - 1) / SurfacePiece::kMostCorners;
    for (std::size_t i = 0; i < corners.size(); i += step) {
      piece.add(axes.transpose() * body.corner(corners[i]));
    }
    piece.lay_plane(axes.transpose() * normal);
  }
}

void Surfaces::add_end(const ShapePose& cylinder, const Matrix3& axes, double outwards,
                       double share) {
  Surface& surface = add();
  surface.share = share;
  SurfacePiece& piece = surface.add();
  const Vector3 out = outwards * axes.col(2), axis = cylinder.rotation.col(2);
  const double side = axis.dot(out) < 0.0 ? -1.0 : 1.0;
  const Vector3 center = cylinder.position + side * 0.5 * cylinder.size.y() * axis;
  // one corner is the farthest point of the rim
  const Vector3 first = farthest_point(cylinder, out) - center;
  const Vector3 second = axis.cross(first);
  for (int i = 0; i < kRimCorners; ++i) {
    const double angle = 2.0 * kPi * i / kRimCorners;
    piece.add(axes.transpose() * (center + std::cos(angle) * first + std::sin(angle) * second));
  }
  piece.lay_plane(axes.transpose() * (side * axis));
  piece.is_round = true;
  piece.end.center = (axes.transpose() * center).head<2>();
  for (int k = 0; k < 2; ++k) {
    const Vector3 own = cylinder.size.x() * cylinder.rotation.col(k);
    piece.end.rim.col(k) = (axes.transpose() * own).head<2>();
  }
  if (piece.end.rim.determinant() < 0.0) piece.end.rim.col(1) *= -1.0;
}

void Surfaces::add_line(const ShapePose& shape, const Matrix3& axes, double outwards,
                        double share) {
  Surface& surface = add();
  surface.share = share;
  surface.is_line = true;
  surface.is_capsule = shape.type == CollisionType::capsule;
  surface.radius = shape.size.x();
  SurfacePiece& piece = surface.add();
  const Vector3 out = outwards * axes.col(2), axis = shape.rotation.col(2);
  Vector3 reach = shape.size.x() * out;
  if (shape.type == CollisionType::cylinder) {
    const Vector3 end = std::copysign(0.5 * shape.size.y(), axis.dot(out)) * axis;
    reach = farthest_point(shape, out) - shape.position - end;
  }
  for (const double side : {-0.5, 0.5}) {
    piece.add(axes.transpose() * (shape.position + side * shape.size.y() * axis + reach));
  }
}

namespace {

/// Where a line lies beside a place 0 ≤ t ≤ 1 of another one: t + change s.
struct Beside {
  double t = 0.5, change = 0.0;
};

/// How much the depth falls beyond a place of the other line, as a function of t.
struct Fall {
  double from = 0.0, slope = 0.0;
};

LineProfile beside_line(const Surface& line, const Surface& other, double side, const Beside& at,
                        const Fall& fall) {
  LineProfile profile;
  const double radii = line.radius + other.radius;
  profile.from = line.pieces[0].corners[0];
  profile.along = line.pieces[0].corners[1] - profile.from;
  profile.side = side;
  const Vector3 beside = other.pieces[0].corners[1] - other.pieces[0].corners[0];
  const Vector3 apart = profile.from - other.pieces[0].corners[0] - at.t * beside;
  const Vector3 change = profile.along - at.change * beside;
  profile.across = -0.5 * apart.head<2>();
  profile.across_change = -0.5 * change.head<2>();
  profile.depth = side * apart.z() - 0.5 * apart.head<2>().squaredNorm() / radii -
                  fall.slope * (at.t - fall.from);
  profile.slope =
      side * change.z() - apart.head<2>().dot(change.head<2>()) / radii - fall.slope * at.change;
  profile.bend = 0.5 * change.head<2>().squaredNorm() / radii;
  return profile;
}

}  // namespace

void Interval::cut(double offset, double slope, double bend) {
  if (!(bend > 0.0)) {
    cut(offset, slope);
    return;
  }
  const double root = slope * slope + 4.0 * bend * offset;
  const double q = 0.5 * (slope + std::copysign(std::sqrt(std::max(0.0, root)), slope));
  const double one = q / bend, two = q != 0.0 ? -offset / q : one;
  low = std::max(low, std::min(one, two));
  high = root > 0.0 ? std::min(high, std::max(one, two)) : low - 1.0;
}

Vector3 LineProfile::place(double s) const {
  Vector3 place = from + s * along;
  place.head<2>() += across + s * across_change;
  place.z() -= 0.5 * side * at(s);
  return place;
}

double LineProfile::deepest() const {
  const double far = slope > 0.0 ? over.high : over.low;
  return bend > 0.0 ? std::clamp(0.5 * slope / bend, over.low, over.high) : far;
}

Interval LineProfile::inside() const {
  Interval part = over;
  part.cut(depth, slope, bend);
  return part;
}

LineProfile over_face(const SurfacePiece& line, const SurfacePiece& face, double side) {
  LineProfile profile;
  profile.from = line.corners[0];
  profile.along = line.corners[1] - line.corners[0];
  profile.side = side;
  const Vector2 from = profile.from.head<2>(), along = profile.along.head<2>();
  if (face.is_round) {
    const Eigen::Matrix2d to_circle = face.end.rim.inverse();
    const Vector2 start = to_circle * (from - face.end.center), way = to_circle * along;
    profile.over.cut(1.0 - start.squaredNorm(), -2.0 * start.dot(way), way.squaredNorm());
  } else {
    const Polygon rim = polygon_of(face);
    for (int i = 0; i < rim.count; ++i) {
      const HalfPlane inside(rim.at(i), rim.at(i + 1));
      profile.over.cut(inside.offset + inside.gradient.dot(from), inside.gradient.dot(along));
    }
  }
  profile.depth = side * (profile.from.z() - face.height - face.slope.dot(from));
  profile.slope = side * (profile.along.z() - face.slope.dot(along));
  return profile;
}

std::array<LineProfile, 3> over_line(const Surface& line, const Surface& other, double side) {
  const SurfacePiece &own = line.pieces[0], &far = other.pieces[0];
  const Vector3 along = own.corners[1] - own.corners[0];
  const Vector3 beside = far.corners[1] - far.corners[0];
  const double square = beside.head<2>().squaredNorm();
  Beside at;
  if (square > 0.0) {
    at.t = beside.head<2>().dot((own.corners[0] - far.corners[0]).head<2>()) / square;
    at.change = beside.head<2>().dot(along.head<2>()) / square;
  }
  std::array<LineProfile, 3> profiles;
  profiles[0] = beside_line(line, other, side, at, {});
  profiles[0].over.cut(at.t, at.change);
  profiles[0].over.cut(1.0 - at.t, -at.change);
  for (const int end : {0, 1}) {
    LineProfile& beyond = profiles[static_cast<std::size_t>(1 + end)];
    // the end of a cylinder is seen where the line comes nearest to the other shape
    const double rise = end == 0 ? -beside.z() : beside.z();
    const bool is_seen = -side * rise > 0.0;
    if (other.is_capsule) {
      beyond = beside_line(line, other, side, {static_cast<double>(end), 0.0}, {});
    } else if (is_seen) {
      const double slope = std::abs(beside.z()) + square / std::abs(beside.z());
      const double sign = end == 0 ? -1.0 : 1.0;
      beyond = beside_line(line, other, side, at, {static_cast<double>(end), sign * slope});
    } else {
      beyond.over.high = -1.0;
    }
    if (end == 0) {
      beyond.over.cut(-at.t, -at.change);
    } else {
      beyond.over.cut(at.t - 1.0, at.change);
    }
  }
  return profiles;
}

}  // namespace spacedyn
