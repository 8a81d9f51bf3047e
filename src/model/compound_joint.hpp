/// @file
/// Joints with several coordinates as chains of joints with one.
#pragma once

#include <vector>

#include "spacedyn/model/description.hpp"
#include "spacedyn/model/joint_traits.hpp"

namespace spacedyn {

/// The link itself if its joint has at most one coordinate; else links without mass, one for each
/// coordinate but the last, then the link.
std::vector<LinkDescription> elementary_links(const LinkDescription& link);

/// Axes of the coordinates of a joint, unit vectors in the joint frame.
std::vector<Vector3> coordinate_axes(const JointDescription& joint);

}  // namespace spacedyn
