/// @file
/// Whether imposed motion is smooth enough to be imposed.
#pragma once

#include "spacedyn/integration/simulator.hpp"

namespace spacedyn {

/// A jump of an imposed velocity would need an impulse, which no force provides.
/// @throws DomainError naming the first motion that jumps inside (0, duration)
void check_imposed_motion(const SimulationSetup& setup, double duration);

}  // namespace spacedyn
