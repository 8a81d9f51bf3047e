#include "system/system_elements.hpp"

#include <algorithm>

#include "spacedyn/control/thruster_valves.hpp"

namespace spacedyn {
namespace {

/// Shows an element its own part of z.
template <typename Visit>
void show(const EvaluationContext& whole, const AuxiliarySlice& slice, const Visit& visit) {
  if (slice.size == whole.auxiliary.size()) {
    visit(whole);
  } else {
    visit(slice_of(whole, slice));
  }
}

CommandMode mode_of(const SystemElements::Slot& slot, CommandMode sampled) {
  return slot.is_sampled() ? sampled : CommandMode::continuous;
}

/// The controller of a slot in force.
const Controller& law_of(const SystemElements::Slot& slot, const DiscreteState& discrete) {
  const auto& law = discrete.controllers[slot.controller_index].law;
  return law ? *law : *slot.controller;
}

/// Sets the values of thrusters to zero whose tank is empty.
void shut_empty(const SystemElements::Slot& slot, const DiscreteState& discrete, VectorRef values) {
  for (std::size_t i = 0; i < slot.tanks.size(); ++i) {
    const int tank = slot.tanks[i];
    if (tank < 0 || !discrete.tank_is_empty[static_cast<std::size_t>(tank)]) continue;
    values(static_cast<Eigen::Index>(i)) = 0.0;
  }
}

}  // namespace

SystemElements::Workspace::Workspace(const SystemElements& elements)
    : powers(elements.slots().size()), auxiliary_rate(VectorX::Zero(elements.auxiliary_size())) {
  for (const auto& controller : elements.system().controllers) {
    const ThrusterValves* valves = controller->valves();
    const int size = controller->command_size();
    commands.emplace_back(VectorX::Zero(size));
    slopes.emplace_back(VectorX::Zero(valves != nullptr && valves->ramps() ? size : 0));
  }
  if (!elements.reaction_wheels_.joints().empty()) unlimited = Loads(*elements.system().model);
}

SystemElements::SystemElements(const ForcedSystem& system)
    : system_(system), dry_friction_(*system.model), reaction_wheels_(*system.model) {
  if (has_passive_joints(*system.model)) add(&passive_joints_, nullptr, 0, {});
  const std::size_t first_force = slots_.size();
  for (const auto& force : system.forces) add(force.get(), nullptr, 0, take_slice(*force));
  for (std::size_t i = 0; i < system.connections.size(); ++i) {
    if (system.connections[i].is_rigid()) continue;
    const auto force = static_cast<std::size_t>(system.connections[i].force);
    slots_[first_force + force].connection = static_cast<int>(i);
  }
  std::vector<AuxiliarySlice> slices;
  for (const auto& controller : system.controllers) slices.push_back(take_slice(*controller));
  if (!dry_friction_.joints().empty()) {
    add(&dry_friction_, nullptr, 0, take_slice(dry_friction_));
  }
  for (std::size_t i = 0; i < slices.size(); ++i) {
    add(nullptr, system.controllers[i].get(), i, slices[i]);
  }
  if (!reaction_wheels_.joints().empty()) add(&reaction_wheels_, nullptr, 0, {});
}

void SystemElements::add(const ForceElement* force, const Controller* controller, std::size_t index,
                         const AuxiliarySlice& slice) {
  slots_.push_back({force, controller, index, slice, -1, integral_count_});
  Slot& slot = slots_.back();
  if (controller != nullptr) slot.valves = controller->valves();
  slot.ramps = slot.valves != nullptr && slot.valves->ramps();
  slot.declared = declarations_of(slot.element());
  for (const std::string& tank : slot.declared.tanks) {
    slot.tanks.push_back(tank_index(*system_.model, tank));
  }
  if (force != nullptr) integral_count_ += force->integral_count();
}

AuxiliarySlice SystemElements::take_slice(const Element& element) {
  const AuxiliarySlice slice{auxiliary_size(), element.auxiliary_size()};
  for (int i = 1; i <= slice.size; ++i) auxiliaries_.push_back({element.name(), i});
  return slice;
}

void SystemElements::check() const {
  for (const Slot& slot : slots_) slot.element().check(*system_.model);
}

bool uses_links(const SystemElements& elements) {
  return std::any_of(elements.slots().begin(), elements.slots().end(),
                     [](const SystemElements::Slot& slot) { return slot.element().uses_links(); });
}

VectorX SystemElements::initial_auxiliary() const {
  VectorX z = VectorX::Zero(auxiliary_size());
  for (const Slot& slot : slots_) {
    if (slot.slice.size == 0) continue;
    slot.element().auxiliary_initial(z.segment(slot.slice.offset, slot.slice.size));
  }
  return z;
}

void SystemElements::integrands(const EvaluationContext& context, VectorRef rates) const {
  for (const Slot& slot : slots_) {
    const int count = slot.force == nullptr ? 0 : slot.force->integral_count();
    if (count == 0) continue;
    slot.force->integrands(slice_of(context, slot.slice),
                           rates.segment(slot.first_integral, count));
  }
}

int largest_command(const ForcedSystem& system) {
  int largest = 0;
  for (const auto& controller : system.controllers) {
    largest = std::max(largest, controller->command_size());
  }
  return largest;
}

std::vector<int> feeds(const SystemElements& elements, int tank) {
  std::vector<int> components;
  for (const SystemElements::Slot& slot : elements.slots()) {
    for (std::size_t i = 0; i < slot.tanks.size(); ++i) {
      if (slot.tanks[i] == tank) components.push_back(slot.slice.offset + static_cast<int>(i));
    }
  }
  return components;
}

const VectorX& SystemElements::command(const Slot& slot, const EvaluationContext& own,
                                       const DiscreteState& discrete, Workspace& workspace,
                                       CommandMode sampled) const {
  const CommandMode mode = mode_of(slot, sampled);
  const DiscreteState::ControllerState& state = discrete.controllers[slot.controller_index];
  if (mode == CommandMode::held && !slot.ramps && slot.tanks.empty()) return state.command;
  VectorX& command = workspace.commands[slot.controller_index];
  if (mode == CommandMode::held) {
    command = state.command;
    if (slot.ramps) slot.valves->openings(state.valves, state.command, own.time, command);
  } else if (!state.on) {
    command.setZero();
  } else if (state.memory.size() > 0) {
    law_of(slot, discrete).command(with_memory(own, state.memory), command);
  } else {
    law_of(slot, discrete).command(own, command);
  }
  shut_empty(slot, discrete, command);
  return command;
}

void SystemElements::apply(const Slot& slot, const EvaluationContext& context,
                           const DiscreteState& discrete, Workspace& workspace, Loads& loads,
                           CommandMode sampled) const {
  if (!is_on(slot, discrete)) return;
  show(context, slot.slice, [&](const EvaluationContext& own) {
    if (slot.force != nullptr) return slot.force->apply(own, loads);
    law_of(slot, discrete).apply(own, command(slot, own, discrete, workspace, sampled), loads);
  });
}

void SystemElements::apply(const EvaluationContext& context, const DiscreteState& discrete,
                           Workspace& workspace, Loads& loads, CommandMode sampled) const {
  for (const Slot& slot : slots_) apply(slot, context, discrete, workspace, loads, sampled);
}

void SystemElements::apply(const EvaluationContext& context, const DiscreteState& discrete,
                           Workspace& workspace, Loads& loads,
                           const std::function<double()>& power_of_loads) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    ElementPower& power = workspace.powers[i];
    EnergyRates rates;
    if (slot.force != nullptr && is_on(slot, discrete)) {
      show(context, slot.slice, [&](const EvaluationContext& own) {
        rates = slot.force->act(
            own, loads, workspace.auxiliary_rate.segment(slot.slice.offset, slot.slice.size));
      });
    } else {
      apply(slot, context, discrete, workspace, loads);
    }
    power.stored = rates.stored;
    power.dissipated = rates.dissipated;
    const double before = sum;
    sum = power_of_loads();
    power.loads = sum - before;
  }
}

void SystemElements::auxiliary_rate(const EvaluationContext& context, const DiscreteState& discrete,
                                    Workspace& workspace, VectorRef zd) const {
  for (const Slot& slot : slots_) auxiliary_rate(slot, context, discrete, workspace, zd);
}

void SystemElements::auxiliary_rate(const Slot& slot, const EvaluationContext& context,
                                    const DiscreteState& discrete, Workspace& workspace,
                                    VectorRef zd) const {
  if (slot.slice.size == 0) return;
  auto rate = zd.segment(slot.slice.offset, slot.slice.size);
  const EvaluationContext own = slice_of(context, slot.slice);
  if (!is_on(slot, discrete) && (slot.controller != nullptr || !slot.tanks.empty())) {
    rate.setZero();
  } else if (slot.controller != nullptr) {
    law_of(slot, discrete).state_rate(own, command(slot, own, discrete, workspace), rate);
  } else {
    slot.force->auxiliary_rate(own, rate);
  }
}

void SystemElements::differentiate(const LoadDifferentiator::Point& point,
                                   const DiscreteState& discrete,
                                   LoadDifferentiator& differentiator, Workspace& workspace,
                                   LoadDerivatives& derivatives, CommandMode sampled) const {
  for (const Slot& slot : slots_) {
    if (slot.force == &reaction_wheels_) {
      differentiator.complete(point, derivatives);
      limit(point.context, discrete, workspace, derivatives, sampled);
    }
    if (slot.force != nullptr) {
      if (is_on(slot, discrete)) differentiator.add(*slot.force, slot.slice, point, derivatives);
    } else if (is_on(slot, discrete)) {
      const CommandMode mode = mode_of(slot, sampled);
      const VectorX& commanded =
          command(slot, slice_of(point.context, slot.slice), discrete, workspace, sampled);
      VectorX* slope = slot.ramps && mode == CommandMode::held
                           ? &workspace.slopes[slot.controller_index]
                           : nullptr;
      if (slope != nullptr) {
        const DiscreteState::ControllerState& state = discrete.controllers[slot.controller_index];
        slot.valves->opening_rates(state.valves, state.command, *slope);
        shut_empty(slot, discrete, *slope);
      }
      differentiator.add(law_of(slot, discrete), slot.slice, {commanded, mode, slope}, point,
                         derivatives);
    }
  }
  differentiator.complete(point, derivatives);
}

void SystemElements::limit(const EvaluationContext& context, const DiscreteState& discrete,
                           Workspace& workspace, LoadDerivatives& derivatives,
                           CommandMode sampled) const {
  workspace.unlimited.clear();
  for (const Slot& slot : slots_) {
    if (slot.force == &reaction_wheels_) continue;
    apply(slot, context, discrete, workspace, workspace.unlimited, sampled);
  }
  reaction_wheels_.limit(context, workspace.unlimited, derivatives);
}

SystemElements::StoredEnergy SystemElements::stored_energy(const EvaluationContext& context,
                                                           const DiscreteState& discrete) const {
  StoredEnergy energy;
  for (const Slot& slot : slots_) {
    (slot.declared.field != nullptr ? energy.gravity : energy.elastic) +=
        stored_energy(slot, context, discrete);
  }
  return energy;
}

double SystemElements::stored_energy(const Slot& slot, const EvaluationContext& context,
                                     const DiscreteState& discrete) const {
  double energy = 0.0;
  if (slot.force == nullptr || !is_on(slot, discrete)) return energy;
  show(context, slot.slice,
       [&](const EvaluationContext& own) { energy = slot.force->stored_energy(own); });
  return energy;
}

void SystemElements::complete(const EvaluationContext& context, const DiscreteState& discrete,
                              Workspace& workspace, VectorRef zd) const {
  for (const Slot& slot : slots_) {
    if (slot.force != nullptr && is_on(slot, discrete)) {
      zd.segment(slot.slice.offset, slot.slice.size) =
          workspace.auxiliary_rate.segment(slot.slice.offset, slot.slice.size);
    } else {
      auxiliary_rate(slot, context, discrete, workspace, zd);
    }
  }
}

}  // namespace spacedyn
