/// @file
/// What events do to a running simulation.
#pragma once

#include "integration/equations_of_motion.hpp"
#include "spacedyn/integration/events.hpp"

namespace spacedyn {

/// Carries out the actions of an event on a state, and keeps the audit's books.
/// @returns whether the run is to stop
bool act(const Event& event, EquationsOfMotion& equations, VectorX& x, double time);

/// @throws DomainError if an event is incomplete, names what does not exist, or asks for what the
/// set-up cannot do
void check_events(const SimulationSetup& setup);

}  // namespace spacedyn
