#include "spacedyn/system/discrete_state.hpp"

namespace spacedyn {
namespace {

DiscreteState::ControllerState start_of(const Controller& controller) {
  DiscreteState::ControllerState start;
  start.command = VectorX::Zero(controller.command_size());
  const double period = controller.sample_period();
  const double delay = controller.digitization().delay;
  if (period > 0.0 && delay > 0.0) {
    // all that a delay can hold back
    start.delayed.assign(static_cast<std::size_t>(delay / period) + 3, start.command);
  }
  return start;
}

}  // namespace

DiscreteState::DiscreteState(const ForcedSystem& system)
    : locked(static_cast<std::size_t>(system.model->joint_count()), false) {
  for (const int joint : system.locked_joints) locked[static_cast<std::size_t>(joint - 1)] = true;
  for (const auto& controller : system.controllers) controllers.push_back(start_of(*controller));
}

Mobility mobility(const ForcedSystem& system, const DiscreteState& discrete) {
  std::vector<bool> free = discrete.locked;
  free.flip();
  for (const PrescribedJoint& prescribed : system.prescribed_joints) {
    free[static_cast<std::size_t>(prescribed.joint - 1)] = false;
  }
  return {system.base_mode == BaseMode::floating, free};
}

Mobility start_mobility(const ForcedSystem& system) {
  return mobility(system, DiscreteState(system));
}

void switch_controller(const ForcedSystem& system, std::string_view name, bool on,
                       DiscreteState& discrete) {
  for (std::size_t i = 0; i < system.controllers.size(); ++i) {
    DiscreteState::ControllerState& state = discrete.controllers[i];
    if (system.controllers[i]->name() != name || state.on == on) continue;
    state.on = on;
    state.command.setZero();
    state.next_delayed = state.next_sample;
  }
}

}  // namespace spacedyn
