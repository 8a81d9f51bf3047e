#include "spacedyn/system/propellant.hpp"

#include "spacedyn/control/controller.hpp"
#include "spacedyn/forces/thruster_force.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {

std::optional<double> propellant_used(const ForcedSystem& system, const State& state) {
  const SystemElements elements(system);
  std::optional<double> used;
  for (const SystemElements::Slot& slot : elements.slots()) {
    if (slot.slice.size == 0) continue;
    const auto own = state.z.segment(slot.slice.offset, slot.slice.size);
    const auto* thruster = dynamic_cast<const ThrusterForce*>(slot.force);
    const bool opens = slot.controller != nullptr && slot.controller->nozzles() != nullptr;
    if (thruster != nullptr) used = used.value_or(0.0) + thruster->propellant_used(own);
    if (opens) used = used.value_or(0.0) + own.sum();
  }
  return used;
}

}  // namespace spacedyn
