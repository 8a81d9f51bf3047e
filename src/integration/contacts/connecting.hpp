/// @file
/// Connections that events make and end. Private.
#pragma once

#include "integration/contacts/resting_contacts.hpp"
#include "integration/equations/equations_of_motion.hpp"

namespace spacedyn {

/// Makes a connection unless it holds already: points keep their places, the relative velocity goes
/// by an impulse, the energy it costs counts as dissipated. What a bushing stores from the start
/// counts as work.
/// @returns what has happened; without a name if nothing has
/// @throws NumericalError if its points are apart and the action does not snap
ConnectionRecord connect(const ConnectAction& action, const SimulationSetup& setup,
                         EquationsOfMotion& equations, RestingContacts& contacts, VectorX& x,
                         double time);

/// Ends a connection if it holds; what a bushing stored counts as dissipated.
void disconnect(const DisconnectAction& action, EquationsOfMotion& equations, VectorX& x,
                double time);

}  // namespace spacedyn
