/// @file
/// Reduced robots: joints held where they are, and set free again.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn {

/// Positions of some joints by name, rad or m.
using JointPositions = std::map<std::string, double>;

/// The robot with some joints held: each becomes a fixed joint at its position, so that its link
/// and the link below are one body when the Model is built.
///
/// The joint keeps its name and notes. Its limits, spring and damper have nothing left to act on
/// and are dropped; unlock_joints() takes them from the original. A position outside the limits is
/// accepted: a joint may be held wherever it got to. O(n).
/// @throws DomainError for an unknown or fixed joint, one that a coupling or a transmission acts
/// on, or a position that is not finite; ModelError if the description breaks a rule.
SPACEDYN_EXPORT ModelDescription lock_joints(const ModelDescription& description,
                                             const JointPositions& positions);

/// The robot with some locked joints free again, as they are in the original; whatever else was
/// changed since stays. O(n).
/// @param original  the description that was locked, or any that holds these joints
/// @throws DomainError for a joint that is not locked, that the original does not have or has
/// fixed, or that joins other links there; ModelError if a description breaks a rule.
SPACEDYN_EXPORT ModelDescription unlock_joints(const ModelDescription& locked,
                                               const ModelDescription& original,
                                               const std::vector<std::string>& joints);

}  // namespace spacedyn
