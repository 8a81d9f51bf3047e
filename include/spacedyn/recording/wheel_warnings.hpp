/// @file
/// What is wrong with the wheels of a run that has ended.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/integration/simulator.hpp"

namespace spacedyn {

/// Slip beyond which a wheel counts as stalled.
inline constexpr double kStallSlip = 0.95;

/// One sentence for each wheel that has never touched the ground, and for each that in the end
/// turns on the spot, with a slip beyond kStallSlip.
/// @param start  of the run, not of the part since it was resumed
SPACEDYN_EXPORT std::vector<std::string> wheel_warnings(const SimulationSetup& setup,
                                                        const State& start,
                                                        const SimulationResult& result);

}  // namespace spacedyn
