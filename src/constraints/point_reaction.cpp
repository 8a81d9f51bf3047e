#include "constraints/point_reaction.hpp"

#include <algorithm>
#include <cmath>

#include "math/decompositions.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

using Vector2 = Eigen::Vector2d;

/// Part of a response below which loops or prescribed motion hold a point.
constexpr double kNoResponse = 1e-10;

/// Directions of sliding that are tried for one point.
constexpr int kDirections = 96;
constexpr int kDirectionHalvings = 60;

/// One point that slides: its normal reaction and what is left across the direction.
struct SlidingTrial {
  double normal = 0.0;
  double across = 0.0, along = 0.0;  // of w_t
  Vector2 direction;

  SlidingTrial(const Matrix3& G, const Vector3& free, double friction, double least, double angle)
      : direction(std::cos(angle), std::sin(angle)) {
    const double response = G(0, 0) - friction * G.block<1, 2>(0, 1).dot(direction);
    normal = response > kNoResponse * G(0, 0) ? std::max(least, -free(0) / response) : -1.0;
    const Vector2 w = free.tail<2>() +
                      normal * (G.block<2, 1>(1, 0) - friction * G.block<2, 2>(1, 1) * direction);
    across = direction.x() * w.y() - direction.y() * w.x();
    along = direction.dot(w);
  }
  bool is_usable() const { return normal >= 0.0; }
};

/// The reaction of a point that slides, found by its direction; zero if there is none.
Vector3 sliding_reaction(const Matrix3& G, const Vector3& free, double friction, double least) {
  const auto trial = [&](double angle) { return SlidingTrial(G, free, friction, least, angle); };
  const double part = 2.0 * kPi / kDirections;
  const double start = std::atan2(free(2), free(1)) - 0.5 * part;
  Vector3 reaction = Vector3::Zero();
  for (int i = 0; i < kDirections; ++i) {
    // from the direction without reactions to both sides
    const int distance = (i + 1) / 2;
    const double left = start + part * (i % 2 == 0 ? distance : -distance);
    double a = left, b = left + part;
    const SlidingTrial at_a = trial(a), at_b = trial(b);
    const bool crosses = (at_a.across >= 0.0) != (at_b.across >= 0.0);
    if (!crosses || !at_a.is_usable() || !at_b.is_usable()) continue;
    if (!(at_a.along > 0.0 || at_b.along > 0.0)) continue;
    for (int k = 0; k < kDirectionHalvings; ++k) {
      const double middle = 0.5 * (a + b);
      ((trial(middle).across >= 0.0) == (at_a.across >= 0.0) ? a : b) = middle;
    }
    const SlidingTrial found = trial(0.5 * (a + b));
    if (!(found.along >= 0.0) || !found.is_usable()) continue;
    reaction(0) = found.normal;
    reaction.tail<2>() = -friction * found.normal * found.direction;
    return reaction;
  }
  return reaction;
}

/// −G⁻¹ w; where a point does not move along some direction, without a part there.
Vector3 sticking_reaction(const Matrix3& G, const Vector3& free) {
  const PrincipalAxes parts = principal_axes(G);
  Vector3 reaction = Vector3::Zero();
  for (int i = 0; i < 3; ++i) {
    const double response = parts.moments(i);
    if (!(response > kNoResponse * parts.moments(2))) continue;
    const Vector3 axis = parts.axes.col(i);
    reaction -= axis.dot(free) / response * axis;
  }
  return reaction;
}

}  // namespace

Vector3 point_reaction(const Matrix3& G, const Vector3& free, double friction, double least) {
  if (least == 0.0 && free(0) >= 0.0) return Vector3::Zero();
  Vector3 stick = sticking_reaction(G, free);
  if (stick(0) >= least && stick.tail<2>().norm() <= friction * stick(0)) return stick;
  Vector3 slide = sliding_reaction(G, free, friction, least);
  if (slide(0) > 0.0 || least == 0.0) return slide;
  // no direction: it sticks at the least reaction
  Vector3 held(least, 0.0, 0.0);
  const double response = G.block<2, 2>(1, 1).trace();
  const Vector2 w = free.tail<2>() + least * G.block<2, 1>(1, 0);
  if (response > 0.0) held.tail<2>() = clip(-w / response, friction * least);
  return held;
}

}  // namespace spacedyn
