// What events do between two steps of a run.

#include <algorithm>

#include <fmt/format.h>

#include "integration/events/event_actions.hpp"
#include "integration/run/run.hpp"

namespace spacedyn {
namespace {

/// Takes what another event has done to those that follow it: poses from which tasks go on that
/// wait for it, whose value is the time since then, and elements that an impulse has carried over a
/// zero of their functions.
void reset_followers(const std::vector<Event>& events, const EventDetector& detector,
                     EquationsOfMotion& equations, Step& step) {
  if (!equations.update_kinematics(step.x_old, step.t_old)) return;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (!events[i].resets_when_due) continue;
    const double value = events[i].value(equations.context());
    if (value == 0.0 || detector.has_changed_sides(i, value)) {
      reset(events[i], equations, step.x_old);
    }
  }
}

}  // namespace

void Run::reset_at_start() {
  for (const Event& event : setup_.events) {
    if (event.reset && equations_.update_kinematics(step_.x_old, 0.0)) {
      reset(event, equations_, step_.x_old);
    }
  }
}

void Run::act_at_start() {
  const long loop_changes = equations_.held().loop_changes();
  events_.note_conditions(equations_, step_.x_old, 0.0);
  act_on_jumps();
  if (!happened_) return;
  events_.start(equations_, step_.x_old, 0.0);
  equations_.evaluate(step_.x_old, 0.0);
  if (equations_.held().loop_changes() != loop_changes) corrections_.start_loops();
}

void Run::act_on_jumps() {
  if (leader_ != nullptr) {
    for (const std::vector<std::size_t>& jumped : leader_->jumps_) {
      for (const std::size_t i : jumped) events_.sequence().take(i);
      equations_.evaluate(step_.x_old, step_.t_old);
      act_on_jumped(jumped);
    }
    return;
  }
  while (events_.sequence().looks_for_jumps()) {
    const auto jumped = events_.find_jumps(equations_, step_.x_old, step_.t_old);
    equations_.evaluate(step_.x_old, step_.t_old);
    if (jumped.empty()) return;
    jumps_.push_back(jumped);
    act_on_jumped(jumped);
  }
}

void Run::act_on_jumped(const std::vector<std::size_t>& jumped) {
  const long loop_changes = equations_.held().loop_changes();
  if (!act_on_events(jumped)) return;
  happened_ = true;
  if (equations_.held().loop_changes() != loop_changes)
    corrections_.close_path(step_.x_old, step_.t_old);
  begin_segment(step_.t_old, Restart::state_jumped, {});
}

bool Run::act_on_events(const std::vector<std::size_t>& crossed) {
  bool any = false;
  for (const std::size_t i : crossed) {
    if (i >= setup_.events.size()) continue;  // a stop lets go: that is settled later
    const Event& event = setup_.events[i];
    if (!events_.sequence().may_happen(i)) continue;
    if (event.reset && equations_.update_kinematics(step_.x_old, step_.t_old)) {
      reset(event, equations_, step_.x_old);
    }
    if (!event.is_noted) continue;
    // what only happens may happen ever faster, as often as steps can follow
    if (!event.actions.empty() || !event.rate) {
      events_.chatter().count(i, step_.t_old, advancer_.statistics().steps);
    }
    account_.note({step_.t_old, event.name});
    equations_.failure().clear();
    const bool stops = act(i, crossed, setup_, equations_, contacts_, step_.x_old, step_.t_old,
                           account_.result().connections);
    if (equations_.failure()) account_.fail_at(step_.t_old);
    if (stops && !is_stopped()) account_.result().stopped_by = event.name;
    repeat_event(setup_, event, step_.t_old, equations_.discrete());
    reset_followers(setup_.events, events_, equations_, step_);
    events_.sequence().happen(i, step_.t_old);
    any = true;
  }
  if (any) timeline_.renew(setup_, equations_.discrete());
  return any;
}

}  // namespace spacedyn
