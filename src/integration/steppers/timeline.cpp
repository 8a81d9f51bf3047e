#include "integration/steppers/timeline.hpp"

#include <algorithm>
#include <cmath>

namespace spacedyn {
namespace {

std::vector<double> collect(const SimulationSetup& setup) {
  std::vector<double> times;
  for (const auto& force : setup.forces) force->append_discontinuities(times);
  for (const auto& controller : setup.controllers) controller->append_discontinuities(times);
  for (const PrescribedJoint& joint : setup.prescribed_joints) {
    joint.reference->append_discontinuities(times);
  }
  if (setup.base_mode == BaseMode::prescribed) {
    const PrescribedBase& base = *setup.prescribed_base;
    if (base.position) base.position->append_discontinuities(times);
    if (base.angle) base.angle->append_discontinuities(times);
  }
  return times;
}

}  // namespace

Timeline::Timeline(const SimulationSetup& setup, double duration, const std::vector<double>& stops)
    : duration_(duration) {
  std::vector<double> times = collect(setup);
  times.insert(times.end(), stops.begin(), stops.end());
  for (const double time : times) {
    if (time > 0.0 && time < duration) discontinuities_.push_back(time);
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
  if (next_ == duration_) {
    done_ = true;
    return;
  }
  ++index_;
  if (!given_.empty()) {
    next_ = given_[static_cast<std::size_t>(index_)];
    return;
  }
  next_ = static_cast<double>(index_) * interval_;
  if (latest_same_instant(next_) >= duration_) next_ = duration_;
}

}  // namespace spacedyn
