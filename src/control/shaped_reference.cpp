#include "spacedyn/control/shaped_reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "control/reference_checks.hpp"
#include "spacedyn/control/reference.hpp"
#include "spacedyn/control/two_impulse_reference.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

/// @throws DomainError unless 0 ≤ value < 1.
void check_below_one(const std::string& name, double value) {
  if (value >= 0.0 && value < 1.0) return;
  throw DomainError(name + " must be at least 0 and below 1");
}

}  // namespace

std::vector<ShaperImpulse> shaper_impulses(Shaper shaper, const ShapedMode& mode) {
  check_positive("frequency", mode.frequency);
  check_below_one("damping_ratio", mode.damping_ratio);
  check_below_one("vibration", mode.vibration);
  const double root = std::sqrt(1.0 - mode.damping_ratio * mode.damping_ratio);
  const double K = std::exp(-kPi * mode.damping_ratio / root);
  const double T = 1.0 / (mode.frequency * root);
  const double V = mode.vibration;
  std::vector<ShaperImpulse> impulses;
  switch (shaper) {
    case Shaper::zv:
      impulses = {{1.0, 0.0}, {K, 0.5 * T}};
      break;
    case Shaper::zvd:
      impulses = {{1.0, 0.0}, {2.0 * K, 0.5 * T}, {K * K, T}};
      break;
    case Shaper::ei:
      impulses = {{1.0 + V, 0.0}, {2.0 * (1.0 - V) * K, 0.5 * T}, {(1.0 + V) * K * K, T}};
      break;
  }
  double sum = 0.0;
  for (const ShaperImpulse& impulse : impulses) sum += impulse.share;
  for (ShaperImpulse& impulse : impulses) impulse.share /= sum;
  return impulses;
}

ShapedReference::ShapedReference(std::shared_ptr<const Reference> reference, Shaper shaper,
                                 const std::vector<ShapedMode>& modes)
    : reference_(std::move(reference)) {
  if (reference_ == nullptr) throw DomainError("a shaped reference needs a reference");
  check_same_size("modes", static_cast<Eigen::Index>(modes.size()), reference_->size());
  reference_->append_discontinuities(breaks_);
  std::sort(breaks_.begin(), breaks_.end());
  breaks_.erase(std::unique(breaks_.begin(), breaks_.end()), breaks_.end());
  for (const ShapedMode& mode : modes) {
    std::vector<DelayedCopy>& copies = copies_.emplace_back();
    for (const ShaperImpulse& impulse : shaper_impulses(shaper, mode)) {
      copies.push_back({impulse, breaks_});
      for (double& time : copies.back().breaks) time += impulse.delay;
    }
  }
}

double ShapedReference::DelayedCopy::source_time(double time,
                                                 const std::vector<double>& source_breaks) const {
  const auto passed = std::upper_bound(breaks.begin(), breaks.end(), time) - breaks.begin();
  double source = time - impulse.delay;
  if (passed > 0) source = std::max(source, source_breaks[static_cast<std::size_t>(passed - 1)]);
  if (passed < static_cast<std::ptrdiff_t>(source_breaks.size())) {
    const double next = source_breaks[static_cast<std::size_t>(passed)];
    source = std::min(source, std::nextafter(next, -std::numeric_limits<double>::infinity()));
  }
  return source;
}

ReferenceValue ShapedReference::evaluate(int component, double time) const {
  const std::vector<DelayedCopy>& copies = copies_[static_cast<std::size_t>(component)];
  const auto value_of = [&](const DelayedCopy& copy) {
    return reference_->evaluate(component, copy.source_time(time, breaks_));
  };
  // shares add up to 1, so differences to the first copy are exactly zero where all copies rest
  const ReferenceValue first = value_of(copies.front());
  ReferenceValue sum = first;
  for (std::size_t k = 1; k < copies.size(); ++k) {
    const double share = copies[k].impulse.share;
    const ReferenceValue value = value_of(copies[k]);
    sum.position += share * (value.position - first.position);
    sum.velocity += share * (value.velocity - first.velocity);
    sum.acceleration += share * (value.acceleration - first.acceleration);
  }
  return sum;
}

void ShapedReference::append_discontinuities(std::vector<double>& times) const {
  for (const std::vector<DelayedCopy>& copies : copies_) {
    for (const DelayedCopy& copy : copies) {
      times.insert(times.end(), copy.breaks.begin(), copy.breaks.end());
    }
  }
}

namespace {

/// Where the acceleration jumps: one source for evaluations and for the steps that land there.
struct Instants {
  Instants(double from_time, double ramp, double cruise)
      : ramp_end(from_time + ramp),
        cruise_end(cruise > 0.0 ? from_time + (ramp + cruise) : ramp_end),
        end(from_time + (2.0 * ramp + cruise)) {}

  double ramp_end, cruise_end, end;
};

}  // namespace

TrapezoidReference::TrapezoidReference(VectorX from, VectorX to, double from_time, VectorX velocity,
                                       VectorX acceleration)
    : from_(std::move(from)),
      to_(std::move(to)),
      from_time_(from_time),
      ramp_time_(from_.size()),
      cruise_time_(from_.size()),
      acceleration_(from_.size()) {
  check_same_size("to", to_.size(), from_.size());
  check_same_size("velocity", velocity.size(), from_.size());
  check_same_size("acceleration", acceleration.size(), from_.size());
  check_finite("from", from_);
  check_finite("to", to_);
  check_finite("from_time", from_time_);
  check_positive("velocity", velocity);
  check_positive("acceleration", acceleration);

  for (Eigen::Index i = 0; i < from_.size(); ++i) {
    const double distance = std::abs(to_(i) - from_(i));
    // the velocity limit is reached only on the way of two full ramps
    const double full_ramps = velocity(i) * velocity(i) / acceleration(i);
    const bool cruises = distance > full_ramps;
    ramp_time_(i) = cruises ? velocity(i) / acceleration(i) : std::sqrt(distance / acceleration(i));
    cruise_time_(i) = cruises ? (distance - full_ramps) / velocity(i) : 0.0;
    acceleration_(i) = std::copysign(acceleration(i), to_(i) - from_(i));
  }
}

ReferenceValue TrapezoidReference::evaluate(int component, double time) const {
  const double ramp = ramp_time_(component);
  const Instants at(from_time_, ramp, cruise_time_(component));
  if (time < from_time_) return {from_(component), 0.0, 0.0};
  if (time >= at.end) return {to_(component), 0.0, 0.0};
  const double a = acceleration_(component);
  const double since = time - from_time_;
  if (time < at.ramp_end) return {from_(component) + 0.5 * a * since * since, a * since, a};
  if (time < at.cruise_end) {
    return {from_(component) + a * ramp * (since - 0.5 * ramp), a * ramp, 0.0};
  }
  const double left = at.end - time;
  return {to_(component) - 0.5 * a * left * left, a * left, -a};
}

void TrapezoidReference::append_discontinuities(std::vector<double>& times) const {
  for (int i = 0; i < size(); ++i) {
    if (ramp_time_(i) == 0.0) continue;
    const Instants at(from_time_, ramp_time_(i), cruise_time_(i));
    times.push_back(from_time_);
    times.push_back(at.ramp_end);
    if (at.cruise_end > at.ramp_end) times.push_back(at.cruise_end);
    times.push_back(at.end);
  }
}

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
