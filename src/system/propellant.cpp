#include "spacedyn/system/propellant.hpp"

#include "system/system_elements.hpp"

namespace spacedyn {

std::optional<double> propellant_used(const ForcedSystem& system, const State& state) {
  const SystemElements elements(system);
  std::optional<double> used;
  for (const SystemElements::Slot& slot : elements.slots()) {
    const auto count = static_cast<Eigen::Index>(slot.tanks.size());
    if (count > 0) used = used.value_or(0.0) + state.z.segment(slot.slice.offset, count).sum();
  }
  return used;
}

}  // namespace spacedyn
