#include "integration/run/run.hpp"

namespace spacedyn {
namespace {

/// A checkpoint costs nothing beside a step that takes longer, or has more outputs.
constexpr CoarseClock::duration kSlowStep = std::chrono::milliseconds(20);
constexpr double kManyOutputs = 64.0;

/// Lets evaluations ask the observer for a while.
class Asking {
 public:
  Asking(EquationsOfMotion& equations, SimulationObserver* observer) : equations_(equations) {
    equations_.ask(observer);
  }
  ~Asking() { equations_.ask(nullptr); }
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
  happened_ = !events_.is_idle() &&
              events_.shorten(equations_, advancer_, step_, outputs_.count_until(step_.t_new));
}

void Run::leave_if_asked() const {
  // without a checkpoint of its beginning the step is short
  if (step_start_ && observer_.must_end_now()) throw Interruption();
}

SimulationResult Run::end_inside_step() {
  const bool has_outputs = step_start_ && emitted_ > step_start_->outputs;
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

}  // namespace spacedyn
