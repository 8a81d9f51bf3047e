#include "collision/rim_ball.hpp"

#include <algorithm>
#include <cmath>

namespace spacedyn {
namespace {

constexpr int kMostRimSteps = 60;
/// Of the shift, as a share of the radius.
constexpr double kRimSettled = 4e-15;
/// The least sine that counts: the ball stays within 1.8 radii of the rim's centre.
constexpr double kLeastSine = 0.48;

}  // namespace

/// Newton's method for τ − r (n·x)/s = 0, kept between the last points on either side of the root:
/// over convex ground that grows with τ, by 1 − r/s³ xᵀ(∂n/∂p)x.
RimBall::RimBall(const RimPoint& rim, const Vector3& end, double radius, const Terrain& terrain)
    : center(end), ground(rim.ground) {
  const Vector3& axis = rim.axis;
  const double most = radius * std::sqrt(1.0 - kLeastSine * kLeastSine) / kLeastSine;
  double low = -most, high = most;
  for (int i = 0; i < kMostRimSteps; ++i) {
    const double along = ground.normal.dot(axis);
    sine = std::max(kLeastSine, std::sqrt(std::max(0.0, 1.0 - along * along)));
    const double excess = shift - radius * along / sine;
    if (std::abs(excess) <= kRimSettled * radius) break;
    (excess > 0.0 ? high : low) = shift;
    const double slope =
        1.0 - radius / (sine * sine * sine) * axis.dot(ground.normal_gradient * axis);
    const double next = shift - excess / slope;
    shift = next > low && next < high ? next : 0.5 * (low + high);
    center = end + shift * axis;
    ground = terrain.nearest(center);
  }
}

}  // namespace spacedyn
