#include "integration/events/event_sequence.hpp"

#include <algorithm>

#include <fmt/format.h>

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

}  // namespace spacedyn
