/// @file
/// Calculus of poses, shared by those who read and those who rearrange descriptions.
#pragma once

#include "spacedyn/model/description.hpp"

namespace spacedyn {

/// A rotation free of the roundings of its author; one that is exact already keeps its bits.
Matrix3 clean_rotation(const Matrix3& rotation);

/// Pose in the outermost frame of a frame placed by @p inner in the frame placed by @p outer.
Pose compose(const Pose& outer, const Pose& inner);

/// Displacement of a joint at position q in its joint frame: a turn about its axis, or a slide
/// along it; nothing for a fixed joint.
Pose joint_displacement(const JointDescription& joint, double q);

}  // namespace spacedyn
