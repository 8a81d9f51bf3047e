/// @file
/// Which events wait for others, or for what must hold. Private.
#pragma once

#include <functional>
#include <vector>

#include "integration/equations/equations_of_motion.hpp"
#include "spacedyn/integration/events.hpp"
#include "spacedyn/integration/simulator.hpp"

namespace spacedyn {

/// Reads quantities of events, with the forces of contacts where one asks for them.
class QuantityReader {
 public:
  using Contacts = std::function<void(const EquationsOfMotion& equations,
                                      std::vector<ContactReading>& readings)>;
  void read_contacts_by(Contacts contacts) { contacts_ = std::move(contacts); }
  double operator()(const EventQuantity& quantity, const EquationsOfMotion& equations) const;

 private:
  Contacts contacts_;
  mutable std::vector<ContactReading> readings_;
};

/// What the events that have happened make of those after them, so that a run that goes on finds it
/// in the list of its events; and which conditions hold at an instant.
class EventSequence {
 public:
  /// @throws DomainError if an event is after one that is not there, or after itself by a ring
  explicit EventSequence(const std::vector<Event>& events);
  const std::vector<Event>& events() const { return events_; }

  /// Whether a crossing counts.
  bool is_armed(std::size_t event) const { return armed_[event]; }
  /// Of all events with a delay: when one is due next; infinite if none is.
  double next_due() const;
  /// Of an event with a delay: whether it is due at a time.
  bool is_due(std::size_t event, double time) const;
  /// An event with a delay is no longer due as it was next; nothing of others.
  void take(std::size_t event);
  /// Takes note of an event, after its actions.
  void happen(std::size_t event, double time);
  /// Takes over what has happened until a time.
  void restore(const std::vector<EventRecord>& happened, double time);

  /// @name Events at the instant between two steps
  /// @{
  /// Whether an event may be due or jump.
  bool looks_for_jumps() const { return looks_for_jumps_; }
  /// Whether an event may be where it has not crossed: quantities jump, and what another has armed
  /// at this instant has not been looked at.
  bool may_jump(std::size_t event) const {
    return events_[event].quantity.has_value() || awakened_[event];
  }
  /// What has been armed has been looked at.
  void end_instant() { awakened_.assign(events_.size(), false); }
  bool has_conditions() const { return has_conditions_; }
  /// Whether quantities of events or conditions ask for forces.
  bool needs_forces() const { return needs_forces_; }
  /// Notes which conditions hold.
  void note_conditions(const QuantityReader& quantities, const EquationsOfMotion& equations);
  /// Whether an event that has crossed happens: it is armed and its conditions hold.
  bool may_happen(std::size_t event) const { return armed_[event] && holds_[event]; }
  /// @}

 private:
  double due(std::size_t event) const;
  void arm_followers(std::size_t event, double time);

  const std::vector<Event>& events_;
  std::vector<std::vector<std::size_t>> followers_;
  std::vector<bool> armed_, holds_;
  std::vector<bool> awakened_;            // by others at this instant
  std::vector<std::vector<double>> due_;  // ascending
  bool looks_for_jumps_ = false, has_conditions_ = false, needs_forces_ = false;
};

/// Repeats the actions of recorded events on a discrete state, in the order of time.
class EventReplay {
 public:
  /// @param setup, events  of the run, must outlive this object
  EventReplay(const SimulationSetup& setup, const std::vector<EventRecord>& events)
      : setup_(setup), events_(events) {}

  /// Goes on to a time, events at this very time included: outputs there show what is after them.
  /// Controllers are switched, joints locked and released, connections made and ended; a rest on a
  /// stop and what a connection keeps are not recorded.
  void advance(double time, DiscreteState& discrete);

 private:
  void act(const Event& event, double time, DiscreteState& discrete) const;

  const SimulationSetup& setup_;
  const std::vector<EventRecord>& events_;
  std::size_t next_ = 0;
};

}  // namespace spacedyn
