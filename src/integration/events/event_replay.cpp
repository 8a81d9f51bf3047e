#include "integration/events/event_replay.hpp"

#include <algorithm>

#include "integration/equations/numbers_set.hpp"

namespace spacedyn {

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
