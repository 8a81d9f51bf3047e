/// @file
/// One simulation from its start to its end.
#pragma once

#include "integration/advancer.hpp"
#include "integration/equations_of_motion.hpp"
#include "integration/timeline.hpp"

namespace spacedyn {

/// The time loop: segments between breakpoints, steps inside a segment, outputs inside a step.
class Run {
 public:
  Run(const SimulationSetup& setup, const State& initial, double duration, double output_interval,
      SimulationObserver& observer);

  SimulationResult go();

 private:
  void begin_segment(double time);
  bool finish_step();
  void audit();
  void output_inside_step();
  void interpolate(double time);
  void output_at(double time);
  void emit(double time, const VectorX& x);
  SimulationResult finish();

  const double duration_;
  SimulationObserver& observer_;
  EquationsOfMotion equations_;
  Timeline timeline_;
  OutputTimes outputs_;
  Advancer advancer_;
  Step step_;
  VectorX output_x_;
  Breakpoint breakpoint_;
  SimulationResult result_;
};

}  // namespace spacedyn
