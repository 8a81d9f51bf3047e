#include "integration/events/event_sequence.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "integration/events/chatter_watch.hpp"
#include "integration/events/event_actions.hpp"
#include "spacedyn/error.hpp"
#include "system/instants.hpp"

namespace spacedyn {

double QuantityReader::operator()(const EventQuantity& quantity,
                                  const EquationsOfMotion& equations) const {
  static const std::vector<ContactReading> kNone;
  const bool reads_contacts = quantity.needs_forces && contacts_;
  if (reads_contacts) contacts_(equations, readings_);
  const QuantityContext at{equations.context(), equations.forces(), equations.discrete(),
                           reads_contacts ? readings_ : kNone};
  return quantity.value(at);
}

EventSequence::EventSequence(const std::vector<Event>& events)
    : events_(events),
      followers_(events.size()),
      armed_(events.size(), true),
      holds_(events.size(), true),
      awakened_(events.size(), false),
      due_(events.size()) {
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> leader(events.size(), kNone);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    const bool waits = event.delay || !event.after.empty();
    looks_for_jumps_ = looks_for_jumps_ || waits || event.quantity;
    has_conditions_ = has_conditions_ || !event.conditions.empty();
    needs_forces_ = needs_forces_ || (event.quantity && event.quantity->needs_forces);
    for (const EventCondition& condition : event.conditions) {
      needs_forces_ = needs_forces_ || condition.quantity.needs_forces;
    }
    if (event.after.empty()) {
      if (event.delay) due_[i] = {*event.delay};  // after the start of the run
      continue;
    }
    const auto found = std::find_if(events.begin(), events.end(),
                                    [&](const Event& other) { return other.name == event.after; });
    if (found == events.end()) {
      throw DomainError(
          fmt::format("event '{}' is after '{}', which is no event", event.name, event.after));
    }
    leader[i] = static_cast<std::size_t>(found - events.begin());
    followers_[leader[i]].push_back(i);
    armed_[i] = false;
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

bool EventSequence::is_due(std::size_t event, double time) const {
  return due(event) <= latest_same_instant(time);
}

void EventSequence::take(std::size_t event) {
  if (!due_[event].empty()) due_[event].erase(due_[event].begin());
}

void EventSequence::arm_followers(std::size_t event, double time) {
  for (const std::size_t follower : followers_[event]) {
    armed_[follower] = true;
    if (!events_[follower].delay) continue;
    std::vector<double>& due = due_[follower];
    const double at = time + *events_[follower].delay;
    due.insert(std::upper_bound(due.begin(), due.end(), at), at);
  }
}

void EventSequence::happen(std::size_t event, double time) {
  for (const std::size_t follower : followers_[event]) awakened_[follower] = true;
  arm_followers(event, time);
}

void EventSequence::restore(const std::vector<EventRecord>& happened, double time) {
  for (const EventRecord& record : happened) {
    for (std::size_t i = 0; i < events_.size() && !record.is_warning; ++i) {
      if (events_[i].name == record.name) arm_followers(i, record.time);
    }
  }
  for (std::vector<double>& due : due_) {
    due.erase(due.begin(), std::upper_bound(due.begin(), due.end(), latest_same_instant(time)));
  }
}

void EventSequence::note_conditions(const QuantityReader& quantities,
                                    const EquationsOfMotion& equations) {
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const std::vector<EventCondition>& conditions = events_[i].conditions;
    holds_[i] = std::all_of(conditions.begin(), conditions.end(), [&](const auto& condition) {
      const double value = quantities(condition.quantity, equations);
      return value > condition.above && value < condition.below;
    });
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

namespace {

constexpr std::size_t kWatched = 64, kWatchedStrikes = 1024;

}  // namespace

ChatterWatch::ChatterWatch(const std::vector<Event>& events, const RestingContacts& contacts,
                           double unit)
    : events_(events), contacts_(contacts), unit_(unit), histories_(events.size()) {}

void ChatterWatch::count(std::size_t event, double time, long steps) {
  const bool is_stop = contacts_.stop_of(event) != nullptr;
  History& history = is_stop ? strikes_ : histories_[event];
  const std::size_t watched = is_stop ? kWatchedStrikes : kWatched;
  if (history.times.size() == watched) {
    history.times.erase(history.times.begin());
    history.events.erase(history.events.begin());
  }
  history.times.push_back(time);
  history.events.push_back(event);
  if (history.times.size() < watched) return;
  // the second half took almost no time compared with the first
  const double whole = history.times.back() - history.times.front();
  const double last = history.times.back() - history.times[watched / 2];
  if (last > 1e-4 * whole && last > 1e-9 * unit_) return;
  if (!is_stop) stop(event, time, steps, last);
  stop_striking(time, steps, last);
}

void ChatterWatch::stop(std::size_t event, double time, long steps, double span) const {
  throw NumericalError(
      fmt::format("integration stopped at t = {:.9g} s after {} steps: event '{}' chatters, again "
                  "and again within {:.3g} s; let its action change more, for instance lock the "
                  "joint",
                  time, steps, events_[event].name, span),
      time, steps, "event '" + events_[event].name + "'");
}

void ChatterWatch::stop_striking(double time, long steps, double span) const {
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

void ChatterWatch::transfer(Archive& archive) {
  archive(histories_, strikes_);
  if (histories_.size() != events_.size()) {
    throw IoError("the checkpoint is damaged: its events differ");
  }
  const auto is_possible = [&](const History& history) {
    return history.times.size() == history.events.size() &&
           std::all_of(history.events.begin(), history.events.end(),
                       [&](std::size_t event) { return event < events_.size(); });
  };
  archive.require(is_possible(strikes_) &&
                  std::all_of(histories_.begin(), histories_.end(), is_possible));
}

}  // namespace spacedyn
