#include "collision/rims.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Eigenvalues>

namespace spacedyn {
namespace {

constexpr int kMostRimSteps = 60;
/// Of the shift, as a share of the radius.
constexpr double kRimSettled = 4e-15;
/// The least sine that counts: the ball stays within 1.8 radii of the rim's centre.
constexpr double kLeastSine = 0.48;

/// Newton's method gives up after so many steps; four to six are enough, but where it has to halve.
constexpr int kSteps = 20, kMostHalvings = 60;
/// Steps of it, rad; after one shorter than the second the next is rounding.
constexpr double kLongestStep = 0.3, kConverged = 1e-8;
/// From an axis, rad, where a climb begins that leaves it.
constexpr double kBesideAxis = 1e-3;
/// A step that does not lead uphill is shortened so often, then there is none.
constexpr int kMostShortenings = 6;
constexpr double kShortening = 0.25;
/// Of a gap, in parts of the lengths it is the sum of.
constexpr double kRounding = 1e-15;

}  // namespace

double AxisPair::best_s(double t) const {
  return std::clamp(a.dot(t * b - d) / (1.0 + kParallel), -most_s, most_s);
}

double AxisPair::best_t(double s) const {
  return std::clamp(b.dot(d + s * a) / (1.0 + kParallel), -most_t, most_t);
}

std::pair<double, double> AxisPair::nearest() const {
  const double cosine = a.dot(b), own = 1.0 + kParallel;
  const double determinant = own * own - cosine * cosine;
  const double s = (cosine * b.dot(d) - own * a.dot(d)) / determinant;
  const double t = (own * b.dot(d) - cosine * a.dot(d)) / determinant;
  if (std::abs(s) <= most_s && std::abs(t) <= most_t) return {s, t};
  const std::array<std::pair<double, double>, 4> edges{{{-most_s, best_t(-most_s)},
                                                        {most_s, best_t(most_s)},
                                                        {best_s(-most_t), -most_t},
                                                        {best_s(most_t), most_t}}};
  return *std::min_element(edges.begin(), edges.end(), [this](const auto& x, const auto& y) {
    return value(x.first, x.second) < value(y.first, y.second);
  });
}

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

Vector3 stationary(const Rims& rims, Vector3 n) {
  const double rounding =
      kRounding * (rims.offset.norm() + rims.rims[0].radius + rims.rims[1].radius);
  for (int step = 0; step < kSteps; ++step) {
    Vector3 gradient;
    Matrix3 hessian;
    const double gap = rims.gap(n, gradient, hessian);
    const Vector3 first = n.unitOrthogonal(), second = n.cross(first);
    Eigen::Matrix2d curvature;
    curvature << first.dot(hessian * first) - gap, first.dot(hessian * second),
        second.dot(hessian * first), second.dot(hessian * second) - gap;
    // uphill, also where the gap is curved upwards
    Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> curves;
    curves.computeDirect(curvature);
    const Eigen::Vector2d slope(gradient.dot(first), gradient.dot(second));
    const Eigen::Vector2d move =
        curves.eigenvectors() *
        (curves.eigenvectors().transpose() * slope).cwiseQuotient(curves.eigenvalues().cwiseAbs());
    Vector3 change = move.x() * first + move.y() * second;
    const double size = change.norm();
    if (!std::isfinite(size)) return n;
    if (size > kLongestStep) change *= kLongestStep / size;
    Vector3 next = (n + change).normalized();
    for (int i = 0; rims.gap(next) < gap - rounding; ++i) {
      if (i == kMostShortenings) return n;
      change *= kShortening;
      next = (n + change).normalized();
    }
    n = next;
    if (size < kConverged) break;
  }
  return n;
}

std::optional<Vector3> beside_axis(const Rims& rims, std::size_t rim, double side) {
  const Rims::Rim &own = rims.rims[rim], &other = rims.rims[1 - rim];
  const Vector3 out = own.axis - other.axis.dot(own.axis) * other.axis;
  Vector3 slope = rims.offset;
  if (out.norm() > 0.0) slope -= side * other.radius * out.normalized();
  slope -= own.axis.dot(slope) * own.axis;
  const double size = slope.norm();
  if (!(size > own.radius)) return std::nullopt;
  return (side * own.axis + kBesideAxis / size * slope).normalized();
}

Vector3 largest(const Rims& rims, const Fan& fan, double angle, double low, double high) {
  double slope = 0.0, curvature = 0.0;
  const auto look = [&](double at) {
    const Vector3 turned = std::cos(at) * fan.beside - std::sin(at) * fan.from;
    Vector3 gradient;
    Matrix3 hessian;
    const double gap = rims.gap(fan.at(at), gradient, hessian);
    slope = gradient.dot(turned);
    curvature = turned.dot(hessian * turned) - gap;
    return slope;
  };
  if (!(look(low) > 0.0)) return fan.at(low);
  if (!(look(high) < 0.0)) return fan.at(high);
  for (int step = 0; step < kMostHalvings; ++step) {
    (look(angle) > 0.0 ? low : high) = angle;
    const double newton = angle - slope / curvature;
    const bool is_inside = newton > low && newton < high;
    const double next = is_inside ? newton : 0.5 * (low + high);
    const double move = std::abs(next - angle);
    angle = next;
    if (is_inside && move < kConverged) break;
  }
  return fan.at(angle);
}

}  // namespace spacedyn
