// What the detector knows of contacts: which events they cause, and functions that find no end.

#include <algorithm>

#include <fmt/format.h>

#include "integration/events/event_detector.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {

void EventDetector::add_contact_events(const EquationsOfMotion& equations) {
  std::vector<std::size_t> functions;
  for (const std::size_t i : fired_) {
    if (i >= first_rigid_) functions.push_back(i - first_rigid_);
  }
  if (functions.empty()) return;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const bool concerns =
        is_about_rigid_[i] &&
        std::any_of(functions.begin(), functions.end(), [&](std::size_t function) {
          return rigid_.concerns(equations, function, events_[i]);
        });
    if (concerns) fired_.push_back(i);
  }
  std::sort(fired_.begin(), fired_.end());
}

void EventDetector::stop_striking(double time, long steps, double span) const {
  std::vector<std::size_t> stops(strikes_.events.begin() + kWatchedStrikes / 2,
                                 strikes_.events.end());
  std::sort(stops.begin(), stops.end());
  stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
  std::string names;
  for (const std::size_t stop : stops) {
    names += (names.empty() ? "'" : ", '") + events_[stop].name + "'";
  }
  throw NumericalError(
      fmt::format("integration stopped at t = {:.9g} s after {} steps: the joints at {} strike "
                  "their stops again and again within {:.3g} s and do not come to rest; let the "
                  "stops give way (joint_stop), or change their restitution",
                  time, steps, names, span),
      time, steps, "events " + names);
}

void EventDetector::stop_chattering(std::size_t event, double time, long steps, double span) const {
  throw NumericalError(
      fmt::format("integration stopped at t = {:.9g} s after {} steps: event '{}' chatters, again "
                  "and again within {:.3g} s; let its action change more, for instance lock the "
                  "joint",
                  time, steps, events_[event].name, span),
      time, steps, "event '" + events_[event].name + "'");
}

}  // namespace spacedyn
