/// @file
/// How near events come that do not happen.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/recording/run_watch.hpp"

namespace spacedyn {

/// An event of a set-up that has not happened.
struct MissedEvent {
  std::string name;
  std::string unit;   ///< of Event::value; without one the rest is not known
  double by = 0.0;    ///< what was missing at the output where it was nearest
  double time = 0.0;  ///< of that output, s
};

/// Keeps how near to zero the functions of a set-up's own events have come, those with a unit.
/// Stops, whose actions are bounces alone, are left out: not to reach them is nothing to report.
class SPACEDYN_EXPORT EventWatch final : public RunWatch {
 public:
  /// @param setup  must outlive this
  explicit EventWatch(const SimulationSetup& setup);

  void see(const SimulationPoint& point) override;
  /// The events that are not among those that have happened, in the order of the set-up.
  std::vector<MissedEvent> missed(const std::vector<EventRecord>& happened) const;

 private:
  std::vector<Event> events_;
};

}  // namespace spacedyn
