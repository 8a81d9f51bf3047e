/// @file
/// What events do to a running simulation.
#pragma once

#include "integration/resting_contacts.hpp"
#include "spacedyn/integration/events.hpp"

namespace spacedyn {

/// Carries out the actions of an event on a state, and keeps the audit's books.
/// @param stop  the event's own, or nothing
/// @returns whether the run is to stop
bool act(const Event& event, const RestingContacts::Stop* stop, EquationsOfMotion& equations,
         RestingContacts& contacts, VectorX& x, double time);

/// Takes away a joint's velocity, momentum preserved; its energy is booked as dissipated.
void stop_joint(int joint, EquationsOfMotion& equations, RestingContacts& contacts, VectorX& x,
                double time);

/// @throws DomainError if an event is incomplete, names what does not exist, or asks for what the
/// set-up cannot do
void check_events(const SimulationSetup& setup);

}  // namespace spacedyn
