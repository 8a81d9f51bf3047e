/// @file
/// The same robot seen from another base.
#pragma once

#include <array>
#include <string>
#include <string_view>

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

/// The point of a base that a start without further words places: `State(model)` puts it at the
/// origin of the inertial frame, and positions and velocities of `initial.base` in scenarios are
/// its own. State itself always holds those of the centroid.
///
/// SpaceDyn and models written for this library mean the centroid. Files of other programs mean
/// the origin of the frame of the base, so that what is fixed stands where they put it.
enum class BasePoint { centroid, frame };

/// Names of BasePoint in files, in its order.
constexpr std::array<std::string_view, 2> kBasePointNames = {"centroid", "frame"};

/// The point by which a model is placed; the centroid unless set_base_point() said otherwise.
SPACEDYN_EXPORT BasePoint base_point(const ModelDescription& model);

/// Chooses it. It is kept with the notes of the base, under `placed_by`.
SPACEDYN_EXPORT void set_base_point(ModelDescription& model, BasePoint point);

}  // namespace spacedyn
