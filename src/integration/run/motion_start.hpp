/// @file
/// Starts of systems with motion constraints. Private.
#pragma once

#include <string>

#include "spacedyn/integration/simulator.hpp"

namespace spacedyn {

/// Gap and rate of the motion constraint that a start violates most, of those that hold.
struct MotionResidual {
  double gap = 0.0;   ///< m
  double rate = 0.0;  ///< m/s
  std::string of_gap, of_rate;
};
MotionResidual motion_residual(const ForcedSystem& system, const State& start);

/// The start moved onto loops and motion constraints: positions by the shortest displacements in
/// the metric of the inertia, the base among them if it is free, then velocities by an impulse.
/// @throws NumericalError where Newton's method does not get there
State closed_start(const SimulationSetup& setup, const State& start);

/// What the method of integration cannot do. @throws DomainError
void check_motions(const SimulationSetup& setup);
/// @throws DomainError naming the constraint that a start violates
void check_start_on_motions(const SimulationSetup& setup, const State& start);

}  // namespace spacedyn
