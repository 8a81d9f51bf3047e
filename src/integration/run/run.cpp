#include "integration/run/run.hpp"

#include <algorithm>

#include "system/instants.hpp"

namespace spacedyn {
namespace {

/// A checkpoint costs nothing beside a step that takes longer, or has more outputs.
constexpr CoarseClock::duration kSlowStep = std::chrono::milliseconds(20);
constexpr double kManyOutputs = 64.0;

/// Lets evaluations ask the observer for a while.
class Asking {
 public:
  Asking(RunParts& parts, bool asks) : equations_(parts.equations) {
    equations_.watch().ask(asks ? &parts.observer : nullptr);
  }
  ~Asking() { equations_.watch().ask(nullptr); }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

 private:
  EquationsOfMotion& equations_;
};

/// Whether a controller samples commands from outside where an output is due.
bool awaits_commands(const RunParts& parts) {
  const double now = latest_same_instant(parts.step.t_old);
  if (!parts.outputs.is_due(parts.step.t_old)) return false;
  const auto& states = parts.equations.discrete().controllers;
  const auto& slots = parts.equations.elements().slots();
  return std::any_of(slots.begin(), slots.end(), [&](const SystemElements::Slot& slot) {
    if (!slot.declared.awaits_commands) return false;
    const long next = states[slot.controller_index].next_sample;
    return static_cast<double>(next) * slot.controller->sample_period() <= now;
  });
}

}  // namespace

Run::Run(const SimulationSetup& setup, const State& initial, OutputTimes outputs,
         const std::vector<double>& stops, SimulationObserver& observer)
    : parts_(setup, initial, std::move(outputs), observer),
      instants_(parts_, stops),
      may_end_inside_steps_(observer.may_end_inside_steps()) {}

SimulationResult Run::go() { return begins() ? loop() : finish(); }

SimulationResult Run::go_on(const Checkpoint& checkpoint) {
  instants_.go_on(!restore(checkpoint, parts_));
  return loop();
}

void Run::advance_to(double time, double interval) {
  parts_.outputs.ask(time, interval);
  while (!parts_.outputs.is_done() && !is_over()) proceed();
  // nothing commands any more
  if (stage_ == Stage::arrived && parts_.ends()) proceed();
}

void Run::proceed() {
  switch (stage_) {
    case Stage::starts:
      instants_.prepare_start();
      stage_ = Stage::begins;
      if (awaits_commands(parts_)) instants_.show_before_commands(Restart::state_jumped);
      return;
    case Stage::begins:
      instants_.leave_start();
      stage_ = Stage::between;
      return;
    case Stage::between:
      make_step();
      accept_step();
      stage_ = Stage::inside;
      return;
    case Stage::inside:
      output_inside_step();
      if (parts_.outputs.is_done()) return;
      arrival_ = instants_.end_step();
      stage_ = Stage::arrived;
      if (awaits_commands(parts_)) instants_.show_before_commands(instants_.reason_of_arrival());
      return;
    case Stage::arrived:
      instants_.leave_step(arrival_);
      stage_ = Stage::between;
      return;
  }
}

bool Run::begins() {
  const Asking asking(parts_, may_end_inside_steps_);
  try {
    instants_.prepare_start();
    instants_.leave_start();
    if (company_ != nullptr) company_->begin(instants_);
    return true;
  } catch (const Interruption&) {
    return false;
  }
}

SimulationResult Run::loop() {
  try {
    bool goes_on = !parts_.is_stopped();
    while (goes_on && parts_.step.t_old < parts_.duration) {
      prepare_for_interrupt();
      between_steps_ = parts_.advancer.is_exhausted();
      make_step();
      goes_on = finish_step();
      between_steps_ = true;
      if (parts_.observer.wants_checkpoint()) give_checkpoint();
    }
  } catch (const NumericalError&) {
    give_checkpoint();
    throw;
  } catch (const Interruption&) {
    return end_inside_step();
  }
  if (!parts_.ends()) give_checkpoint();
  return finish();
}

void Run::prepare_for_interrupt() {
  if (!may_end_inside_steps_) return;
  step_start_.reset();
  const CoarseClock::time_point now = CoarseClock::now();
  const bool was_slow = now - step_began_ > kSlowStep;
  step_began_ = now;
  const double end =
      std::min(parts_.breakpoint.time, parts_.step.t_old + parts_.advancer.longest_step());
  if (!was_slow && parts_.outputs.count_until(end) <= kManyOutputs) return;
  between_steps_ = true;
  step_start_ = checkpoint_of(parts_, between_steps_);
}

void Run::give_checkpoint() {
  parts_.observer.on_checkpoint(checkpoint_of(parts_, between_steps_));
}

void Run::make_step() {
  const Asking asking(parts_, may_end_inside_steps_);
  EquationsOfMotion& equations = parts_.equations;
  EventDetector& events = parts_.events;
  Step& step = parts_.step;
  equations.begin_step(step.x_old, step.t_old);
  parts_.advancer.advance(equations, step, parts_.breakpoint);
  const auto shorten = [&] {
    return !events.is_idle() &&
           events.shorten(equations, parts_.advancer, step, parts_.outputs.count_until(step.t_new));
  };
  if (company_ == nullptr) {
    parts_.happened = shorten();
    return;
  }
  Archive before;
  before(events);
  parts_.happened = shorten();
  for (double end = company_->longest_end(parts_.happened); end < step.t_new;
       end = company_->longest_end(parts_.happened)) {
    Archive again(before.bytes());
    again(events);
    parts_.advancer.end_step_at(equations, step, end);
    parts_.happened = shorten();
  }
}

bool Run::finish_step() {
  if (company_ != nullptr) company_->take_step();
  const bool goes_on = accept_step();
  if (company_ != nullptr) company_->correct_end();
  output_inside_step();
  if (company_ != nullptr) company_->reach_end();
  const long shown = parts_.account.emitted();
  instants_.leave_step(instants_.end_step());
  if (company_ != nullptr) company_->leave_end(parts_.account.emitted() > shown);
  return goes_on && !parts_.is_stopped();
}

bool Run::accept_step() {
  const Step& step = parts_.step;
  parts_.corrections.keep_centroid_path(parts_.account.audit(step), parts_.step);
  parts_.advancer.accept(step);
  parts_.account.watch(step,
                       [this](double time) -> const VectorX& { return parts_.interpolate(time); });
  const IntegratorStatistics& cost = parts_.advancer.statistics();
  return parts_.observer.on_step(
      step.t_new, {cost.steps, cost.rejected, parts_.equations.watch().evaluations()});
}

void Run::output_inside_step() {
  OutputTimes& outputs = parts_.outputs;
  const double end = parts_.step.t_new;
  const bool lands = parts_.happened || end == parts_.breakpoint.time;
  const auto is_inside = [&] { return lands ? outputs.is_before(end) : outputs.next() <= end; };
  while (is_inside()) {
    // without a checkpoint of its beginning the step is short
    if (step_start_ && parts_.observer.must_end_now()) throw Interruption();
    parts_.interpolate(outputs.next());
    parts_.show_inside(outputs.next());
    if (company_ != nullptr) company_->show(outputs.next());
    outputs.advance();
  }
}

SimulationResult Run::end_inside_step() {
  const bool has_outputs = step_start_ && parts_.account.emitted() > step_start_->outputs;
  if (step_start_) {
    parts_.observer.on_checkpoint(*step_start_);
  } else {
    give_checkpoint();
  }
  if (has_outputs) {
    parts_.step.t_old = parts_.outputs.last();
    parts_.step.x_old = parts_.inside;
  }
  return finish();
}

SimulationResult Run::finish() {
  const Step& step = parts_.step;
  // an interrupted run has not evaluated the equations at its end yet
  parts_.equations.failure().clear();
  parts_.equations.evaluate(step.x_old, step.t_old);
  parts_.account.result().interrupted = !parts_.ends();
  if (parts_.is_stopped() && parts_.outputs.last() < step.t_old) {
    parts_.account.emit(step.t_old, step.x_old);
  }
  return parts_.account.finish(step);
}

}  // namespace spacedyn
