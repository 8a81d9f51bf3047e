#include "integration/run/run_instants.hpp"

#include <algorithm>

#include "integration/events/event_actions.hpp"

namespace spacedyn {
namespace {

/// Takes what another event has done to those that follow it: poses from which tasks go on that
/// wait for it, whose value is the time since then, and elements that an impulse has carried over a
/// zero of their functions.
void reset_followers(RunParts& parts) {
  EquationsOfMotion& equations = parts.equations;
  const std::vector<Event>& events = parts.setup.events;
  if (!equations.update_kinematics(parts.step.x_old, parts.step.t_old)) return;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (!events[i].resets_when_due) continue;
    const double value = events[i].value(equations.context());
    if (value == 0.0 || parts.events.has_changed_sides(i, value)) {
      reset(events[i], equations, parts.step.x_old);
    }
  }
}

}  // namespace

void RunInstants::prepare_start() {
  VectorX& x = parts_.step.x_old;
  parts_.corrections.close_path(x, 0.0);
  for (const Event& event : parts_.setup.events) {
    if (event.reset && parts_.equations.update_kinematics(x, 0.0)) {
      reset(event, parts_.equations, x);
    }
  }
}

void RunInstants::leave_start() {
  const VectorX& x = parts_.step.x_old;
  const std::vector<std::size_t> arrived = parts_.contacts.touched(parts_.equations, x, 0.0);
  // what collides at once has lost its energy in the run
  if (parts_.equations.update_kinematics(x, 0.0)) parts_.account.start(parts_.step);
  begin_segment(0.0, Restart::state_jumped, arrived);
  parts_.events.start(parts_.equations, x, 0.0);
  parts_.corrections.start_loops();
  parts_.corrections.start(parts_.account.audit(parts_.step));
  act_at_start();
  parts_.output_at(0.0);
}

void RunInstants::go_on(bool afresh) {
  timeline_.renew(parts_.setup, parts_.equations.discrete());
  if (!afresh) return;
  begin_segment(parts_.step.t_old, Restart::state_jumped, {});
  parts_.output_at(parts_.step.t_old);
}

void RunInstants::show_before_commands(Restart reason) {
  const double now = parts_.step.t_old;
  sense(now, reason);
  has_sensed_ = true;
  if (parts_.equations.failure() || !parts_.equations.evaluate(parts_.step.x_old, now)) {
    parts_.account.fail_at(now);
  }
  parts_.output_at(now);
}

void RunInstants::begin_segment(double time, Restart reason,
                                const std::vector<std::size_t>& arrived) {
  if (!has_sensed_) sense(time, reason);
  has_sensed_ = false;
  EquationsOfMotion& equations = parts_.equations;
  equations.samplers().sample_controllers(equations);
  // the segment's end is known only after sampled controllers have been served
  const double next_sample = equations.samplers().next(equations.discrete());
  const double next = std::min(next_sample, parts_.events.sequence().next_due());
  parts_.breakpoint = timeline_.next(time, next);
  equations.end_segment_at(parts_.breakpoint.last_before);
  if (reason == Restart::state_jumped) feel_contacts(time);
  parts_.account.evaluate(parts_.step, time);
  resolve_contacts(time, arrived);
}

void RunInstants::sense(double time, Restart reason) {
  EquationsOfMotion& equations = parts_.equations;
  equations.failure().clear();
  parts_.advancer.stepper().restart(reason);
  if (reason == Restart::state_jumped && !parts_.setup.sensors.empty()) feel_contacts(time);
  equations.begin_segment(parts_.step.x_old, time);
  equations.samplers().sample_sensors(equations, parts_.step.x_old);
}

void RunInstants::resolve_contacts(double time, const std::vector<std::size_t>& arrived) {
  constexpr int kMostPasses = 8;  // each may contradict the other
  Step& step = parts_.step;
  const std::function<void()> evaluate = [this, time] {
    parts_.account.evaluate(parts_.step, time);
  };
  const std::function<void(double, const std::string&)> note_at = [&](double instant,
                                                                      const std::string& what) {
    parts_.account.note({instant, what});
  };
  const ContactInstant now{parts_.equations, parts_.contacts, step.x_old, step.rate_old, time,
                           parts_.unit(),    evaluate,        note_at};
  std::vector<std::size_t> events = arrived;
  bool must_decide = parts_.happened;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const bool stops_change = parts_.contacts.resolve(now, events);
    const bool rigid_changes = parts_.rigid.resolve(now, must_decide || stops_change);
    if (stops_change || rigid_changes) parts_.advancer.stepper().restart(Restart::state_jumped);
    if (!rigid_changes) return;
    events.clear();
    must_decide = false;
  }
}

void RunInstants::feel_contacts(double time) {
  EquationsOfMotion& equations = parts_.equations;
  Stepper& stepper = parts_.advancer.stepper();
  if (stepper.contacts() == nullptr) return;
  const Uncounted pause(equations.watch());
  equations.begin_step(parts_.step.x_old, time);
  parts_.account.evaluate(parts_.step, time);
  Step first = parts_.step;
  first.t_old = time;
  first.t_new = time + parts_.setup.integrator.step;
  stepper.attempt(equations, first);
  equations.failure().clear();
}

RunInstants::Arrival RunInstants::end_step() {
  parts_.step.advance();
  return settle();
}

RunInstants::Arrival RunInstants::settle() {
  EquationsOfMotion& equations = parts_.equations;
  Step& step = parts_.step;
  parts_.corrections.settle(step);
  if (leader_ != nullptr) {
    equations.charts().adopt(leader_->parts_.equations.charts(), step.x_old);
  } else if (equations.charts().recentre(step.x_old, step.rate_old)) {
    parts_.advancer.stepper().restart(Restart::chart_moved);
  }
  const long loop_changes = equations.held().loop_changes();
  const bool at_breakpoint = step.t_old == parts_.breakpoint.time;
  if (parts_.happened || at_breakpoint) {
    parts_.events.note_conditions(equations, step.x_old, step.t_old);
  }
  if (parts_.happened) act_on(fired());
  if (equations.held().loop_changes() != loop_changes) {
    parts_.corrections.close_path(step.x_old, step.t_old);
  }
  return {loop_changes, at_breakpoint};
}

void RunInstants::leave_step(const Arrival& arrival) {
  if (!parts_.happened && !arrival.at_breakpoint) return;
  const Step& step = parts_.step;
  const auto arrived = parts_.happened ? fired() : std::vector<std::size_t>();
  begin_segment(step.t_old, reason_of_arrival(), arrived);
  jumps_.clear();
  act_on_jumps();
  if (leader_ != nullptr) return;
  if (parts_.happened) {
    parts_.events.resume(parts_.equations, step);
    // it has looked a moment ahead
    parts_.equations.evaluate(step.x_old, step.t_old);
  }
  if (parts_.equations.held().loop_changes() != arrival.loop_changes) {
    parts_.corrections.start_loops();
  }
  parts_.output_at(step.t_old);
}

void RunInstants::act_at_start() {
  EquationsOfMotion& equations = parts_.equations;
  const VectorX& x = parts_.step.x_old;
  const long loop_changes = equations.held().loop_changes();
  parts_.events.note_conditions(equations, x, 0.0);
  act_on_jumps();
  if (!parts_.happened) return;
  parts_.events.start(equations, x, 0.0);
  equations.evaluate(x, 0.0);
  if (equations.held().loop_changes() != loop_changes) parts_.corrections.start_loops();
}

void RunInstants::act_on_jumps() {
  EquationsOfMotion& equations = parts_.equations;
  const Step& step = parts_.step;
  EventSequence& sequence = parts_.events.sequence();
  if (leader_ != nullptr) {
    for (const std::vector<std::size_t>& jumped : leader_->jumps_) {
      for (const std::size_t i : jumped) sequence.take(i);
      equations.evaluate(step.x_old, step.t_old);
      act_on_jumped(jumped);
    }
    return;
  }
  while (sequence.looks_for_jumps()) {
    const auto jumped = parts_.events.find_jumps(equations, step.x_old, step.t_old);
    equations.evaluate(step.x_old, step.t_old);
    if (jumped.empty()) return;
    jumps_.push_back(jumped);
    act_on_jumped(jumped);
  }
}

void RunInstants::act_on_jumped(const std::vector<std::size_t>& jumped) {
  Step& step = parts_.step;
  const long loop_changes = parts_.equations.held().loop_changes();
  if (!act_on(jumped)) return;
  parts_.happened = true;
  if (parts_.equations.held().loop_changes() != loop_changes) {
    parts_.corrections.close_path(step.x_old, step.t_old);
  }
  begin_segment(step.t_old, Restart::state_jumped, {});
}

bool RunInstants::act_on(const std::vector<std::size_t>& crossed) {
  EquationsOfMotion& equations = parts_.equations;
  RunAccount& account = parts_.account;
  const SimulationSetup& setup = parts_.setup;
  const double now = parts_.step.t_old;
  VectorX& x = parts_.step.x_old;
  bool any = false;
  for (const std::size_t i : crossed) {
    if (i >= setup.events.size()) continue;  // a stop lets go: that is settled later
    const Event& event = setup.events[i];
    if (!parts_.events.sequence().may_happen(i)) continue;
    if (event.reset && equations.update_kinematics(x, now)) reset(event, equations, x);
    if (!event.is_noted) continue;
    // what only happens may happen ever faster, as often as steps can follow
    if (!event.actions.empty() || !event.rate) {
      parts_.events.chatter().count(i, now, parts_.advancer.statistics().steps);
    }
    account.note({now, event.name});
    equations.failure().clear();
    const bool stops =
        act(i, crossed, setup, equations, parts_.contacts, x, now, account.result().connections);
    if (equations.failure()) account.fail_at(now);
    if (stops && !parts_.is_stopped()) account.result().stopped_by = event.name;
    repeat_event(setup, event, now, equations.discrete());
    reset_followers(parts_);
    parts_.events.sequence().happen(i, now);
    any = true;
  }
  if (any) timeline_.renew(setup, equations.discrete());
  return any;
}

}  // namespace spacedyn
