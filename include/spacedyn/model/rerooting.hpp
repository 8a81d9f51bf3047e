/// @file
/// The same robot seen from another base.
#pragma once

#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn {

/// The same robot with another link, or a body fixed to one, as its base.
///
/// Joints between the old base and the new one carry the other of their two links and get the
/// opposite axis, which leaves everything said about them true: a joint keeps its name, the value
/// of q, q̇ and τ, its limits, spring, rest position and notes, and its place in the list. All
/// bodies keep their names, axes, masses, visuals and notes. Only where a revolute joint is turned
/// round, the frame origin of the body it now carries moves onto that joint, because a link frame
/// sits on its joint; whatever hangs on the body is told its new coordinates. So the point
/// `<link>` of such a body is another one afterwards, while `<link>.com` and all frames stay. O(n).
/// @param new_base  name of a link; that of the base gives the description unchanged
/// @throws DomainError for an unknown link, if the base is fixed to the inertial frame, which then
/// holds another body, or if a joint between the two has a fully coupled rotor; ModelError if the
/// description breaks a rule.
SPACEDYN_EXPORT ModelDescription rerooted(const ModelDescription& description,
                                          const std::string& new_base);

}  // namespace spacedyn
