/// @file
/// What thrusters have consumed.
#pragma once

#include <optional>

#include "spacedyn/export.hpp"
#include "spacedyn/system/forced_system.hpp"

namespace spacedyn {

/// Propellant that the thrusters of a system have used since the start, kg; nothing if none of them
/// has a finite specific impulse.
/// @param state  with the auxiliary states of the system
SPACEDYN_EXPORT std::optional<double> propellant_used(const ForcedSystem& system,
                                                      const State& state);

}  // namespace spacedyn
