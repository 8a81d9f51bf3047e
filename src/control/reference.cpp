#include "spacedyn/control/reference.hpp"

#include <algorithm>
#include <string>

#include "control/reference_checks.hpp"
#include "spacedyn/error.hpp"

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

}  // namespace spacedyn
