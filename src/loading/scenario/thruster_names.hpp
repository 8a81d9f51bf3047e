/// @file
/// Reads which thrusters a controller opens.
#pragma once

#include <vector>

#include "loading/keys/map_reader.hpp"
#include "spacedyn/control/thruster_allocation.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn::loading {

/// Thrusters of the model on one body by their names under a key, without those of `inhibit`.
/// @param model  null where it is wrong; then names are not looked up
std::vector<Thruster> read_thrusters(MapReader& map, const char* key, const Model* model,
                                     const ThrusterModulation& modulation);

}  // namespace spacedyn::loading
