/// @file
/// One simulation from its start to its end.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "coarse_clock.hpp"
#include "integration/run/run_instants.hpp"

namespace spacedyn {

/// What goes along with a run from step to step.
class Company {
 public:
  virtual ~Company() = default;
  /// The run has left its start, and shown it. @param instants  of the run, which others may follow
  virtual void begin(const RunInstants& instants) = 0;
  /// How far the step that the method has accepted may go, s.
  virtual double longest_end(bool ends_on_event) = 0;
  /// A step is accepted; nothing has moved its end yet. @post the equations are evaluated there
  virtual void take_step() = 0;
  /// The end is where the path of the centroid has it.
  virtual void correct_end() = 0;
  /// An output inside the step has been shown.
  virtual void show(double time) = 0;
  /// The end is about to settle.
  virtual void reach_end() = 0;
  /// The segment that follows, if one does, has begun.
  /// @param is_shown  whether the end is an output
  virtual void leave_end(bool is_shown) = 0;
};

/// The time loop: segments between breakpoints, steps inside a segment, outputs inside a step.
class Run {
 public:
  /// @param stops  instants to land on besides those of the elements
  Run(const SimulationSetup& setup, const State& initial, OutputTimes outputs,
      const std::vector<double>& stops, SimulationObserver& observer);

  SimulationResult go();
  /// Takes over the memory of an earlier run and goes on.
  SimulationResult go_on(const Checkpoint& checkpoint);

  /// @name The same run, asked for one output after another
  /// @{
  /// Goes on to the next output. Where commands from outside are due at its instant, it waits there
  /// with the readings of sensors, before controllers sample.
  /// @param interval  s, at which more outputs are expected
  /// @throws NumericalError
  void advance_to(double time, double interval);
  /// Whether it has reached its end, or an event has stopped it.
  bool is_over() const { return stage_ == Stage::between && parts_.ends(); }
  SimulationResult finish();
  /// @}

  /// Takes company along. @param company  must outlive the run
  void take_along(Company& company) { company_ = &company; }
  RunParts& parts() { return parts_; }
  const RunParts& parts() const { return parts_; }
  RunInstants& instants() { return instants_; }

 private:
  /// What a run does next that is asked for outputs.
  enum class Stage { starts, begins, between, inside, arrived };

  void proceed();
  /// @returns false if an interrupt ends the run before the first output
  bool begins();
  SimulationResult loop();
  /// Keeps a checkpoint of the beginning of a step inside which the run may have to end.
  void prepare_for_interrupt();
  void give_checkpoint();
  /// The next step, up to its first event.
  void make_step();
  bool finish_step();
  /// Watches what has happened in the step. @returns false where the observer stops the run
  bool accept_step();
  void output_inside_step();
  /// The end of a run inside a step.
  SimulationResult end_inside_step();

  RunParts parts_;
  RunInstants instants_;
  const bool may_end_inside_steps_;
  bool between_steps_ = false;  // whether the memory of the method is complete
  Stage stage_ = Stage::starts;
  RunInstants::Arrival arrival_;
  std::optional<Checkpoint> step_start_;  // of the step in work, if that may take long
  CoarseClock::time_point step_began_;
  Company* company_ = nullptr;
};

/// A run from t = 0. @param setup, observer  must outlive it
/// @throws DomainError, DimensionError, NumericalError as Simulator::run()
std::unique_ptr<Run> start_run(const SimulationSetup& setup, const State& initial,
                               OutputTimes outputs, const std::vector<double>& stops,
                               SimulationObserver& observer);

}  // namespace spacedyn
