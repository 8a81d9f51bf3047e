/// @file
/// Central bodies, asteroids, the orbit and the sun of a set-up, as a page draws them.
#pragma once

#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/reporting/report_data.hpp"

namespace spacedyn {

ReportSurroundings surroundings_of(const SimulationSetup& setup);

}  // namespace spacedyn
