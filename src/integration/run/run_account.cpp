#include "integration/run/run_account.hpp"

#include <algorithm>

#include "integration/equations/run_memory.hpp"
#include "integration/impulses/step_contacts.hpp"

namespace spacedyn {

RunAccount::RunAccount(const SimulationSetup& setup, EquationsOfMotion& equations,
                       Advancer& advancer, RigidContacts& rigid, SimulationObserver& observer,
                       double unit)
    : setup_(setup),
      equations_(equations),
      advancer_(advancer),
      rigid_(rigid),
      observer_(observer),
      unit_(unit),
      limits_(setup),
      contacts_(setup) {
  for (const EnergySource& source : equations_.balance().sources()) {
    result_.sources.push_back({source.name, {}, {}});
  }
}

AuditPoint RunAccount::start(const Step& step) {
  if (!limits_.is_idle()) limits_.start(setup_, equations_.context());
  if (!contacts_.is_idle()) contacts_.start(equations_.context(), unit_);
  const AuditPoint start = audit(step);
  result_.initial_momentum = start.momentum;
  result_.initial_energy = start.energy;
  equations_.balance().read(step.x_old, sources_);
  for (std::size_t i = 0; i < sources_.size(); ++i) result_.sources[i].start = sources_[i];
  return start;
}

AuditPoint RunAccount::audit(const Step& step) {
  const VectorX& x = step.t_new > step.t_old ? step.x_new : step.x_old;
  AuditPoint point = equations_.audit_point();
  const bool is_due = result_.audit.update(point.momentum, point.scale, point.energy,
                                           equations_.balance().integrals(x),
                                           {step.t_old, step.t_new, point.least_energy});
  if (is_due) result_.audit.attribute(cause_of(step));
  result_.audit.update_attitude(equations_.state().A_0);
  return point;
}

AuditCause RunAccount::cause_of(const Step& step) const {
  const std::vector<EventRecord>& events = result_.events;
  if (!events.empty() && events.back().time >= step.t_old) {
    return {AuditCause::Kind::event, static_cast<int>(events.size()) - 1};
  }
  if (const int source = equations_.balance().busiest_source(); source >= 0) {
    return {AuditCause::Kind::source, source};
  }
  AuditCause fastest;
  double speed = 0.0;
  for (int body = 0; body < equations_.model().body_count(); ++body) {
    const double own = equations_.velocities().omega[static_cast<std::size_t>(body)].norm();
    // what only stands between two coordinates of a joint is no body to look at
    if (!(own > speed) || equations_.model().body(body).mass == 0.0) continue;
    speed = own;
    fastest = {AuditCause::Kind::body, body};
  }
  return fastest;
}

std::string RunAccount::name_of(const AuditCause& cause) const {
  const auto i = static_cast<std::size_t>(cause.index);
  switch (cause.kind) {
    case AuditCause::Kind::none:
      return {};
    case AuditCause::Kind::event:
      return i < result_.events.size() ? result_.events[i].name : std::string();
    case AuditCause::Kind::source:
      return i < result_.sources.size() ? result_.sources[i].name : std::string();
    case AuditCause::Kind::body: {
      const Model& model = equations_.model();
      return i < static_cast<std::size_t>(model.body_count()) ? model.body(cause.index).name
                                                              : std::string();
    }
  }
  return {};
}

void RunAccount::note(const EventRecord& event) {
  result_.events.push_back(event);
  observer_.on_event(event);
}

void RunAccount::watch(const Step& step, const StateInside& inside) {
  watch_tasks(step.t_new);
  if (!contacts_.is_idle()) {
    const auto context_at = [&](double time) {
      equations_.update_kinematics(time < step.t_new ? inside(time) : step.x_new,
                                   time < step.t_new ? time : step.t_new);
      return equations_.context();
    };
    contacts_.see(step.t_old, step.t_new, unit_, advancer_.stepper().watched_parts(), context_at);
  }
  if (!limits_.is_idle()) watch_limits(step, inside);
  StepContacts* contacts = advancer_.stepper().contacts();
  if (contacts == nullptr) return;
  const StateLayout& layout = equations_.layout();
  const auto velocities = Eigen::seqN(layout.v_0(), 6 + layout.joints);
  mean_acceleration_ = (step.x_new(velocities) - step.x_old(velocities)) / step.size();
  contacts->finish_step(step.t_old, step.t_new, [this](double time, const std::string& what) {
    note({time, what});
  });
}

void RunAccount::watch_tasks(double time) {
  for (const SystemElements::Slot& slot : equations_.elements().slots()) {
    if (!slot.declared.shortfall || !SystemElements::is_on(slot, equations_.discrete())) continue;
    const std::string name = slot.element().name() + " is limited";
    const bool is_known = std::any_of(result_.events.begin(), result_.events.end(),
                                      [&](const EventRecord& event) { return event.name == name; });
    if (is_known) continue;
    const auto found = slot.declared.shortfall(slice_of(equations_.context(), slot.slice));
    if (!found) continue;
    note({time, name, true});
    if (!found->empty()) note({time, slot.element().name() + " " + *found, true});
  }
}

void RunAccount::watch_limits(const Step& step, const StateInside& inside) {
  const auto state_at = [&](double time) -> const State& {
    if (time <= step.t_old) {
      equations_.update_kinematics(step.x_old, step.t_old);
    } else {
      equations_.update_kinematics(inside(time), time);
    }
    return equations_.state();
  };
  // references may swing faster than a method's steps tell
  const int parts = equations_.has_prescribed_motion() ? advancer_.stepper().watched_parts() : 1;
  limits_.see(step.t_old, step.t_new, parts, equations_.state(), state_at,
              [this](const EventRecord& event) { note(event); });
}

void RunAccount::read_contacts(const EquationsOfMotion& equations,
                               std::vector<ContactReading>& readings) const {
  rigid_.read(equations, readings);
  const StepContacts* contacts = advancer_.stepper().contacts();
  if (contacts != nullptr) contacts->read(equations, readings);
}

void RunAccount::emit(double time, const VectorX& x) {
  const AuditPoint now = equations_.audit_point();
  const AuditIntegrals integrals = equations_.balance().integrals(x);
  equations_.balance().read(x, sources_);
  read_contacts(equations_, readings_);
  observer_.on_output(
      {time, equations_.model(), equations_.state(), equations_.frames(), equations_.velocities(),
       equations_.acceleration(), equations_.forces(), now.momentum, now.energy, integrals,
       sources_, equations_.mobility(), equations_.discrete(), equations_.held().multipliers(),
       readings_, mean_acceleration_.size() > 0 ? mean_acceleration_ : equations_.acceleration(),
       equations_.loads()});
  ++emitted_;
}

const SimulationResult& RunAccount::finish(const Step& step) {
  result_.time = step.t_old;
  result_.state = equations_.state();
  const AuditPoint end = equations_.audit_point();
  result_.final_momentum = end.momentum;
  result_.final_energy = end.energy;
  result_.integrals = equations_.balance().integrals(step.x_old);
  equations_.balance().read(step.x_old, sources_);
  for (std::size_t i = 0; i < sources_.size(); ++i) result_.sources[i].end = sources_[i];
  const auto integrals = step.x_old.tail(equations_.layout().element_integrals);
  result_.contacts = contacts_.summaries(step.t_old, integrals);
  const StepContacts* contacts = advancer_.stepper().contacts();
  for (ContactSummary& summary : contacts != nullptr ? contacts->summaries(step.t_old, integrals)
                                                     : rigid_.summaries(step.t_old, integrals)) {
    result_.contacts.push_back(std::move(summary));
  }
  result_.audit.name_causes([this](const AuditCause& cause) { return name_of(cause); });
  result_.statistics = advancer_.statistics();
  result_.statistics.evaluations = equations_.watch().evaluations();
  result_.limited_by_stability = advancer_.is_limited_by_stability();
  for (EventRecord& warning : advancer_.watch().warnings(equations_.elements(), step.t_old)) {
    result_.limited_by_stability = true;
    note(warning);
  }
  return result_;
}

void RunAccount::evaluate(Step& step, double time) {
  equations_(step.x_old, step.rate_old, time);
  if (equations_.failure()) fail_at(time);
}

void RunAccount::fail_at(double time) const {
  throw numerical_error(equations_.model(), equations_.layout(), equations_.failure(), time,
                        advancer_.statistics().steps);
}

void RunAccount::transfer(Archive& archive) {
  archive(limits_, contacts_);
  archive.tally(emitted_);
  transfer_momentum(archive, result_.initial_momentum);
  Energy& energy = result_.initial_energy;
  archive(energy.kinetic, energy.gravity, energy.elastic, result_.audit, result_.stopped_by);
  std::size_t count = result_.events.size();
  archive(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i == result_.events.size()) result_.events.emplace_back();
    archive(result_.events[i].time, result_.events[i].name, result_.events[i].is_warning);
  }
  count = result_.connections.size();
  archive(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i == result_.connections.size()) result_.connections.emplace_back();
    ConnectionRecord& made = result_.connections[i];
    archive(made.name, made.time, made.impulse, made.angular_impulse, made.energy_lost);
  }
  LoopSummary& loops = result_.loops;
  archive(loops.position_residual, loops.velocity_residual, loops.rank, loops.rows,
          loops.redundant);
  for (SourceBudget& budget : result_.sources) archive(budget.start.stored);
  advancer_.transfer_statistics(archive);
}

}  // namespace spacedyn
