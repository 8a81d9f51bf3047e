/// @file
/// What loops of models and connections of scenarios have in common.
#pragma once

#include <string>
#include <vector>

#include "loading/keys/mapping.hpp"

namespace spacedyn::loading {

/// Names of all types, in the order of all_loop_types().
const std::vector<std::string>& loop_type_names();

/// Reads all keys of a loop but its name and type.
/// @param description  in whose units offsets of joints are
void read_loop_keys(MapReader& map, const ModelDescription& description, LoopDescription& loop);

/// Adds all keys of a type of loop but its name and type.
void describe_loop_keys(LoopType type, MappingSchema& schema);

}  // namespace spacedyn::loading
