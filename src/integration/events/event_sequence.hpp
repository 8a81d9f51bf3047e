/// @file
/// Which events wait for others. Private.
#pragma once

#include <limits>
#include <vector>

#include "spacedyn/integration/events.hpp"
#include "spacedyn/integration/simulator.hpp"

namespace spacedyn {

/// What the events that have happened make of those after them; nothing else, so that a run that
/// goes on finds it in the list of its events.
class EventSequence {
 public:
  /// @throws DomainError if an event is after one that is not there, or after itself by a ring
  explicit EventSequence(const std::vector<Event>& events);

  /// Whether a crossing counts.
  bool is_armed(std::size_t event) const { return armed_[event]; }
  /// Whether no event is after another, or after the start.
  bool is_idle() const { return is_idle_; }
  /// Of an event with a delay: when it is due next; infinite if it is not.
  double due(std::size_t event) const;
  /// Of all of them.
  double next_due() const;
  /// Takes note of an event, after its actions.
  void happen(std::size_t event, double time);
  /// An event with a delay is no longer due as it was next.
  void take(std::size_t event);
  /// Nothing is due that was until a time.
  void pass(double time);

 private:
  const std::vector<Event>& events_;
  bool is_idle_ = true;
  std::vector<std::vector<std::size_t>> followers_;
  std::vector<bool> armed_;
  std::vector<std::vector<double>> due_;  // ascending
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
