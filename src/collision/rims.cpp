#include "collision/rims.hpp"

#include <algorithm>

#include <Eigen/LU>

namespace spacedyn {
namespace {

/// Newton's method gives up after so many steps; four to six are enough, but where it has to halve.
constexpr int kSteps = 20, kMostHalvings = 60;
/// Steps of it, rad; after one shorter than the second the next is rounding.
constexpr double kLongestStep = 0.3, kConverged = 1e-8;

}  // namespace

Vector3 stationary(const Rims& rims, Vector3 n) {
  for (int step = 0; step < kSteps; ++step) {
    Vector3 gradient;
    Matrix3 hessian;
    const double gap = rims.gap(n, gradient, hessian);
    const Vector3 first = n.unitOrthogonal(), second = n.cross(first);
    Eigen::Matrix2d curvature;
    curvature << first.dot(hessian * first) - gap, first.dot(hessian * second),
        second.dot(hessian * first), second.dot(hessian * second) - gap;
    const double determinant = curvature.determinant();
    if (!(std::abs(determinant) > 0.0)) return n;
    const Eigen::Vector2d slope(gradient.dot(first), gradient.dot(second));
    const Eigen::Vector2d move = -curvature.inverse() * slope;
    Vector3 change = move.x() * first + move.y() * second;
    const double size = change.norm();
    if (!std::isfinite(size)) return n;
    if (size > kLongestStep) change *= kLongestStep / size;
    n = (n + change).normalized();
    if (size < kConverged) break;
  }
  return n;
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
