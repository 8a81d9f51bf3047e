/// @file
/// What events do to a running simulation.
#pragma once

#include "integration/contacts/resting_contacts.hpp"
#include "spacedyn/integration/events.hpp"

namespace spacedyn {

/// Carries out the actions of an event on a state, and keeps the audit's integrals.
/// @param fired  all events of this instant: joints that reach stops together bounce together
/// @param connections  those that are made are appended
/// @returns whether the run is to stop
bool act(std::size_t event, const std::vector<std::size_t>& fired, const SimulationSetup& setup,
         EquationsOfMotion& equations, RestingContacts& contacts, VectorX& x, double time,
         std::vector<ConnectionRecord>& connections);

/// @throws DomainError if an event is incomplete, names what does not exist, or asks for what the
/// set-up cannot do
void check_events(const SimulationSetup& setup);

}  // namespace spacedyn
