/// @file
/// What elements find wrong with a run that has ended.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/integration/simulator.hpp"

namespace spacedyn {

/// Sentences of the elements that doubt a run, for instance of a wheel that has never touched the
/// ground.
/// @param start  of the run, not of the part since it was resumed
SPACEDYN_EXPORT std::vector<std::string> element_warnings(const SimulationSetup& setup,
                                                          const State& start,
                                                          const SimulationResult& result);

}  // namespace spacedyn
