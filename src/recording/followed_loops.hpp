/// @file
/// The loops that hold at the points of a run, as events connect and disconnect. Private.
#pragma once

#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/system/discrete_state.hpp"
#include "spacedyn/system/forced_system.hpp"

namespace spacedyn {

/// The equations of the loops of a system, formed anew only when its connections change.
class FollowedLoops {
 public:
  /// @param system  must outlive this
  explicit FollowedLoops(const ForcedSystem& system)
      : system_(system),
        discrete_(system),
        loops_(*system.model, active_loops(system, discrete_)) {}

  const LoopEquations& at(const DiscreteState& now) {
    if (has_changed(now)) {
      discrete_ = now;
      loops_ = LoopEquations(*system_.model, active_loops(system_, discrete_));
    }
    return loops_;
  }

 private:
  bool has_changed(const DiscreteState& now) const {
    for (std::size_t i = 0; i < now.connections.size(); ++i) {
      if (now.connections[i].active != discrete_.connections[i].active ||
          now.connections[i].position != discrete_.connections[i].position ||
          now.connections[i].rotation != discrete_.connections[i].rotation) {
        return true;
      }
    }
    return false;
  }

  const ForcedSystem& system_;
  DiscreteState discrete_;  // that the equations are of
  LoopEquations loops_;
};

}  // namespace spacedyn
