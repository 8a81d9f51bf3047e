/// @file
/// Reads flexible links.
#pragma once

#include "loading/keys/map_reader.hpp"
#include "spacedyn/model/flexible_beam.hpp"

namespace spacedyn::loading {

/// Reads one entry of `flexible_links`; nothing where it has a problem, which is reported.
std::optional<FlexibleBeamDescription> read_flexible_link(const Value& value, ReadContext& context);

}  // namespace spacedyn::loading
