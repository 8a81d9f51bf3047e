/// @file
/// What is known about each type of joint: its coordinates, their units and names.
#pragma once

#include <array>
#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn {

/// One coordinate of a joint.
struct CoordinateTraits {
  const char* suffix = "";  ///< appended to the name of the joint, empty if it is the only one
  JointType motion = JointType::revolute;  ///< revolute, also of a screw, or prismatic
  int spherical = 0;                       ///< 1…3 for the parts of a rotation vector, else 0
};

struct JointTraits {
  const char* name;  ///< as in files
  int size;          ///< number of coordinates, in q and in q̇ alike
  std::array<CoordinateTraits, 6> coordinates;
};

/// Traits of a type. A joint with several coordinates is a chain of revolute and prismatic ones in
/// the order given, the first next to the carrying link:
///
/// | type | coordinates |
/// |---|---|
/// | spherical | `_x`, `_y`, `_z`: rotation vector; angular velocity in the carried link's axes |
/// | universal | `_first` about `axis`, `_second` about `second_axis` |
/// | cylindrical | `_angle` about `axis`, `_slide` along it |
/// | planar | `_x`, `_y` across `axis`, `_angle` about it |
/// | free | `_x`, `_y`, `_z` in the joint frame, then `_rx`, `_ry`, `_rz` as a spherical joint |
SPACEDYN_EXPORT const JointTraits& joint_traits(JointType type);

/// Units and column names of what belongs to one coordinate.
struct CoordinateUnits {
  const char *position, *velocity, *effort;  ///< rad, rad/s, N m
};
/// @param motion  revolute or prismatic
SPACEDYN_EXPORT const CoordinateUnits& coordinate_units(JointType motion);

/// Name of coordinate k of a joint, 0 ≤ k < size: the joint's own if it has one coordinate.
SPACEDYN_EXPORT std::string coordinate_name(const std::string& joint, JointType type, int k);

}  // namespace spacedyn
