/// @file
/// What happens at the instants of a run, between its steps.
#pragma once

#include <vector>

#include "integration/run/run_parts.hpp"

namespace spacedyn {

/// Begins segments between breakpoints: samples, contacts and events act there. Two runs that
/// differ little can pass their instants alike, where one follows the other.
class RunInstants {
 public:
  /// The end of a step, before the segment begins that follows.
  struct Arrival {
    long loop_changes = 0;  // before the actions of events
    bool at_breakpoint = false;
  };

  /// @param parts  must outlive this object
  /// @param stops  instants to land on besides those of the elements
  RunInstants(RunParts& parts, const std::vector<double>& stops)
      : parts_(parts), timeline_(parts.setup, parts.duration, stops) {}
  /// Takes the events and charts of another run from now on. @param leader  must outlive this one
  void follow(const RunInstants& leader) { leader_ = &leader; }

  /// Puts the start on its constraints and sets what elements remember of their sides.
  void prepare_start();
  /// Begins the first segment and shows the start.
  void leave_start();
  /// Goes on from a checkpoint. @param afresh  whether the method forgets what was before
  void go_on(bool afresh);
  /// Shows the output of an instant at which commands from outside are due, with the readings of
  /// sensors, before controllers sample.
  void show_before_commands(Restart reason);

  /// Moves to the end of the step and lets the events there act.
  Arrival end_step();
  /// Lets the events at the beginning of a step act.
  Arrival settle();
  Restart reason_of_arrival() const {
    return parts_.happened ? Restart::state_jumped : Restart::rate_jumped;
  }
  /// Begins the segment that follows, if one does.
  void leave_step(const Arrival& arrival);

 private:
  /// @param arrived  events that happen at this instant
  void begin_segment(double time, Restart reason, const std::vector<std::size_t>& arrived);
  /// The part of it before controllers sample.
  void sense(double time, Restart reason);
  /// Lets stops and rigid contacts decide what they hold from now on.
  void resolve_contacts(double time, const std::vector<std::size_t>& arrived);
  /// Takes what a first step finds at rigid contacts for what they do at an instant, for methods
  /// that step over contacts.
  void feel_contacts(double time);
  /// Functions of events that have crossed zero at the end of the step.
  const std::vector<std::size_t>& fired() const {
    return (leader_ != nullptr ? leader_ : this)->parts_.events.fired();
  }
  /// Carries out the actions of those among some events that happen at the end of the last step.
  /// @returns whether any has
  bool act_on(const std::vector<std::size_t>& crossed);
  /// Lets events happen that are due at the start.
  void act_at_start();
  /// Lets events happen whose values jump where a segment begins, or that are due there.
  void act_on_jumps();
  void act_on_jumped(const std::vector<std::size_t>& jumped);

  RunParts& parts_;
  Timeline timeline_;
  const RunInstants* leader_ = nullptr;          // null: this run finds its events
  bool has_sensed_ = false;                      // in the segment that begins
  std::vector<std::vector<std::size_t>> jumps_;  // events that have jumped at this instant
};

}  // namespace spacedyn
