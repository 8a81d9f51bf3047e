#include "integration/run/run.hpp"

#include <algorithm>

namespace spacedyn {

Run::Run(const SimulationSetup& setup, const State& initial, OutputTimes outputs,
         const std::vector<double>& stops, SimulationObserver& observer)
    : duration_(outputs.duration()),
      setup_(setup),
      observer_(observer),
      may_end_inside_steps_(observer.may_end_inside_steps()),
      equations_(setup),
      timeline_(setup, duration_, stops),
      outputs_(std::move(outputs)),
      advancer_(setup, equations_, duration_),
      contacts_(setup, equations_),
      rigid_(setup, equations_),
      events_(setup.events, contacts_, rigid_, unit()),
      account_(setup, equations_, advancer_, rigid_, observer, unit()),
      corrections_(setup, duration_, equations_, rigid_, account_),
      step_(equations_.layout().size()),
      output_x_(equations_.layout().size()) {
  equations_.start(initial, step_.x_old);
  events_.read_contacts_by(
      [this](const EquationsOfMotion& equations, std::vector<ContactReading>& readings) {
        account_.read_contacts(equations, readings);
      });
}

SimulationResult Run::go() { return begins() ? loop() : finish(); }

void Run::begin() {
  prepare_start();
  leave_start();
}

void Run::prepare_start() {
  corrections_.close_path(step_.x_old, 0.0);
  reset_at_start();
}

void Run::leave_start() {
  begin_segment(0.0, Restart::state_jumped, contacts_.touched(equations_, step_.x_old, 0.0));
  events_.start(equations_, step_.x_old, 0.0);
  corrections_.start_loops();
  corrections_.start(account_.start(step_));
  act_at_start();
  output_at(0.0);
  if (company_ != nullptr) company_->begin();
}

SimulationResult Run::loop() {
  try {
    bool goes_on = !is_stopped();
    while (goes_on && step_.t_old < duration_) {
      prepare_for_interrupt();
      between_steps_ = advancer_.is_exhausted();
      make_step();
      goes_on = finish_step();
      between_steps_ = true;
      if (observer_.wants_checkpoint()) give_checkpoint();
    }
  } catch (const NumericalError&) {
    give_checkpoint();
    throw;
  } catch (const Interruption&) {
    return end_inside_step();
  }
  if (!ends()) give_checkpoint();
  return finish();
}

void Run::begin_segment(double time, Restart reason, const std::vector<std::size_t>& arrived) {
  if (!has_sensed_) sense(time, reason);
  has_sensed_ = false;
  equations_.samplers().sample_controllers(equations_);
  // the segment's end is known only after sampled controllers have been served
  const double next_sample = equations_.samplers().next(equations_.discrete());
  breakpoint_ = timeline_.next(time, std::min(next_sample, events_.sequence().next_due()));
  equations_.end_segment_at(breakpoint_.last_before);
  if (reason == Restart::state_jumped) feel_contacts(time);
  account_.evaluate(step_, time);
  resolve_contacts(time, arrived);
}

void Run::sense(double time, Restart reason) {
  equations_.failure().clear();
  advancer_.stepper().restart(reason);
  if (reason == Restart::state_jumped && !setup_.sensors.empty()) feel_contacts(time);
  equations_.begin_segment(step_.x_old, time);
  equations_.samplers().sample_sensors(equations_, step_.x_old);
}

void Run::resolve_contacts(double time, const std::vector<std::size_t>& arrived) {
  constexpr int kMostPasses = 8;  // each may contradict the other
  const std::function<void()> evaluate = [&] { account_.evaluate(step_, time); };
  const std::function<void(double, const std::string&)> note_at = [&](double instant,
                                                                      const std::string& what) {
    account_.note({instant, what});
  };
  const ContactInstant now{equations_, contacts_, step_.x_old, step_.rate_old,
                           time,       unit(),    evaluate,    note_at};
  std::vector<std::size_t> events = arrived;
  bool must_decide = happened_;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const bool stops_change = contacts_.resolve(now, events);
    const bool rigid_changes = rigid_.resolve(now, must_decide || stops_change);
    if (stops_change || rigid_changes) advancer_.stepper().restart(Restart::state_jumped);
    if (!rigid_changes) return;
    events.clear();
    must_decide = false;
  }
}

void Run::feel_contacts(double time) {
  if (advancer_.stepper().contacts() == nullptr) return;
  const Uncounted pause(equations_.watch());
  equations_.begin_step(step_.x_old, time);
  account_.evaluate(step_, time);
  Step first = step_;
  first.t_old = time;
  first.t_new = time + setup_.integrator.step;
  advancer_.stepper().attempt(equations_, first);
  equations_.failure().clear();
}

bool Run::finish_step() {
  if (company_ != nullptr) company_->take_step();
  const bool goes_on = accept_step();
  if (company_ != nullptr) company_->correct_end();
  output_inside_step();
  if (company_ != nullptr) company_->reach_end();
  const long shown = account_.emitted();
  leave_step(end_step());
  if (company_ != nullptr) company_->leave_end(account_.emitted() > shown);
  return goes_on && !is_stopped();
}

bool Run::accept_step() {
  corrections_.keep_centroid_path(account_.audit(step_), step_);
  advancer_.accept(step_);
  account_.watch(step_, [this](double time) -> const VectorX& { return interpolate(time); });
  const IntegratorStatistics& cost = advancer_.statistics();
  return observer_.on_step(step_.t_new,
                           {cost.steps, cost.rejected, equations_.watch().evaluations()});
}

Run::Arrival Run::end_step() {
  step_.advance();
  return settle_end();
}

Run::Arrival Run::settle_end() {
  corrections_.settle(step_);
  if (leader_ != nullptr) {
    equations_.charts().adopt(leader_->equations_.charts(), step_.x_old);
  } else if (equations_.charts().recentre(step_.x_old, step_.rate_old)) {
    advancer_.stepper().restart(Restart::chart_moved);
  }
  const long loop_changes = equations_.held().loop_changes();
  const bool at_breakpoint = step_.t_old == breakpoint_.time;
  if (happened_ || at_breakpoint) {
    events_.note_conditions(equations_, step_.x_old, step_.t_old);
  }
  if (happened_) act_on_events(fired());
  if (equations_.held().loop_changes() != loop_changes)
    corrections_.close_path(step_.x_old, step_.t_old);
  return {loop_changes, at_breakpoint};
}

void Run::leave_step(const Arrival& arrival) {
  if (!happened_ && !arrival.at_breakpoint) return;
  const std::vector<std::size_t> arrived = happened_ ? fired() : std::vector<std::size_t>();
  begin_segment(step_.t_old, reason_of_arrival(), arrived);
  jumps_.clear();
  act_on_jumps();
  if (leader_ != nullptr) return;
  if (happened_) {
    events_.resume(equations_, step_);
    // it has looked a moment ahead
    equations_.evaluate(step_.x_old, step_.t_old);
  }
  if (equations_.held().loop_changes() != arrival.loop_changes) {
    corrections_.start_loops();
  }
  output_at(step_.t_old);
}

void Run::output_inside_step() {
  const bool lands = happened_ || step_.t_new == breakpoint_.time;
  const auto is_inside = [&] {
    return lands ? outputs_.is_before(step_.t_new) : outputs_.next() <= step_.t_new;
  };
  while (is_inside()) {
    leave_if_asked();
    interpolate(outputs_.next());
    show_inside(outputs_.next());
    if (company_ != nullptr) company_->show(outputs_.next());
    outputs_.advance();
  }
}

void Run::show_inside(double time) {
  corrections_.place_inside(output_x_, time);
  if (!equations_.evaluate(output_x_, time)) account_.fail_at(step_.t_old);
  account_.emit(time, output_x_);
}

const VectorX& Run::interpolate(double time) {
  const Uncounted pause(equations_.watch());
  advancer_.stepper().interpolate(equations_, step_, time, output_x_);
  return output_x_;
}

void Run::output_at(double time) {
  if (!outputs_.is_due(time)) return;
  account_.emit(outputs_.next(), step_.x_old);
  outputs_.advance();
}

SimulationResult Run::finish() {
  // an interrupted run has not evaluated the equations at its end yet
  equations_.failure().clear();
  equations_.evaluate(step_.x_old, step_.t_old);
  account_.result().interrupted = !ends();
  if (is_stopped() && outputs_.last() < step_.t_old) account_.emit(step_.t_old, step_.x_old);
  return account_.finish(step_);
}

}  // namespace spacedyn
