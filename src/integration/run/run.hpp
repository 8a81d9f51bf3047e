/// @file
/// One simulation from its start to its end.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "coarse_clock.hpp"
#include "integration/events/event_detector.hpp"
#include "integration/run/state_corrections.hpp"
#include "integration/steppers/advancer.hpp"
#include "integration/steppers/timeline.hpp"

namespace spacedyn {

/// Those of the run that left a checkpoint. @throws IoError if it is damaged
OutputTimes read_output_times(const Checkpoint& checkpoint);

/// What goes along with a run from step to step.
class Company {
 public:
  virtual ~Company() = default;
  /// The run has left its start, and shown it.
  virtual void begin() = 0;
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

  /// @name The same run, asked for one output after another; in run_stepping.cpp
  /// @{
  /// Goes on to the next output. Where commands from outside are due at its instant, it waits there
  /// with the readings of sensors, before controllers sample.
  /// @param interval  s, at which more outputs are expected
  /// @throws NumericalError
  void advance_to(double time, double interval);
  /// Sets the command of a controller from its next sample on.
  void command(std::size_t controller, ConstVectorRef values) {
    equations_.discrete().controllers[controller].memory = values;
  }
  /// Whether it has reached its end, or an event has stopped it.
  bool is_over() const { return stage_ == Stage::between && ends(); }
  SimulationResult finish();
  /// @}

  /// Takes company along. @param company  must outlive the run
  void take_along(Company& company) { company_ = &company; }
  EquationsOfMotion& equations() { return equations_; }

 private:
  friend class FlightTangents;
  /// What a run does next that is asked for outputs.
  enum class Stage { starts, begins, between, inside, arrived };
  /// The end of a step, before the segment begins that follows.
  struct Arrival {
    long loop_changes = 0;  // before the actions of events
    bool at_breakpoint = false;
  };

  void begin();
  void prepare_start();
  void leave_start();
  /// @name In run_stepping.cpp
  /// @{
  void proceed();
  bool ends() const { return step_.t_old >= duration_ || is_stopped(); }
  bool is_stopped() const { return !account_.result().stopped_by.empty(); }
  bool awaits_commands() const;
  /// Hands out the output of an instant at which commands from outside are due.
  void show_before_commands(Restart reason);
  /// @}
  /// begin() that an interrupt may end, before the first output. @returns false if one did
  bool begins();
  /// Lets elements set what they remember of the side on which they begin.
  void reset_at_start();
  SimulationResult loop();
  void give_checkpoint();
  Checkpoint checkpoint();
  /// @name In run_interrupt.cpp
  /// @{
  /// Keeps a checkpoint of the beginning of a step inside which the run may have to end.
  void prepare_for_interrupt();
  /// The next step, up to its first event.
  void make_step();
  void leave_if_asked() const;
  /// The end of a run inside a step.
  SimulationResult end_inside_step();
  /// @}
  void transfer_head(Archive& archive);
  void transfer(Archive& archive);
  /// @param arrived  events that happen at this instant
  void begin_segment(double time, Restart reason, const std::vector<std::size_t>& arrived);
  /// The part of it before controllers sample.
  void sense(double time, Restart reason);
  /// Lets stops and rigid contacts decide what they hold from now on.
  void resolve_contacts(double time, const std::vector<std::size_t>& arrived);
  /// Takes what a first step finds at rigid contacts for what they do at an instant, for methods
  /// that step over contacts.
  void feel_contacts(double time);
  bool finish_step();
  /// Watches what has happened in the step. @returns false where the observer stops the run
  bool accept_step();
  /// Moves to the end of the step and lets the events there act.
  Arrival end_step();
  Arrival settle_end();
  /// Functions of events that have crossed zero at the end of the step.
  const std::vector<std::size_t>& fired() const {
    return leader_ != nullptr ? leader_->events_.fired() : events_.fired();
  }
  /// Puts an output inside a step where the run keeps its states, and shows it.
  void show_inside(double time);
  /// Begins the segment that follows, if one does.
  void leave_step(const Arrival& arrival);
  Restart reason_of_arrival() const {
    return happened_ ? Restart::state_jumped : Restart::rate_jumped;
  }
  /// @name In run_events.cpp
  /// @{
  /// Carries out the actions of those among some events that happen at the end of the last step.
  /// @returns whether any has
  bool act_on_events(const std::vector<std::size_t>& crossed);
  /// Lets events happen that are due at the start.
  void act_at_start();
  /// Lets events happen whose values jump where a segment begins, or that are due there.
  void act_on_jumps();
  void act_on_jumped(const std::vector<std::size_t>& jumped);
  /// @}
  void output_inside_step();
  const VectorX& interpolate(double time);
  /// Unit of time for root_tolerance(), s.
  double unit() const { return std::min(1.0, duration_); }
  void output_at(double time);

  const double duration_;
  const SimulationSetup& setup_;
  SimulationObserver& observer_;
  const bool may_end_inside_steps_;
  EquationsOfMotion equations_;
  Timeline timeline_;
  OutputTimes outputs_;
  Advancer advancer_;
  RestingContacts contacts_;
  RigidContacts rigid_;
  EventDetector events_;
  RunAccount account_;
  StateCorrections corrections_;
  bool between_steps_ = false;  // whether the memory of the method is complete
  bool has_sensed_ = false;     // whether sense() is done of the segment that begins
  Stage stage_ = Stage::starts;
  Arrival arrival_;
  bool happened_ = false;  // whether the step in work ends on an event
  Step step_;
  VectorX output_x_;
  Breakpoint breakpoint_;
  std::optional<Checkpoint> step_start_;  // of the step in work, if that may take long
  CoarseClock::time_point step_began_;
  Company* company_ = nullptr;
  /// The run whose events this one takes for its own; null: it finds them.
  const Run* leader_ = nullptr;
  std::vector<std::vector<std::size_t>> jumps_;  // events that have jumped at this instant
};

/// A run from t = 0. @param setup, observer  must outlive it
/// @throws DomainError, DimensionError, NumericalError as Simulator::run()
std::unique_ptr<Run> start_run(const SimulationSetup& setup, const State& initial,
                               OutputTimes outputs, const std::vector<double>& stops,
                               SimulationObserver& observer);

}  // namespace spacedyn
