#include "spacedyn/control/two_impulse_reference.hpp"

#include <algorithm>
#include <cmath>

#include "control/reference_checks.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// Least determinants of a transfer, of that in the plane over τ.
constexpr double kLeastDeterminant = 1e-3;

/// 1 − cos x without cancellation.
double one_minus_cos(double x) {
  const double half = std::sin(0.5 * x);
  return 2.0 * half * half;
}

double transfer_determinant(double turn) {
  return 8.0 * one_minus_cos(turn) - 3.0 * turn * std::sin(turn);
}

}  // namespace

bool TwoImpulseReference::is_singular(const Vector3& from, const Vector3& to, double duration,
                                      double rate) {
  const double turn = rate * duration, s = std::sin(turn);
  if (std::abs(transfer_determinant(turn)) < kLeastDeterminant * turn * std::min(turn, 1.0))
    return true;
  const double missed = std::abs(to.z() - std::cos(turn) * from.z());
  const bool crosses = std::abs(s) < kLeastDeterminant * std::min(turn, 1.0);
  return crosses && missed > 1e-12 * (from.norm() + to.norm());
}

TwoImpulseReference::TwoImpulseReference(const Vector3& from, const Vector3& to, double from_time,
                                         double duration, double rate)
    : from_(from), to_(to), from_time_(from_time), duration_(duration), rate_(rate) {
  check_finite("from", from_);
  check_finite("to", to_);
  check_finite("from_time", from_time_);
  check_positive("duration", duration_);
  check_positive("rate", rate_);
  if (is_singular(from_, to_, duration_, rate_)) {
    throw DomainError("two impulses do not lead there in the duration, whose turn n t is singular");
  }
  const double turn = rate_ * duration_, s = std::sin(turn), versed = one_minus_cos(turn);
  const double x = to_.x() - (1.0 + 3.0 * versed) * from_.x();
  const double y = to_.y() - from_.y() - 6.0 * (s - turn) * from_.x();
  const double z = to_.z() - (1.0 - versed) * from_.z();
  const double scale = rate_ / transfer_determinant(turn);
  departure_.x() = scale * ((4.0 * s - 3.0 * turn) * x - 2.0 * versed * y);
  departure_.y() = scale * (2.0 * versed * x + s * y);
  // where half revolutions lead there anyway, no velocity is needed
  const bool crosses = std::abs(s) < kLeastDeterminant * std::min(turn, 1.0);
  departure_.z() = crosses ? 0.0 : rate_ * z / s;
}

ReferenceValue TwoImpulseReference::drift(int component, double since) const {
  const double n = rate_, turn = n * since, s = std::sin(turn), c = std::cos(turn);
  const double versed = one_minus_cos(turn);
  const Vector3& v = departure_;
  if (component == 2) {
    const double z = c * from_.z() + s * v.z() / n;
    return {z, -n * s * from_.z() + c * v.z(), -n * n * z};
  }
  const double x = (1.0 + 3.0 * versed) * from_.x() + (s * v.x() + 2.0 * versed * v.y()) / n;
  const double v_x = 3.0 * n * s * from_.x() + c * v.x() + 2.0 * s * v.y();
  const double v_y = -6.0 * n * versed * from_.x() - 2.0 * s * v.x() + (4.0 * c - 3.0) * v.y();
  if (component == 0) return {x, v_x, n * (3.0 * n * x + 2.0 * v_y)};
  const double y = from_.y() + 6.0 * (s - turn) * from_.x() - 2.0 * versed * v.x() / n +
                   (4.0 * s - 3.0 * turn) * v.y() / n;
  return {y, v_y, -2.0 * n * v_x};
}

ReferenceValue TwoImpulseReference::evaluate(int component, double time) const {
  const double since = time - from_time_;
  if (since < 0.0) return {from_(component), 0.0, 0.0};
  if (since >= duration_) return {to_(component), 0.0, 0.0};
  return drift(component, since);
}

Vector3 TwoImpulseReference::arrival() const {
  return {-drift(0, duration_).velocity, -drift(1, duration_).velocity,
          -drift(2, duration_).velocity};
}

void TwoImpulseReference::append_discontinuities(std::vector<double>& times) const {
  times.push_back(from_time_);
  times.push_back(from_time_ + duration_);
}

}  // namespace spacedyn
