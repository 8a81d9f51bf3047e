// A run that is asked for one output after another.
#include <algorithm>

#include "integration/equations/run_memory.hpp"
#include "integration/events/event_actions.hpp"
#include "integration/run/run.hpp"
#include "system/instants.hpp"

namespace spacedyn {

void Run::advance_to(double time, double interval) {
  outputs_.ask(time, interval);
  while (!outputs_.is_done() && !is_over()) proceed();
  // nothing commands any more
  if (stage_ == Stage::arrived && ends()) proceed();
}

void Run::proceed() {
  switch (stage_) {
    case Stage::starts:
      prepare_start();
      stage_ = Stage::begins;
      if (awaits_commands()) show_before_commands(Restart::state_jumped);
      return;
    case Stage::begins:
      leave_start();
      stage_ = Stage::between;
      return;
    case Stage::between:
      make_step();
      accept_step();
      stage_ = Stage::inside;
      return;
    case Stage::inside:
      output_inside_step();
      if (outputs_.is_done()) return;
      arrival_ = end_step();
      stage_ = Stage::arrived;
      if (awaits_commands()) show_before_commands(reason_of_arrival());
      return;
    case Stage::arrived:
      leave_step(arrival_);
      stage_ = Stage::between;
      return;
  }
}

bool Run::awaits_commands() const {
  const double now = latest_same_instant(step_.t_old);
  if (!outputs_.is_due(step_.t_old)) return false;
  const auto& states = equations_.discrete().controllers;
  const auto& slots = equations_.elements().slots();
  return std::any_of(slots.begin(), slots.end(), [&](const SystemElements::Slot& slot) {
    if (!slot.declared.awaits_commands) return false;
    const long next = states[slot.controller_index].next_sample;
    return static_cast<double>(next) * slot.controller->sample_period() <= now;
  });
}

void Run::show_before_commands(Restart reason) {
  sense(step_.t_old, reason);
  has_sensed_ = true;
  if (equations_.failure() || !equations_.evaluate(step_.x_old, step_.t_old))
    account_.fail_at(step_.t_old);
  output_at(step_.t_old);
}

namespace {

/// A checkpoint costs nothing beside a step that takes longer, or has more outputs.
constexpr CoarseClock::duration kSlowStep = std::chrono::milliseconds(20);
constexpr double kManyOutputs = 64.0;

/// Lets evaluations ask the observer for a while.
class Asking {
 public:
  Asking(EquationsOfMotion& equations, SimulationObserver* observer) : equations_(equations) {
    equations_.watch().ask(observer);
  }
  ~Asking() { equations_.watch().ask(nullptr); }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

 private:
  EquationsOfMotion& equations_;
};

}  // namespace

bool Run::begins() {
  const Asking asking(equations_, may_end_inside_steps_ ? &observer_ : nullptr);
  try {
    begin();
    return true;
  } catch (const Interruption&) {
    return false;
  }
}

void Run::prepare_for_interrupt() {
  if (!may_end_inside_steps_) return;
  step_start_.reset();
  const CoarseClock::time_point now = CoarseClock::now();
  const bool was_slow = now - step_began_ > kSlowStep;
  step_began_ = now;
  const double end = std::min(breakpoint_.time, step_.t_old + advancer_.longest_step());
  if (!was_slow && outputs_.count_until(end) <= kManyOutputs) return;
  between_steps_ = true;
  step_start_ = checkpoint();
}

void Run::make_step() {
  const Asking asking(equations_, may_end_inside_steps_ ? &observer_ : nullptr);
  equations_.begin_step(step_.x_old, step_.t_old);
  advancer_.advance(equations_, step_, breakpoint_);
  const auto shorten = [&] {
    return !events_.is_idle() &&
           events_.shorten(equations_, advancer_, step_, outputs_.count_until(step_.t_new));
  };
  if (company_ == nullptr) {
    happened_ = shorten();
    return;
  }
  Archive before;
  before(events_);
  happened_ = shorten();
  for (double end = company_->longest_end(happened_); end < step_.t_new;
       end = company_->longest_end(happened_)) {
    Archive again(before.bytes());
    again(events_);
    advancer_.end_step_at(equations_, step_, end);
    happened_ = shorten();
  }
}

void Run::leave_if_asked() const {
  // without a checkpoint of its beginning the step is short
  if (step_start_ && observer_.must_end_now()) throw Interruption();
}

SimulationResult Run::end_inside_step() {
  const bool has_outputs = step_start_ && account_.emitted() > step_start_->outputs;
  if (step_start_) {
    observer_.on_checkpoint(*step_start_);
  } else {
    give_checkpoint();
  }
  if (has_outputs) {
    step_.t_old = outputs_.last();
    step_.x_old = output_x_;
  }
  return finish();
}

OutputTimes read_output_times(const Checkpoint& checkpoint) {
  Archive archive(unseal(checkpoint.memory));
  OutputTimes outputs(1.0, 1.0);
  archive(outputs);
  return outputs;
}

void Run::transfer_head(Archive& archive) {
  archive(outputs_);
  const auto setup = describe_setup(setup_, equations_.layout().auxiliary_names);
  auto then = setup;
  archive(then);
  check_same_setup(then, setup);
}

void Run::transfer(Archive& archive) {
  archive(step_.t_old, step_.x_old, step_.rate_old, breakpoint_, equations_, contacts_, rigid_,
          events_, corrections_);
  if (step_.x_old.size() != step_.x_new.size() || step_.rate_old.size() != step_.x_new.size()) {
    throw IoError("the checkpoint is damaged: its state has another size");
  }
  archive.require(step_.t_old >= 0.0 && step_.t_old <= duration_ &&
                  breakpoint_.time >= step_.t_old && breakpoint_.time <= duration_);
  archive(account_);
}

void Run::give_checkpoint() { observer_.on_checkpoint(checkpoint()); }

Checkpoint Run::checkpoint() {
  Archive archive;
  transfer_head(archive);
  transfer(archive);
  std::string options = bytes_of(setup_.integrator);
  archive(between_steps_, options);
  advancer_.transfer_method(archive, step_.t_old);

  Checkpoint checkpoint;
  checkpoint.time = step_.t_old;
  equations_.failure().clear();
  if (equations_.update_kinematics(step_.x_old, step_.t_old)) checkpoint.state = equations_.state();
  checkpoint.outputs = account_.emitted();
  checkpoint.statistics = advancer_.statistics();
  checkpoint.statistics.evaluations = equations_.watch().evaluations();
  checkpoint.memory = seal(archive.bytes());
  return checkpoint;
}

SimulationResult Run::go_on(const Checkpoint& checkpoint) {
  Archive archive(unseal(checkpoint.memory));
  transfer_head(archive);
  transfer(archive);
  repeat_events(setup_, account_.result().events, equations_.discrete());
  events_.sequence().restore(account_.result().events, step_.t_old);
  timeline_.renew(setup_, equations_.discrete());
  bool is_complete = false;
  std::string options;
  archive(is_complete, options);
  if (is_complete && options == bytes_of(setup_.integrator)) {
    advancer_.transfer_method(archive, step_.t_old);
    if (archive.remaining() > 0) throw IoError("the checkpoint is damaged: it is too long");
  } else {
    advancer_.begin_afresh(step_.t_old);
    begin_segment(step_.t_old, Restart::state_jumped, {});
    output_at(step_.t_old);
  }
  return loop();
}

}  // namespace spacedyn
