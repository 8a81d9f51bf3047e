#include "collision/line_profile.hpp"

#include <cmath>

#include "collision/outline.hpp"

namespace spacedyn {
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
