#include "spacedyn/control/harmonic_reference.hpp"

#include <cmath>
#include <utility>

#include "control/reference_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {

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
