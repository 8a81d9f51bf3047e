/// @file
/// Parts of a robot as robots of their own.
#pragma once

#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn {

/// A link and all that it carries as a robot of its own, floating, named for that link, which
/// becomes the base; its joint to the rest is dropped. Names, frames and notes stay. The base gives
/// the whole robot. O(n).
/// @throws DomainError for an unknown link, or for a coupling or transmission that would be cut;
/// ModelError if the description breaks a rule.
SPACEDYN_EXPORT ModelDescription submodel(const ModelDescription& description,
                                          const std::string& link);

/// The two robots that result from a cut.
struct DetachedDescriptions {
  ModelDescription remaining;
  ModelDescription detached;  ///< submodel() of the link
  std::string idle_motor;     ///< joint of the rotor that stays behind; empty if there is none
};

/// Cuts a robot at the joint that carries a link. O(n).
///
/// The motor of that joint stays on the lower body and goes on turning: its rotor becomes the
/// massless link `<link>_rotor` on joint `<joint>_motor`, which has the place, the gear and the
/// rotor of the joint that was cut, its limits of velocity and effort and its friction, and the
/// same kinetic energy at the same rate. Position limits, spring and damper acted between the two
/// parts and end with the joint; an Attachment that is to have them again names them in its joint.
/// @throws DomainError for an unknown link or the base, or for a coupling or transmission that
/// would be cut; ModelError if the description breaks a rule.
SPACEDYN_EXPORT DetachedDescriptions detach(const ModelDescription& description,
                                            const std::string& link);

}  // namespace spacedyn
