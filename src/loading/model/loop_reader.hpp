/// @file
/// What loops of models and connections of scenarios have in common.
#pragma once

#include <string>
#include <vector>

#include "loading/keys/mapping.hpp"

namespace spacedyn::loading {

/// Names of all types, in the order of all_loop_types().
const std::vector<std::string>& loop_type_names();

/// Types that a scenario alone can hold, by motion constraints.
const std::vector<std::string>& motion_loop_names();
/// Whether an item of `loops` or `connections` is of these types, or a distance that follows a
/// reference.
bool is_motion_loop(const Node& item);
/// Schema of `rheonomic`.
std::string rheonomic_schema();

/// Reads all keys of a loop but its name and type.
/// @param description  in whose units offsets of joints are
void read_loop_keys(MapReader& map, const ModelDescription& description, LoopDescription& loop);

/// Adds all keys of a type of loop but its name and type.
void describe_loop_keys(LoopType type, MappingSchema& schema);

}  // namespace spacedyn::loading
