/// @file
/// Rims of cylinders against axes, balls and each other.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "spacedyn/collision/contact_geometry.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Least value of |d + s a − t b|² + ε (s² + t²) over |s| ≤ A, |t| ≤ B.
struct AxisPair {
  /// Draws the nearest points of two axes towards the centres, so that they are unique and
  /// continuous where the axes become parallel; the distance counts as larger by half of it times
  /// s²/distance.
  static constexpr double kParallel = 1e-9;

  Vector3 d, a, b;
  double most_s, most_t;

  AxisPair(const ShapePose& first, const ShapePose& second)
      : d(first.position - second.position),
        a(first.rotation.col(2)),
        b(second.rotation.col(2)),
        most_s(0.5 * first.size.y()),
        most_t(0.5 * second.size.y()) {}

  Vector3 difference(double s, double t) const { return d + s * a - t * b; }
  double value(double s, double t) const {
    return difference(s, t).squaredNorm() + kParallel * (s * s + t * t);
  }
  std::pair<double, double> nearest() const;

  /// Changes of s and t at a least value, from those that the right-hand sides of its conditions
  /// (1 + ε) s − a·b t = −a·d and (1 + ε) t − a·b s = b·d undergo; none beyond the ends.
  template <typename Row>
  void solve(double s, double t, Row& by_s, Row& by_t) const {
    const double cosine = a.dot(b), own = 1.0 + kParallel;
    const bool s_held = std::abs(s) >= most_s, t_held = std::abs(t) >= most_t;
    const Row right_s = by_s, right_t = by_t;
    if (s_held || t_held) {
      by_s = s_held ? Row(Row::Zero()) : Row(right_s / own);
      by_t = t_held ? Row(Row::Zero()) : Row(right_t / own);
      return;
    }
    const double determinant = own * own - cosine * cosine;
    by_s = (own * right_s + cosine * right_t) / determinant;
    by_t = (own * right_t + cosine * right_s) / determinant;
  }

 private:
  double best_s(double t) const;
  double best_t(double s) const;
};

/// A point on a rim, by quarters of a turn from the lowest one. With s the sine between axis and
/// normal, depths are that of the centre of the end and r s (1, 0, −1, 0): smooth where the
/// cylinder stands upright, though the lowest point jumps there.
struct RimPoint {
  /// Four points on the rim of each end.
  static constexpr int kEach = 4;
  /// Sine between axis and normal below which no point is the lowest.
  static constexpr double kUpright = 1e-12;

  Vector3 axis, arm;    // arm: to the centre of the end
  SurfacePoint ground;  // below that
  Vector3 across;       // part of the normal that is square to the axis
  Vector3 down;         // towards the lowest point
  bool is_beside;       // at 90° or 270°
  double sign;          // of the direction below

  RimPoint(const ShapePose& cylinder, int number, const Terrain& terrain)
      : axis(cylinder.rotation.col(2)),
        arm((number < kEach ? -0.5 : 0.5) * cylinder.size.y() * axis),
        ground(terrain.nearest(cylinder.position + arm)),
        across(ground.normal - ground.normal.dot(axis) * axis),
        down(is_upright() ? Vector3(cylinder.rotation.col(0)) : Vector3(-across.normalized())),
        is_beside(number % 2 == 1),
        sign(number % kEach < 2 ? 1.0 : -1.0) {}

  bool is_upright() const { return !(across.norm() > kUpright); }
  /// Whether it is a lowest point whose axis is nearer to the ground's tangent than to its normal:
  /// by 60° at least.
  bool is_lying() const { return !is_beside && sign > 0.0 && across.norm() >= 0.5; }
  Vector3 direction() const { return sign * (is_beside ? Vector3(axis.cross(down)) : down); }
};

/// The ball about a point of the axis that touches a rim of the radius r where the ground touches
/// it. With n the normal at the ground nearest to that point and s the sine between axis x and n it
/// is at τ x from the centre of the rim,
///
///     τ = r (n·x)/s,   radius r/s,   depth = r/s − distance,
///
/// so the depth is that of the least motion that parts rim and ground, and changes with −n·v of the
/// rim's material point there; nothing is looked for inside the ground, where normals jump.
struct RimBall {
  double shift = 0.0;  // τ
  double sine = 1.0;   // s
  Vector3 center;
  SurfacePoint ground;  // nearest to the centre

  /// @param end  centre of the rim, whose nearest ground @p rim knows
  RimBall(const RimPoint& rim, const Vector3& end, double radius, const Terrain& terrain);

  double radius(double of_rim) const { return of_rim / sine; }
  ContactPoint contact(double of_rim) const {
    const double own = radius(of_rim);
    return {own - ground.distance, ground.normal, center - own * ground.normal};
  }
};

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

  double gap(const Vector3& m) const {
    double value = offset.dot(m);
    for (int i = 0; i < count; ++i) {
      const Rim& rim = rims[static_cast<std::size_t>(i)];
      value -= rim.radius * (m - rim.axis.dot(m) * rim.axis).norm();
    }
    return value;
  }
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

/// Directions across a line, by the angle from one of them.
struct Fan {
  Vector3 from, beside;

  Fan(const Vector3& first, const Vector3& line) : from(first), beside(line.cross(first)) {}
  Vector3 at(double angle) const { return std::cos(angle) * from + std::sin(angle) * beside; }
  double angle_of(const Vector3& n) const { return std::atan2(beside.dot(n), from.dot(n)); }
};

/// Climbs by Newton's method to a direction where the gap is largest, or stationary.
Vector3 stationary(const Rims& rims, Vector3 n);

/// Next to the axis of one of two rims, where the gap is pointed like a cone: the way on which it
/// becomes larger, if there is one.
/// @param side  of the axis, ±1
std::optional<Vector3> beside_axis(const Rims& rims, std::size_t rim, double side);

/// Where the gap is largest in a range of a fan: next to an angle by Newton's method, which halves
/// the range where it would leave it.
Vector3 largest(const Rims& rims, const Fan& fan, double angle, double low, double high);

}  // namespace spacedyn
