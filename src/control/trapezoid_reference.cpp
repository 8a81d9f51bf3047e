#include <cmath>

#include "control/reference_checks.hpp"
#include "spacedyn/control/reference.hpp"

namespace spacedyn {
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

}  // namespace spacedyn
