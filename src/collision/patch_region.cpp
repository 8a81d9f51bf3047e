#include "collision/patch_region.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

/// Regions whose area is a smaller part of the square of their size are nothing but roundings.
constexpr double kLeastArea = 1e-15;
/// rad; longer arcs are divided, so that six points of Gauss integrate them to rounding.
constexpr double kLongestArc = 0.5;
/// The positive half of the points of Gauss and their weights on [−1, 1].
constexpr std::array<double, 3> kPlaces{0.2386191860831969, 0.6612093864662645, 0.9324695142031521};
constexpr std::array<double, 3> kWeights{0.4679139345726910, 0.3607615730481386,
                                         0.1713244923791704};

/// The symmetric root of a matrix without negative eigenvalues.
Eigen::Matrix2d root_of(const Eigen::Matrix2d& m) {
  const double s = std::sqrt(std::max(0.0, m.determinant()));
  const double t = std::sqrt(std::max(0.0, m.trace() + 2.0 * s));
  if (!(t > 0.0)) return Eigen::Matrix2d::Zero();
  return (m + s * Eigen::Matrix2d::Identity()) / t;
}

/// A straight part of an outline inside the unit circle.
struct Chord {
  Vector2 from, to;
  double arc_before;  // along the circle since the chord before
};

/// What lies inside the unit circle of the edges of a polygon.
struct Chords {
  std::array<Chord, Polygon::kMost> chords;
  int count = 0;
  double open_arc = 0.0;  // since the last chord

  void skip(const Vector2& from, const Vector2& to) {
    open_arc += std::atan2(cross(from, to), from.dot(to));
  }
  void add_edge(const Vector2& from, const Vector2& to) {
    const Vector2 along = to - from;
    const double square = along.squaredNorm();
    if (!(square > 0.0)) return;
    const double nearest = -along.dot(from) / square;
    const double half = 1.0 - (from + nearest * along).squaredNorm();
    const double reach = half > 0.0 ? std::sqrt(half / square) : 0.0;
    const double low = std::max(0.0, nearest - reach), high = std::min(1.0, nearest + reach);
    if (!(high > low)) {
      skip(from, to);
      return;
    }
    const Vector2 enters = low > 0.0 ? Vector2(from + low * along) : from;
    const Vector2 leaves = high < 1.0 ? Vector2(from + high * along) : to;
    if (low > 0.0) skip(from, enters);
    chords[static_cast<std::size_t>(count++)] = {enters, leaves, open_arc};
    open_arc = 0.0;
    if (high < 1.0) skip(leaves, to);
  }
};

}  // namespace

Eigen::Matrix2d axes_along(const Vector2& direction) {
  const double size = direction.norm();
  const Vector2 first = size > 0.0 ? Vector2(direction / size) : Vector2::UnitX();
  Eigen::Matrix2d axes;
  axes << first.x(), -first.y(), first.y(), first.x();
  return axes;
}

OutlineMoments::OutlineMoments(const Vector2& reference, const Vector2& narrow)
    : reference_(reference), turn_(axes_along(narrow)) {}

void OutlineMoments::add_line(const Vector2& from, const Vector2& to) {
  const Vector2 a = turn_.transpose() * (from - reference_);
  const Vector2 b = turn_.transpose() * (to - reference_), sum = a + b;
  const double own = 0.5 * cross(a, b);
  area_ += own;
  first_ += own / 3.0 * sum;
  second_ += own / 12.0 * (a * a.transpose() + b * b.transpose() + sum * sum.transpose());
}

void OutlineMoments::add_arc(const Vector2& from, const Vector2& to, double angle) {
  if (std::abs(angle) > kLongestArc) {
    const int parts = static_cast<int>(std::abs(angle) / kLongestArc) + 1;
    const double each = angle / parts;
    Vector2 last = from;
    for (int i = 1; i <= parts; ++i) {
      const Vector2 next = i < parts ? Vector2(Eigen::Rotation2Dd(i * each) * from) : to;
      add_arc(last, next, each);
      last = next;
    }
    return;
  }
  add_line(from, to);
  const double half = 0.5 * (to - from).norm();
  if (!(half > 0.0)) return;
  // between chord and arc, from the middle of the chord
  const Vector2 along = turn_.transpose() * (to - from) / (2.0 * half);
  const Vector2 middle = turn_.transpose() * (0.5 * (from + to) - reference_);
  const double sign = angle < 0.0 ? -1.0 : 1.0;
  const Vector2 out = sign * Vector2(along.y(), -along.x());
  const double to_center = std::sqrt(std::max(0.0, 1.0 - half * half));
  double area = 0.0, first = 0.0, beside = 0.0, outwards = 0.0;
  for (std::size_t i = 0; i < kPlaces.size(); ++i) {
    const double s = half * kPlaces[i], weight = 2.0 * half * kWeights[i];
    const double height =
        (half * half - s * s) / (std::sqrt(std::max(0.0, 1.0 - s * s)) + to_center);
    area += weight * height;
    first += weight * height * height / 2.0;
    beside += weight * height * s * s;
    outwards += weight * height * height * height / 3.0;
  }
  area_ += sign * area;
  first_ += sign * (area * middle + first * out);
  second_ += sign * (area * middle * middle.transpose() +
                     first * (middle * out.transpose() + out * middle.transpose()) +
                     beside * along * along.transpose() + outwards * out * out.transpose());
}

PatchRegion region_of(const Polygon& polygon, const Vector2& gradient) {
  PatchRegion region;
  if (polygon.count < 3) return region;
  OutlineMoments moments(polygon.at(0), gradient);
  double size = 0.0;
  for (int i = 0; i < polygon.count; ++i) {
    moments.add_line(polygon.at(i), polygon.at(i + 1));
    size = std::max(size, (polygon.at(i) - polygon.at(0)).squaredNorm());
  }
  if (!(moments.area() > kLeastArea * size)) return region;
  const Eigen::Matrix2d turn = axes_along(gradient);
  region.area = moments.area();
  region.center = moments.center();
  region.spread = turn * root_of(2.0 * moments.variance()) * turn.transpose();
  return region;
}

PatchRegion region_of(const Polygon& polygon, const Vector2& gradient, const RoundEnd& end) {
  PatchRegion region;
  if (polygon.count < 3) return region;
  const Eigen::Matrix2d to_circle = end.rim.inverse();
  const auto place = [&](int i) { return Vector2(to_circle * (polygon.at(i) - end.center)); };
  Chords chords;
  for (int i = 0; i < polygon.count; ++i) chords.add_edge(place(i), place(i + 1));
  const Vector2 steepest = end.rim.transpose() * gradient;
  double area = kPi;
  Vector2 center = Vector2::Zero();
  Eigen::Matrix2d variance = 0.25 * Eigen::Matrix2d::Identity();
  if (chords.count == 0) {
    if (std::abs(chords.open_arc) < kPi) return region;  // the polygon is beside the circle
  } else {
    chords.chords[0].arc_before += chords.open_arc;
    OutlineMoments moments(chords.chords[0].from, steepest);
    Vector2 last = chords.chords[static_cast<std::size_t>(chords.count - 1)].to;
    for (int i = 0; i < chords.count; ++i) {
      const Chord& chord = chords.chords[static_cast<std::size_t>(i)];
      const double turned = std::atan2(cross(last, chord.from), last.dot(chord.from));
      const double rounds = std::round((chord.arc_before - turned) / (2.0 * kPi));
      if (chord.arc_before != 0.0) moments.add_arc(last, chord.from, turned + rounds * 2.0 * kPi);
      moments.add_line(chord.from, chord.to);
      last = chord.to;
    }
    area = moments.area();
    if (!(area > kLeastArea)) return region;
    center = moments.center();
    variance = moments.variance();
  }
  // the gradients along the first axis of both planes: the map between these is triangular
  const Eigen::Matrix2d turn = axes_along(gradient), own = axes_along(steepest);
  Eigen::Matrix2d map = turn.transpose() * end.rim * own;
  if (gradient.squaredNorm() > 0.0) map(0, 1) = 0.0;
  region.area = area * std::abs(end.rim.determinant());
  region.center = end.center + end.rim * center;
  region.spread = turn * root_of(2.0 * map * variance * map.transpose()) * turn.transpose();
  return region;
}

}  // namespace spacedyn
