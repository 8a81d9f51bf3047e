/// @file
/// Reads how reaction wheels share their momentum.
#pragma once

#include <optional>
#include <vector>

#include "loading/keys/map_reader.hpp"
#include "loading/schema/schema_text.hpp"
#include "spacedyn/control/wheel_null_space.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn::loading {

/// `null_space` of reaction wheels that were read; nothing where they or the model are wrong.
WheelNullSpace::Settings read_null_space(MapReader& map, const Model* model,
                                         const std::optional<std::vector<int>>& wheels);
/// Adds its key.
void describe_null_space(MappingSchema& schema);
/// Refuses it where other actuators are named.
void refuse_null_space(MapReader& map);

}  // namespace spacedyn::loading
