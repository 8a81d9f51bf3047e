/// @file
/// What a run has left behind that its user should look at. Private.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/loading/scenario.hpp"

namespace spacedyn {

/// Steps that stability kept short, momentum or energy that has not been kept, and joints that
/// stand at their limits at the end.
std::vector<std::string> outcome_warnings(const Scenario& scenario, const SimulationResult& result);

}  // namespace spacedyn
