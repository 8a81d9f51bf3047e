#include "integration/steppers/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spacedyn {
namespace {

/// @param discrete  null: nothing has happened yet
std::vector<double> collect(const SimulationSetup& setup, const DiscreteState* discrete) {
  std::vector<double> times;
  const auto add = [&](const auto& source) {
    source.append_discontinuities(times);
    if (discrete != nullptr) source.append_event_discontinuities(discrete->events, times);
  };
  for (const auto& force : setup.forces) add(*force);
  for (std::size_t i = 0; i < setup.controllers.size(); ++i) {
    add(discrete == nullptr ? *setup.controllers[i] : current_controller(setup, *discrete, i));
  }
  for (const PrescribedJoint& joint : setup.prescribed_joints) add(*joint.reference);
  if (setup.base_mode == BaseMode::prescribed) {
    const PrescribedBase& base = *setup.prescribed_base;
    if (base.position) add(*base.position);
    if (base.angle) add(*base.angle);
  }
  return times;
}

}  // namespace

Timeline::Timeline(const SimulationSetup& setup, double duration, const std::vector<double>& stops)
    : duration_(duration), stops_(stops) {
  take(collect(setup, nullptr));
}

void Timeline::renew(const SimulationSetup& setup, const DiscreteState& discrete) {
  take(collect(setup, &discrete));
}

void Timeline::take(const std::vector<double>& times) {
  discontinuities_.clear();
  for (const std::vector<double>* list :
       {&times, &static_cast<const std::vector<double>&>(stops_)}) {
    for (const double time : *list) {
      if (time > 0.0 && time < duration_) discontinuities_.push_back(time);
    }
  }
  std::sort(discontinuities_.begin(), discontinuities_.end());
}

Breakpoint Timeline::next(double time, double next_sample) const {
  const auto first = std::upper_bound(discontinuities_.begin(), discontinuities_.end(), time);
  double earliest = std::min(duration_, next_sample);
  if (first != discontinuities_.end()) earliest = std::min(earliest, *first);

  // the latest of those that are the same instant, but never beyond the end
  const double limit = latest_same_instant(earliest);
  double latest = earliest;
  for (auto it = first; it != discontinuities_.end() && *it <= limit; ++it) {
    latest = std::max(latest, *it);
  }
  if (next_sample <= limit) latest = std::max(latest, next_sample);
  if (duration_ <= limit) latest = duration_;
  return {latest, std::nextafter(earliest, 0.0)};
}

OutputTimes OutputTimes::on_demand(double duration) {
  OutputTimes outputs(duration, duration);
  outputs.done_ = outputs.on_demand_ = true;
  return outputs;
}

void OutputTimes::ask(double time, double interval) {
  next_ = time;
  interval_ = interval;
  done_ = false;
}

double OutputTimes::count_until(double time) const {
  if (done_ || time < next_) return 0.0;
  if (given_.empty()) return 1.0 + (time - next_) / interval_;
  const auto first = given_.begin() + index_;
  return static_cast<double>(std::upper_bound(first, given_.end(), time) - first);
}

bool OutputTimes::are_possible() const {
  if (!(duration_ >= 0.0 && std::isfinite(duration_)) || index_ < 0) return false;
  if (given_.empty()) {
    const double next = static_cast<double>(index_) * interval_;
    return interval_ > 0.0 && (next_ == next || next_ == duration_);
  }
  const auto ascends = [](double a, double b) { return !(a <= b); };
  return std::adjacent_find(given_.begin(), given_.end(), ascends) == given_.end() &&
         given_.back() == duration_ && static_cast<std::size_t>(index_) < given_.size() &&
         next_ == given_[static_cast<std::size_t>(index_)];
}

void OutputTimes::advance() {
  last_ = next_;
  done_ = next_ == duration_ || on_demand_;
  if (on_demand_) next_ = std::numeric_limits<double>::infinity();
  if (done_) return;
  ++index_;
  if (!given_.empty()) {
    next_ = given_[static_cast<std::size_t>(index_)];
    return;
  }
  next_ = static_cast<double>(index_) * interval_;
  if (latest_same_instant(next_) >= duration_) next_ = duration_;
}

}  // namespace spacedyn
