#include "integration/run/run.hpp"

#include <algorithm>

#include "integration/impulses/step_contacts.hpp"

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
      limits_(setup),
      contact_watch_(setup),
      step_(equations_.layout().size()),
      output_x_(equations_.layout().size()),
      centroid_path_(setup),
      loops_(setup, duration_, equations_) {
  equations_.start(initial, step_.x_old);
  events_.read_contacts_by(
      [this](const EquationsOfMotion& equations, std::vector<ContactReading>& readings) {
        rigid_.read(equations, readings);
        const StepContacts* contacts = advancer_.stepper().contacts();
        if (contacts != nullptr) contacts->read(equations, readings);
      });
  for (const EnergySource& source : equations_.balance().sources()) {
    result_.sources.push_back({source.name, {}, {}});
  }
}

SimulationResult Run::go() { return begins() ? loop() : finish(); }

void Run::begin() {
  prepare_start();
  leave_start();
}

void Run::prepare_start() {
  close_path(0.0);
  reset_at_start();
}

void Run::leave_start() {
  begin_segment(0.0, Restart::state_jumped, contacts_.touched(equations_, step_.x_old, 0.0));
  events_.start(equations_, step_.x_old, 0.0);
  if (!limits_.is_idle()) limits_.start(setup_, equations_.context());
  if (!contact_watch_.is_idle()) contact_watch_.start(equations_.context(), unit());
  loops_.start(equations_, result_.loops);
  const AuditPoint start = audit();
  result_.initial_momentum = start.momentum;
  result_.initial_energy = start.energy;
  equations_.balance().read(step_.x_old, sources_);
  for (std::size_t i = 0; i < sources_.size(); ++i) result_.sources[i].start = sources_[i];
  centroid_path_.start(start);
  projection_.start(equations_);
  act_at_start();
  output_at(0.0);
  if (company_ != nullptr) company_->begin();
}

SimulationResult Run::loop() {
  try {
    bool goes_on = result_.stopped_by.empty();
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
  if (step_.t_old < duration_ && result_.stopped_by.empty()) give_checkpoint();
  return finish();
}

void Run::begin_segment(double time, Restart reason, const std::vector<std::size_t>& arrived) {
  if (!has_sensed_) sense(time, reason);
  has_sensed_ = false;
  equations_.samplers().sample_controllers(equations_);
  // the segment's end is known only after sampled controllers have been served
  const double next_sample = equations_.samplers().next(equations_.discrete());
  breakpoint_ = timeline_.next(time, std::min(next_sample, events_.next_due()));
  equations_.end_segment_at(breakpoint_.last_before);
  if (reason == Restart::state_jumped) feel_contacts(time);
  evaluate_start(time);
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
  const std::function<void()> evaluate = [&] { evaluate_start(time); };
  const std::function<void(double, const std::string&)> note_at = [&](double instant,
                                                                      const std::string& what) {
    note({instant, what});
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
  evaluate_start(time);
  Step first = step_;
  first.t_old = time;
  first.t_new = time + setup_.integrator.step;
  advancer_.stepper().attempt(equations_, first);
  equations_.failure().clear();
}

void Run::evaluate_start(double time) {
  equations_(step_.x_old, step_.rate_old, time);
  if (equations_.failure()) fail_at(time);
}

void Run::fail_at(double time) const {
  throw numerical_error(equations_.model(), equations_.layout(), equations_.failure(), time,
                        advancer_.statistics().steps);
}

bool Run::finish_step() {
  if (company_ != nullptr) company_->take_step();
  const bool goes_on = accept_step();
  if (company_ != nullptr) company_->correct_end();
  output_inside_step();
  if (company_ != nullptr) company_->reach_end();
  const long shown = emitted_;
  leave_step(end_step());
  if (company_ != nullptr) company_->leave_end(emitted_ > shown);
  return goes_on && result_.stopped_by.empty();
}

bool Run::accept_step() {
  keep_centroid_path(audit());
  advancer_.accept(step_);
  watch_tasks();
  if (!contact_watch_.is_idle()) watch_contacts();
  if (!limits_.is_idle()) watch_limits();
  if (advancer_.stepper().contacts() != nullptr) {
    const StateLayout& layout = equations_.layout();
    const auto velocities = Eigen::seqN(layout.v_0(), 6 + layout.joints);
    mean_acceleration_ =
        (step_.x_new(velocities) - step_.x_old(velocities)) / (step_.t_new - step_.t_old);
  }
  if (StepContacts* contacts = advancer_.stepper().contacts()) {
    contacts->finish_step(step_.t_old, step_.t_new, [this](double time, const std::string& what) {
      note({time, what});
    });
  }
  const IntegratorStatistics& cost = advancer_.statistics();
  return observer_.on_step(step_.t_new,
                           {cost.steps, cost.rejected, equations_.watch().evaluations()});
}

Run::Arrival Run::end_step() {
  step_.advance();
  return settle_end();
}

Run::Arrival Run::settle_end() {
  if (equations_.held().loops() != nullptr || equations_.held().motions() != nullptr) close_loops();
  if (RigidContacts::needs_forces(equations_)) close_contacts();
  if (setup_.integrator.project_momentum) project();
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
  if (equations_.held().loop_changes() != loop_changes) close_path(step_.t_old);
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
    loops_.start(equations_, result_.loops);
  }
  output_at(step_.t_old);
}

void Run::watch_limits() {
  const auto state_at = [this](double time) -> const State& {
    if (time <= step_.t_old) {
      equations_.update_kinematics(step_.x_old, step_.t_old);
    } else {
      interpolate(time);
      equations_.update_kinematics(output_x_, time);
    }
    return equations_.state();
  };
  // references may swing faster than a method's steps tell
  const int parts = equations_.has_prescribed_motion() ? advancer_.stepper().watched_parts() : 1;
  limits_.see(step_.t_old, step_.t_new, parts, equations_.state(), state_at,
              [this](const EventRecord& event) { note(event); });
}

void Run::watch_contacts() {
  const auto context_at = [this](double time) {
    if (time < step_.t_new) {
      interpolate(time);
      equations_.update_kinematics(output_x_, time);
    } else {
      equations_.update_kinematics(step_.x_new, step_.t_new);
    }
    return equations_.context();
  };
  contact_watch_.see(step_.t_old, step_.t_new, unit(), advancer_.stepper().watched_parts(),
                     context_at);
}

void Run::keep_centroid_path(const AuditPoint& end) {
  if (!centroid_path_.moves_steps()) return;
  const Vector3 removed = centroid_path_.apply(equations_, end, step_.x_new, step_.t_new);
  if (removed.isZero(0.0)) return;
  result_.audit.count_removed(removed, Vector3::Zero());
  step_.rate_new.segment<3>(StateLayout::r_0) = step_.x_new.segment<3>(equations_.layout().v_0());
}

void Run::project() {
  const MomentumProjection::Removed removed =
      projection_.apply(equations_, step_.x_old, step_.t_old);
  result_.audit.count_removed(removed.linear, removed.angular);
  equations_(step_.x_old, step_.rate_old, step_.t_old);
}

void Run::close_path(double time) {
  if (!loops_.moves_states()) return;
  if (!loops_.close(equations_, step_.x_old, time) || !loops_.note_ranks(equations_)) fail_at(time);
}

void Run::close_loops() {
  if (loops_.moves_states()) equations_.failure().clear();
  close_path(step_.t_old);
  evaluate_start(step_.t_old);
  loops_.watch(equations_, result_.loops);
}

void Run::close_contacts() {
  equations_.failure().clear();
  if (!rigid_.close(equations_, step_.x_old, step_.t_old)) fail_at(step_.t_old);
  evaluate_start(step_.t_old);
  rigid_.watch(equations_);
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
  if (setup_.integrator.project_momentum) {
    projection_.apply(equations_, output_x_, time);
  } else if (equations_.update_kinematics(output_x_, time)) {
    centroid_path_.apply(equations_, equations_.audit_point(), output_x_, time);
  }
  if (loops_.moves_states()) loops_.close(equations_, output_x_, time);
  rigid_.close(equations_, output_x_, time);
  if (!equations_.evaluate(output_x_, time)) fail_at(step_.t_old);
  emit(time, output_x_);
}

void Run::interpolate(double time) {
  const Uncounted pause(equations_.watch());
  advancer_.stepper().interpolate(equations_, step_, time, output_x_);
}

void Run::output_at(double time) {
  if (!outputs_.is_due(time)) return;
  emit(outputs_.next(), step_.x_old);
  outputs_.advance();
}

void Run::emit(double time, const VectorX& x) {
  const AuditPoint now = equations_.audit_point();
  const AuditIntegrals integrals = equations_.balance().integrals(x);
  equations_.balance().read(x, sources_);
  rigid_.read(equations_, readings_);
  if (const StepContacts* contacts = advancer_.stepper().contacts()) {
    contacts->read(equations_, readings_);
  }
  observer_.on_output(
      {time, equations_.model(), equations_.state(), equations_.frames(), equations_.velocities(),
       equations_.acceleration(), equations_.forces(), now.momentum, now.energy, integrals,
       sources_, equations_.mobility(), equations_.discrete(), equations_.held().multipliers(),
       readings_, mean_acceleration_.size() > 0 ? mean_acceleration_ : equations_.acceleration(),
       equations_.loads()});
  ++emitted_;
}

SimulationResult Run::finish() {
  // an interrupted run has not evaluated the equations at its end yet
  equations_.failure().clear();
  equations_.evaluate(step_.x_old, step_.t_old);
  result_.time = step_.t_old;
  result_.interrupted = step_.t_old < duration_ && result_.stopped_by.empty();
  if (!result_.stopped_by.empty() && outputs_.last() < step_.t_old) emit(step_.t_old, step_.x_old);
  result_.state = equations_.state();
  const AuditPoint end = equations_.audit_point();
  result_.final_momentum = end.momentum;
  result_.final_energy = end.energy;
  result_.integrals = equations_.balance().integrals(step_.x_old);
  equations_.balance().read(step_.x_old, sources_);
  for (std::size_t i = 0; i < sources_.size(); ++i) result_.sources[i].end = sources_[i];
  result_.contacts = contact_watch_.summaries(
      step_.t_old, step_.x_old.tail(equations_.layout().element_integrals));
  const auto integrals = step_.x_old.tail(equations_.layout().element_integrals);
  const StepContacts* contacts = advancer_.stepper().contacts();
  for (ContactSummary& summary : contacts != nullptr ? contacts->summaries(step_.t_old, integrals)
                                                     : rigid_.summaries(step_.t_old, integrals)) {
    result_.contacts.push_back(std::move(summary));
  }
  result_.audit.name_causes([this](const AuditCause& cause) { return name_of(cause); });
  result_.statistics = advancer_.statistics();
  result_.statistics.evaluations = equations_.watch().evaluations();
  result_.limited_by_stability = advancer_.is_limited_by_stability();
  for (EventRecord& warning : advancer_.watch().warnings(equations_.elements(), step_.t_old)) {
    result_.limited_by_stability = true;
    note(warning);
  }
  return result_;
}

}  // namespace spacedyn
