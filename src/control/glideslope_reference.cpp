#include "spacedyn/control/glideslope_reference.hpp"

#include <cmath>

#include "control/reference_checks.hpp"

namespace spacedyn {

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

}  // namespace spacedyn
