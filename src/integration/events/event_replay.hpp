/// @file
/// What the events of a finished run switched. Private.
#pragma once

#include <vector>

#include "spacedyn/integration/simulator.hpp"

namespace spacedyn {

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
