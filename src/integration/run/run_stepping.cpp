// A run that is asked for one output after another.

#include <algorithm>

#include "integration/run/run.hpp"
#include "spacedyn/control/external_controller.hpp"
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
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Controller& controller = *setup_.controllers[i];
    const double next = static_cast<double>(states[i].next_sample) * controller.sample_period();
    if (next <= now && dynamic_cast<const ExternalController*>(&controller) != nullptr) return true;
  }
  return false;
}

void Run::show_before_commands(Restart reason) {
  sense(step_.t_old, reason);
  has_sensed_ = true;
  if (equations_.failure() || !equations_.evaluate(step_.x_old, step_.t_old)) fail_at(step_.t_old);
  output_at(step_.t_old);
}

}  // namespace spacedyn
