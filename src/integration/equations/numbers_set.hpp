/// @file
/// What events set and open. Private.
#pragma once

#include "spacedyn/integration/simulator.hpp"

namespace spacedyn {

/// The thruster that a pulse opens; null if there is none.
const Thruster* pulsed_thruster(const ForcedSystem& system, std::size_t slot);

/// Sets numbers and opens thrusters as an event asks that has happened, and remembers its instant.
/// @throws DomainError if another controller does not fit the run: sizes, period or delay differ
void repeat_event(const ForcedSystem& system, const Event& event, double time,
                  DiscreteState& discrete);

}  // namespace spacedyn
