/// @file
/// What events do to a running simulation.
#pragma once

#include "integration/contacts/resting_contacts.hpp"
#include "spacedyn/integration/events.hpp"
#include "spacedyn/integration/simulator.hpp"

namespace spacedyn {

/// Carries out the actions of an event on a state, and keeps the audit's integrals.
/// @param fired  all events of this instant: joints that reach stops together bounce together
/// @param connections  those that are made are appended
/// @returns whether the run is to stop
bool act(std::size_t event, const std::vector<std::size_t>& fired, const SimulationSetup& setup,
         EquationsOfMotion& equations, RestingContacts& contacts, VectorX& x, double time,
         std::vector<ConnectionRecord>& connections);

/// Lets an element change its states z. @pre update_kinematics() at x; event.reset
void reset(const Event& event, EquationsOfMotion& equations, VectorX& x);

/// @throws DomainError if an event is incomplete, names what does not exist, or asks for what the
/// set-up cannot do
void check_events(const SimulationSetup& setup);

/// The thruster that a pulse opens; null if there is none.
const Thruster* pulsed_thruster(const ForcedSystem& system, std::size_t slot);

/// Sets numbers and opens thrusters as an event asks that has happened, and remembers its instant.
/// @throws DomainError if another controller does not fit the run: sizes, period or delay differ
void repeat_event(const ForcedSystem& system, const Event& event, double time,
                  DiscreteState& discrete);
/// The same for all events until now.
void repeat_events(const SimulationSetup& setup, const std::vector<EventRecord>& happened,
                   DiscreteState& discrete);

}  // namespace spacedyn
