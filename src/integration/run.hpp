/// @file
/// One simulation from its start to its end.
#pragma once

#include "integration/advancer.hpp"
#include "integration/equations_of_motion.hpp"
#include "integration/event_detector.hpp"
#include "integration/projection.hpp"
#include "integration/timeline.hpp"

namespace spacedyn {

/// The time loop: segments between breakpoints, steps inside a segment, outputs inside a step.
class Run {
 public:
  /// @param stops  instants to land on besides those of the elements
  Run(const SimulationSetup& setup, const State& initial, OutputTimes outputs,
      const std::vector<double>& stops, SimulationObserver& observer);

  SimulationResult go();

 private:
  void begin_segment(double time, Restart reason);
  bool finish_step();
  /// Carries out the actions of the events at the end of the last step.
  void act_on_events();
  void audit();
  void output_inside_step();
  void project();
  void interpolate(double time);
  void output_at(double time);
  void emit(double time, const VectorX& x);
  SimulationResult finish();

  const double duration_;
  const SimulationSetup& setup_;
  SimulationObserver& observer_;
  EquationsOfMotion equations_;
  Timeline timeline_;
  OutputTimes outputs_;
  Advancer advancer_;
  EventDetector events_;
  bool happened_ = false;  // whether the step in work ends on an event
  Step step_;
  VectorX output_x_;
  Breakpoint breakpoint_;
  MomentumProjection projection_;
  SimulationResult result_;
};

}  // namespace spacedyn
