/// @file
/// Reads how a controller modulates its thrusters.
#pragma once

#include "loading/keys/map_reader.hpp"
#include "spacedyn/control/thruster_modulation.hpp"

namespace spacedyn::loading {

/// The key `modulation`; without it openings are continuous.
/// @param duration  of the scenario, s
ThrusterModulation read_modulation(MapReader& map, double duration);

}  // namespace spacedyn::loading
