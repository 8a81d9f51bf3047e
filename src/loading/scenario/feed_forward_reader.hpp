/// @file
/// Reads whose momentum attitude control foresees.
#pragma once

#include <vector>

#include "loading/keys/map_reader.hpp"
#include "spacedyn/control/momentum_feed_forward.hpp"
#include "spacedyn/system/forced_system.hpp"

namespace spacedyn::loading {

/// `feed_forward`: names of controllers that have been read, or of prescribed joints.
std::vector<JointMotion> read_feed_forward(MapReader& map, const ForcedSystem& system);

}  // namespace spacedyn::loading
