/// @file
/// What a run consists of, and its memory.
#pragma once

#include <algorithm>

#include "integration/events/event_detector.hpp"
#include "integration/run/state_corrections.hpp"
#include "integration/steppers/advancer.hpp"
#include "integration/steppers/timeline.hpp"

namespace spacedyn {

/// What is given to a run, and what keeps its state from one step to the next. Between two steps
/// the state is that of the beginning of `step`.
struct RunParts {
  /// @param setup, observer  must outlive this object
  RunParts(const SimulationSetup& setup, const State& initial, OutputTimes outputs,
           SimulationObserver& observer);
  RunParts(const RunParts&) = delete;
  RunParts& operator=(const RunParts&) = delete;

  const SimulationSetup& setup;
  SimulationObserver& observer;
  const double duration;  // s
  OutputTimes outputs;
  EquationsOfMotion equations;
  Advancer advancer;
  RestingContacts contacts;
  RigidContacts rigid;
  EventDetector events;
  RunAccount account;
  StateCorrections corrections;
  Step step;
  VectorX inside;  // a state inside the step
  Breakpoint breakpoint;
  bool happened = false;  // whether the step in work ends on an event

  /// Unit of time for root_tolerance(), s.
  double unit() const { return std::min(1.0, duration); }
  bool is_stopped() const { return !account.result().stopped_by.empty(); }
  bool ends() const { return step.t_old >= duration || is_stopped(); }
  /// Fills `inside`.
  const VectorX& interpolate(double time);
  /// Puts the state inside the step where the run keeps its states, and shows it.
  void show_inside(double time);
  /// Shows the state between two steps if an output is due.
  void output_at(double time);
};

/// Those of the run that left a checkpoint. @throws IoError if it is damaged
OutputTimes read_output_times(const Checkpoint& checkpoint);

/// A run between two steps.
/// @param is_complete  whether the memory of the method is
Checkpoint checkpoint_of(RunParts& parts, bool is_complete);
/// Takes over the memory of an earlier run.
/// @returns whether the method goes on as it would have; otherwise it begins afresh
bool restore(const Checkpoint& checkpoint, RunParts& parts);

}  // namespace spacedyn
