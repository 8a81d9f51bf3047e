/// @file
/// Limits, passive terms and rotor of one coordinate of a joint.
#pragma once

#include "loading/keys/fields.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn::loading {

/// Limits and damping, of any coordinate.
/// @param motion  revolute or prismatic
const Fields<JointDescription>& loss_fields(JointType motion);

/// Reads limits, springs, friction and rotor of a coordinate; its type says how it moves.
void read_joint_terms(MapReader& map, JointDescription& coordinate);

/// Adds what read_joint_terms() reads.
/// @param may_couple  whether the rotor may act on its carrier
void describe_joint_terms(JointType motion, bool may_couple, MappingSchema& schema);

/// Schema of a ratio of gears.
std::string gear_ratio_schema();

}  // namespace spacedyn::loading
