/// @file
/// Reads reference trajectories, and poses that frames follow.
#pragma once

#include <memory>
#include <vector>

#include "loading/keys/map_reader.hpp"
#include "spacedyn/control/pose_reference.hpp"
#include "spacedyn/control/reference.hpp"
#include "spacedyn/forces/reference_orbit.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn::loading {

/// How long a motion takes.
inline constexpr Quantity kTravelTime{Dimension::time, Range::positive};

/// How the components of a reference move, and where it starts unless told.
struct ReferenceFrame {
  std::vector<JointType> motions;  ///< prismatic for lengths, others for angles
  VectorX start;
  bool must_be_smooth = false;  ///< imposed motion: a jump of velocity would need infinite force
  bool is_part = false;         ///< of another reference, which begins as a whole
  std::optional<ReferenceOrbit> orbit =
      {};  ///< of a place in its frame; none exists if it is wrong
};

/// A reference of any type; nothing where it is wrong.
std::shared_ptr<const Reference> read_reference(const Value& value, const ReferenceFrame& frame,
                                                ReadContext& context);

/// A `pose_path`, a pose that is held, or a reference of x, y and z; nothing where it is wrong.
/// @param start  of the frame, in the axes of the reference
std::shared_ptr<const PoseReference> read_pose_reference(const Value& value, const Pose& start,
                                                         ReadContext& context);

/// The rotation that a spherical joint follows: that of a `pose_path`, one that is held, a table of
/// quaternions, or a reference of the three components of a rotation vector; of a free joint, the
/// pose. Nothing where it is wrong.
/// @param start  of the link in the joint frame
std::shared_ptr<const PoseReference> read_joint_pose(const Value& value, const CompoundJoint& joint,
                                                     const Pose& start, ReadContext& context);

}  // namespace spacedyn::loading
