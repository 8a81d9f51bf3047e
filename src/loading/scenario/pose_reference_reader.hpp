/// @file
/// Reads poses that frames follow.
#pragma once

#include <memory>

#include "loading/keys/map_reader.hpp"
#include "spacedyn/control/pose_reference.hpp"

namespace spacedyn::loading {

/// A `pose_path`, a pose that is held, or a reference of x, y and z; nothing where it is wrong.
/// @param start  of the frame, in the axes of the reference
std::shared_ptr<const PoseReference> read_pose_reference(const Value& value, const Pose& start,
                                                         ReadContext& context);

}  // namespace spacedyn::loading
