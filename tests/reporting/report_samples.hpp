/// @file
/// Results to make reports of: a flown arm, a long chain, hostile names.
#pragma once

#include <memory>
#include <string>

#include "spacedyn/reporting/report.hpp"

namespace spacedyn::testing {

/// A result in memory and what it was computed with.
struct SampleResult {
  ResultTable table;
  SimulationSetup setup;
};

/// ETS-VII with paddles moves its arm and is pushed for a moment.
/// @param stiffness  of the joint controllers, a fraction of the default
SampleResult flown_arm(double duration, double stiffness = 1.0);

/// A chain that winds through space as a formula says: no dynamics, any size.
SampleResult winding_chain(int bodies, double duration, int rows);

/// A robot, a run and inputs whose names try to break out of the page.
SampleResult hostile_result();

}  // namespace spacedyn::testing
