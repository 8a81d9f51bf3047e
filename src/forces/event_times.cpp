#include "spacedyn/forces/event_times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spacedyn {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

Schedule::~Schedule() = default;

void Schedule::append_discontinuities(std::vector<double>& times) const {
  for (const Schedule* followed : schedules()) {
    if (followed != nullptr) followed->append_discontinuities(times);
  }
}

void Schedule::append_event_discontinuities(const EventTimes& events,
                                            std::vector<double>& times) const {
  for (const Schedule* followed : schedules()) {
    if (followed != nullptr) followed->append_event_discontinuities(events, times);
  }
}

double EventTimes::first(int event) const {
  const std::vector<double>& own = instants[static_cast<std::size_t>(event)];
  return own.empty() ? kNever : own.front();
}

void EventTimes::open(std::size_t slot, const ThrusterPulse& pulse) {
  if (slot >= pulses.size()) pulses.resize(slot + 1);
  std::vector<ThrusterPulse>& own = pulses[slot];
  if (!own.empty() && pulse.from <= own.back().until) {
    own.back().until = std::max(own.back().until, pulse.until);
  } else {
    own.push_back(pulse);
  }
}

double Instant::first(int event) const { return events == nullptr ? kNever : events->first(event); }

EventStart::EventStart(int event, std::vector<double> breaks)
    : event_(event), breaks_(std::move(breaks)) {
  std::sort(breaks_.begin(), breaks_.end());
  while (!breaks_.empty() && !std::isfinite(breaks_.back())) breaks_.pop_back();
}

double EventStart::since(const Instant& now) const {
  if (!waits()) return now.time;
  const double start = now.first(event_);
  if (!(now.time >= start)) return -kNever;
  // sums and differences round: the instant of a break counts as behind it
  const auto next = std::upper_bound(breaks_.begin(), breaks_.end(), now.time,
                                     [&](double t, double at) { return t < start + at; });
  double since = now.time - start;
  if (next != breaks_.begin()) since = std::max(since, *(next - 1));
  if (next != breaks_.end()) since = std::min(since, std::nextafter(*next, -kNever));
  return since;
}

void EventStart::append(const EventTimes& events, std::vector<double>& times) const {
  if (!waits() || !std::isfinite(events.first(event_))) return;
  const double start = events.first(event_);
  times.push_back(start);
  for (const double after : breaks_) times.push_back(start + after);
}

}  // namespace spacedyn
