/// @file
/// Reads gains about or along three axes.
#pragma once

#include <string>
#include <string_view>

#include "loading/keys/map_reader.hpp"

namespace spacedyn::loading {

/// One number for all three axes, or one for each; zero where the key is wrong.
Vector3 read_axis_gains(MapReader& map, const char* key, const Quantity& quantity);

std::string axis_gains_schema(const Quantity& quantity, std::string_view title);

}  // namespace spacedyn::loading
