#include "integration/events/event_sequence.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "integration/events/event_actions.hpp"
#include "spacedyn/error.hpp"
#include "system/instants.hpp"

namespace spacedyn {

EventSequence::EventSequence(const std::vector<Event>& events)
    : events_(events), followers_(events.size()), armed_(events.size(), true), due_(events.size()) {
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> leader(events.size(), kNone);
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].after.empty()) {
      if (!events[i].delay) continue;
      due_[i] = {*events[i].delay};  // after the start of the run
      is_idle_ = false;
      continue;
    }
    const auto found = std::find_if(events.begin(), events.end(), [&](const Event& other) {
      return other.name == events[i].after;
    });
    if (found == events.end()) {
      throw DomainError(fmt::format("event '{}' is after '{}', which is no event", events[i].name,
                                    events[i].after));
    }
    leader[i] = static_cast<std::size_t>(found - events.begin());
    followers_[leader[i]].push_back(i);
    armed_[i] = false;
    is_idle_ = false;
  }
  for (std::size_t i = 0; i < events.size(); ++i) {
    std::size_t before = leader[i];
    for (std::size_t steps = 0; before != kNone && steps <= events.size(); ++steps) {
      if (before == i) {
        throw DomainError(fmt::format("event '{}' is after itself, by way of '{}'", events[i].name,
                                      events[leader[i]].name));
      }
      before = leader[before];
    }
  }
}

double EventSequence::due(std::size_t event) const {
  return due_[event].empty() ? std::numeric_limits<double>::infinity() : due_[event].front();
}

double EventSequence::next_due() const {
  double next = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < due_.size(); ++i) next = std::min(next, due(i));
  return next;
}

void EventSequence::happen(std::size_t event, double time) {
  for (const std::size_t follower : followers_[event]) {
    armed_[follower] = true;
    if (!events_[follower].delay) continue;
    std::vector<double>& due = due_[follower];
    const double at = time + *events_[follower].delay;
    due.insert(std::upper_bound(due.begin(), due.end(), at), at);
  }
}

void EventSequence::take(std::size_t event) {
  if (!due_[event].empty()) due_[event].erase(due_[event].begin());
}

void EventSequence::pass(double time) {
  for (std::vector<double>& due : due_) {
    due.erase(due.begin(), std::upper_bound(due.begin(), due.end(), latest_same_instant(time)));
  }
}

void EventReplay::advance(double time, DiscreteState& discrete) {
  for (; next_ < events_.size() && events_[next_].time <= time; ++next_) {
    const auto event =
        std::find_if(setup_.events.begin(), setup_.events.end(),
                     [&](const Event& other) { return other.name == events_[next_].name; });
    if (event == setup_.events.end()) {
      remember_event(setup_, events_[next_].name, events_[next_].time, discrete);
    } else {
      act(*event, events_[next_].time, discrete);
    }
  }
}

void EventReplay::act(const Event& event, double time, DiscreteState& discrete) const {
  for (const EventAction& action : event.actions) {
    if (const auto* change = std::get_if<SwitchAction>(&action)) {
      switch_controller(setup_, change->controller, change->on, time, discrete);
    } else if (const auto* lock = std::get_if<LockAction>(&action)) {
      discrete.locked[static_cast<std::size_t>(lock->joint - 1)] = true;
    } else if (const auto* release = std::get_if<ReleaseAction>(&action)) {
      discrete.locked[static_cast<std::size_t>(release->joint - 1)] = false;
    } else if (const auto* made = std::get_if<ConnectAction>(&action)) {
      discrete.connections[made->connection].active = true;
    } else if (const auto* ended = std::get_if<DisconnectAction>(&action)) {
      discrete.connections[ended->connection].active = false;
    }
  }
  repeat_event(setup_, event, time, discrete);
}

}  // namespace spacedyn
