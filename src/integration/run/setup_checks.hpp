/// @file
/// Whether a SimulationSetup fits together, told before anything moves.
#pragma once

#include "spacedyn/integration/simulator.hpp"

namespace spacedyn {

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

}  // namespace spacedyn
