#include "spacedyn/system/propellant.hpp"

#include "spacedyn/control/attitude_pd.hpp"
#include "spacedyn/control/momentum_dumping.hpp"
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
    // those that open thrusters have nothing but their consumption in z
    const bool opens = dynamic_cast<const AttitudePd*>(slot.controller) != nullptr ||
                       dynamic_cast<const MomentumDumping*>(slot.controller) != nullptr;
    if (thruster != nullptr) used = used.value_or(0.0) + thruster->propellant_used(own);
    if (opens) used = used.value_or(0.0) + own.sum();
  }
  return used;
}

}  // namespace spacedyn
