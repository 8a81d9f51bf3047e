/// @file
/// Tethers with mass.
#pragma once

#include <vector>

#include "loading/scenario/scenario_context.hpp"

namespace spacedyn::loading {

/// Adds the lumps of the tethers of a scenario to its robots, at places between their ends.
void add_lumps(const Node& scenario, std::vector<RobotStart>& robots);

}  // namespace spacedyn::loading
