#include "integration/equations/numbers_set.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "integration/equations/equations_of_motion.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {

namespace {

void change_controller(const ForcedSystem& system, const SetAction& action,
                       DiscreteState& discrete) {
  for (std::size_t i = 0; i < system.controllers.size(); ++i) {
    if (system.controllers[i]->name() != action.controller) continue;
    const Controller& now = current_controller(system, discrete, i);
    std::shared_ptr<const Controller> next = action.change(now);
    const bool fits = next != nullptr && next->name() == now.name() &&
                      next->command_size() == now.command_size() &&
                      next->auxiliary_size() == now.auxiliary_size() &&
                      next->sample_period() == now.sample_period() &&
                      next->digitization().delay == now.digitization().delay &&
                      next->memory_size() == now.memory_size() &&
                      (next->valves() == nullptr) == (now.valves() == nullptr);
    if (!fits) {
      throw DomainError(fmt::format(
          "an event sets '{}' of '{}', which changes its sizes, its period or its delay",
          action.what, action.controller));
    }
    next->check(*system.model);
    discrete.controllers[i].law = std::move(next);
  }
}

void open_thruster(const ForcedSystem& system, const PulseAction& action, double time,
                   DiscreteState& discrete) {
  const Thruster* thruster = pulsed_thruster(system, action.slot);
  if (thruster == nullptr) return;
  const double shortest = thruster->drive.minimum_on_time;
  discrete.events.open(action.slot, {time, time + std::max(action.duration, shortest)});
}

}  // namespace

const Thruster* pulsed_thruster(const ForcedSystem& system, std::size_t slot) {
  for (const auto& force : system.forces) {
    const std::optional<PulsedThruster> pulsed = declarations_of(*force).pulsed;
    if (pulsed && pulsed->slot == slot) return pulsed->thruster;
  }
  return nullptr;
}

void repeat_event(const ForcedSystem& system, const Event& event, double time,
                  DiscreteState& discrete) {
  for (const EventAction& action : event.actions) {
    if (const auto* set = std::get_if<SetAction>(&action)) {
      change_controller(system, *set, discrete);
    } else if (const auto* pulse = std::get_if<PulseAction>(&action)) {
      open_thruster(system, *pulse, time, discrete);
    }
  }
  remember_event(system, event.name, time, discrete);
}

EvaluationContext EquationsOfMotion::now() const {
  return {time_,
          model(),
          state_,
          frames_,
          velocities_,
          state_.z,
          &discrete_.q_step_start,
          nullptr,
          &mobility_,
          &discrete_.events};
}

void EquationsOfMotion::restore(const std::vector<EventRecord>& happened) {
  for (const EventRecord& record : happened) {
    if (record.is_warning) continue;
    for (const Event& event : setup_.events) {
      if (event.name == record.name) repeat_event(setup_, event, record.time, discrete_);
    }
  }
}

}  // namespace spacedyn
