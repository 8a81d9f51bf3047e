/// @file
/// Whether a SimulationSetup fits together, told before anything moves.
#pragma once

#include <string>

#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/integration/simulator.hpp"

namespace spacedyn {

/// Part of the size of a shape; a start that penetrates by less has been rounded.
inline constexpr double kStartPenetration = 1e-8;

/// @throws DomainError, DimensionError for the first contradiction.
void check_setup(const SimulationSetup& setup);

/// @throws DomainError, DimensionError if the state does not fit the set-up, a number is not finite
/// or a fixed base moves.
/// @throws NumericalError if H is not positive definite there.
void check_start(const SimulationSetup& setup, const State& initial, int auxiliary_size);

/// @throws DomainError unless both are finite and positive.
void check_times(double duration, double output_interval);

/// @throws DomainError unless all are finite, not negative and ascending, the last one positive.
void check_output_times(const std::vector<double>& times);

/// Sampling, and joints that several controllers drive. @throws DomainError
void check_controllers(const SimulationSetup& setup);

/// What systems whose tanks empty cannot do. @throws DomainError
void check_tanks(const SimulationSetup& setup);

/// A jump of an imposed velocity would need an impulse, which no force provides.
/// @throws DomainError naming the first motion that jumps inside (0, duration)
void check_imposed_motion(const SimulationSetup& setup, double duration);

/// Gap and rate of the motion constraints that a start violates most, of those that hold.
struct MotionResidual {
  LoopResidual gap, rate;  ///< m, m/s
  bool is_closed() const { return gap.is_closed() && rate.is_closed(); }
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
