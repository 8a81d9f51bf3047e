/// @file
/// Whether sensors fit a system. Private.
#pragma once

#include "spacedyn/system/forced_system.hpp"

namespace spacedyn {

/// @throws DomainError if a sensor does not fit the model or the system, a name is taken twice, or
/// a controller names sensors that it cannot take
void check_sensors(const ForcedSystem& system);

}  // namespace spacedyn
