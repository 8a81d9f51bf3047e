#include "spacedyn/recording/event_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "recording/derived_columns.hpp"

namespace spacedyn {
namespace {

bool only_bounces(const Event& event) {
  return !event.actions.empty() &&
         std::all_of(event.actions.begin(), event.actions.end(), [](const EventAction& action) {
           return std::holds_alternative<BounceAction>(action);
         });
}

std::vector<Event> watched_events(const SimulationSetup& setup) {
  std::vector<Event> events;
  for (Event& event : all_events(setup)) {
    const bool is_own = std::any_of(setup.events.begin(), setup.events.end(),
                                    [&](const Event& other) { return other.name == event.name; });
    if (is_own && event.is_noted && !only_bounces(event)) events.push_back(std::move(event));
  }
  return events;
}

double value_at(const Event& event, const SimulationPoint& point) {
  if (!event.quantity) return event.value(context_of(point));
  return event.quantity->value(
             {context_of(point), point.forces, point.discrete, point.rigid_contacts}) -
         event.level;
}

}  // namespace

EventWatch::EventWatch(const SimulationSetup& setup) : events_(watched_events(setup)) {
  add_quantities(events_.size(), -std::numeric_limits<double>::infinity());
}

void EventWatch::see(const SimulationPoint& point) {
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (events_[i].unit.empty()) continue;
    keep(i, -std::abs(value_at(events_[i], point)), point.time);
  }
}

std::vector<MissedEvent> EventWatch::missed(const std::vector<EventRecord>& happened) const {
  std::vector<MissedEvent> missed;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const Event& event = events_[i];
    const auto is_this = [&](const EventRecord& record) { return record.name == event.name; };
    if (std::any_of(happened.begin(), happened.end(), is_this)) continue;
    missed.push_back({event.name, event.unit, -peaks()[i].value, peaks()[i].time});
  }
  return missed;
}

}  // namespace spacedyn
