#include "spacedyn/control/reference.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "control/reference_checks.hpp"
#include "spacedyn/control/harmonic_reference.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {

ReferenceValue Reference::at(int component, const Instant& now) const {
  return evaluate(component, now.time);
}

ReferenceComponent::ReferenceComponent(std::shared_ptr<const Reference> whole, int component)
    : whole_(std::move(whole)), component_(component) {
  if (whole_ == nullptr) throw DomainError("a component of a reference needs a reference");
  if (component_ < 0 || component_ >= whole_->size()) {
    throw DimensionError("the reference has " + std::to_string(whole_->size()) +
                         " components, none is number " + std::to_string(component_));
  }
}

ReferenceValue ReferenceComponent::evaluate(int, double time) const {
  return whole_->evaluate(component_, time);
}

ReferenceValue ReferenceComponent::at(int, const Instant& now) const {
  return whole_->at(component_, now);
}

ReferenceValue ConstantReference::evaluate(int component, double) const {
  return {position_(component), 0.0, 0.0};
}

QuinticReference::QuinticReference(VectorX from, VectorX to, double from_time, double duration)
    : from_(std::move(from)), to_(std::move(to)), from_time_(from_time), duration_(duration) {
  check_same_size("to", to_.size(), from_.size());
  check_finite("from", from_);
  check_finite("to", to_);
  check_finite("from_time", from_time_);
  check_positive("duration", duration_);
}

ReferenceValue QuinticReference::evaluate(int component, double time) const {
  if (time < from_time_) return {from_(component), 0.0, 0.0};
  if (time >= from_time_ + duration_) return {to_(component), 0.0, 0.0};
  const double s = std::min((time - from_time_) / duration_, 1.0);
  const double distance = to_(component) - from_(component);
  const double rest = 1.0 - s;
  return {from_(component) + distance * (s * s * s * (10.0 + s * (6.0 * s - 15.0))),
          distance / duration_ * (30.0 * s * s * rest * rest),
          distance / (duration_ * duration_) * (60.0 * s * rest * (rest - s))};
}

void QuinticReference::append_discontinuities(std::vector<double>& times) const {
  times.push_back(from_time_);
  times.push_back(from_time_ + duration_);
}

namespace {

std::string element(const std::string& name, Eigen::Index i) {
  return name + " " + std::to_string(i + 1);
}

}  // namespace

void check_same_size(const std::string& name, Eigen::Index size, Eigen::Index expected) {
  if (size == expected) return;
  throw DimensionError(name + " has " + std::to_string(size) + " components, expected " +
                       std::to_string(expected));
}

void check_finite(const std::string& name, ConstVectorRef values) {
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values(i))) throw DomainError(element(name, i) + " is not finite");
  }
}

void check_finite(const std::string& name, double value) {
  if (!std::isfinite(value)) throw DomainError(name + " is not finite");
}

void check_positive(const std::string& name, ConstVectorRef values) {
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (!(values(i) > 0.0) || std::isinf(values(i))) {
      throw DomainError(element(name, i) + " must be positive and finite");
    }
  }
}

void check_positive(const std::string& name, double value) {
  if (!(value > 0.0) || std::isinf(value)) {
    throw DomainError(name + " must be positive and finite");
  }
}

HarmonicReference::HarmonicReference(Oscillation oscillation, double from_time)
    : oscillation_(std::move(oscillation)), from_time_(from_time) {
  const Eigen::Index size = oscillation_.amplitude.size();
  check_same_size("frequency", oscillation_.frequency.size(), size);
  check_same_size("phase", oscillation_.phase.size(), size);
  check_same_size("offset", oscillation_.offset.size(), size);
  check_finite("amplitude", oscillation_.amplitude);
  check_positive("frequency", oscillation_.frequency);
  check_finite("phase", oscillation_.phase);
  check_finite("offset", oscillation_.offset);
  check_finite("from_time", from_time_);
}

ReferenceValue HarmonicReference::evaluate(int component, double time) const {
  const double amplitude = oscillation_.amplitude(component);
  const double phase = oscillation_.phase(component), offset = oscillation_.offset(component);
  if (time < from_time_) return {offset + amplitude * std::sin(phase), 0.0, 0.0};
  const double omega = 2.0 * kPi * oscillation_.frequency(component);
  const double angle = omega * (time - from_time_) + phase;
  const double swing = amplitude * std::sin(angle);
  return {offset + swing, amplitude * omega * std::cos(angle), -omega * omega * swing};
}

void HarmonicReference::append_discontinuities(std::vector<double>& times) const {
  times.push_back(from_time_);
}

bool HarmonicReference::starts_with_a_jump() const {
  constexpr double kRounding = 1e-12;  // of a phase of 90 deg
  for (Eigen::Index i = 0; i < oscillation_.phase.size(); ++i) {
    const double phase = oscillation_.phase(i);
    if (oscillation_.amplitude(i) != 0.0 && std::abs(std::cos(phase)) > kRounding) return true;
  }
  return false;
}

GlideslopeReference::GlideslopeReference(VectorX from, const VectorX& to, double from_time,
                                         double speed, double final_speed)
    : from_(std::move(from)),
      direction_(VectorX::Zero(from_.size())),
      from_time_(from_time),
      distance_(0.0),
      speed_(speed),
      rate_(0.0) {
  check_same_size("to", to.size(), from_.size());
  check_finite("from", from_);
  check_finite("to", to);
  check_finite("from_time", from_time_);
  check_positive("speed", speed);
  check_positive("final_speed", final_speed);
  distance_ = (to - from_).norm();
  if (distance_ == 0.0) return;
  direction_ = (to - from_) / distance_;
  rate_ = (speed - final_speed) / distance_;
  // ln(1 + x)/x · ρ_0/v_1, which is finite at equal speeds
  const double x = (speed - final_speed) / final_speed;
  duration_ = distance_ / final_speed * (x == 0.0 ? 1.0 : std::log1p(x) / x);
}

ReferenceValue GlideslopeReference::evaluate(int component, double time) const {
  const double since = time - from_time_, along = direction_(component);
  if (since < 0.0) return {from_(component), 0.0, 0.0};
  if (since >= duration_) return {from_(component) + distance_ * along, 0.0, 0.0};
  const double decay = std::exp(-rate_ * since);
  const double way = rate_ == 0.0 ? since : -std::expm1(-rate_ * since) / rate_;
  return {from_(component) + speed_ * way * along, speed_ * decay * along,
          -rate_ * speed_ * decay * along};
}

void GlideslopeReference::append_discontinuities(std::vector<double>& times) const {
  times.push_back(from_time_);
  times.push_back(from_time_ + duration_);
}

namespace {

std::vector<double> breaks_of(const Reference* reference) {
  std::vector<double> times;
  if (reference == nullptr) throw DomainError("a reference that begins at an event is missing");
  reference->append_discontinuities(times);
  std::vector<double> later;
  for (const double time : times) {
    if (time > 0.0) later.push_back(time);
  }
  return later;
}

}  // namespace

EventReference::EventReference(std::shared_ptr<const Reference> reference, int event)
    : reference_(std::move(reference)), start_(event, breaks_of(reference_.get())) {
  if (event < 0) throw DomainError("a reference must begin at an event of the system");
}

ReferenceValue EventReference::evaluate(int component, double) const {
  return {reference_->evaluate(component, 0.0).position, 0.0, 0.0};
}

ReferenceValue EventReference::at(int component, const Instant& now) const {
  const double since = start_.since(now);
  return since >= 0.0 ? reference_->evaluate(component, since) : evaluate(component, 0.0);
}

void EventReference::append_event_discontinuities(const EventTimes& events,
                                                  std::vector<double>& times) const {
  start_.append(events, times);
}

}  // namespace spacedyn
