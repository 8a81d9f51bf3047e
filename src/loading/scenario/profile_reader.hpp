/// @file
/// `terrain: {type: profile, …}`. Private.
#pragma once

#include <memory>
#include <string>

#include "loading/keys/map_reader.hpp"
#include "loading/schema/schema_text.hpp"
#include "spacedyn/terrain/terrain.hpp"

namespace spacedyn::loading {

/// Null where it is wrong.
std::shared_ptr<const Terrain> read_profile(MapReader& map);
/// Adds its keys.
void describe_profile(MappingSchema& schema);

}  // namespace spacedyn::loading
