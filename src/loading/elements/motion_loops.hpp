/// @file
/// Loops that a scenario holds by motion constraints: rolling, knife edges, distances that follow a
/// reference. Private.
#pragma once

#include <string>
#include <vector>

#include "loading/scenario/scenario_context.hpp"

namespace spacedyn::loading {

/// Reads all keys of one but `active` and adds it as a connection; reports what is wrong.
/// @param map  of an item for which is_motion_loop() holds
void read_motion_loop(ScenarioContext& scenario, MapReader& map, const std::string& name,
                      bool active);

/// Schemas of these types as connections.
std::vector<std::string> motion_connection_schemas(
    MappingSchema (*schema_of)(const std::string& type));

}  // namespace spacedyn::loading
