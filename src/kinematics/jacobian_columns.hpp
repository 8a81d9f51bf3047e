/// @file
/// Single columns of (25) and (26), shared by the Jacobians and the inertia matrix.
#pragma once

#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn {

/// Calls `column(j)` for each joint j between the base and a body, from the body down.
template <typename Column>
void for_each_joint_below(const Model& model, int body, Column column) {
  for (int joint = body; joint > 0; joint = model.topology().connection(joint)) column(joint);
}

/// Column j of the translational Jacobian of a point that joint j carries.
inline Vector3 linear_column(const Model& model, const LinkFrames& frames, int joint,
                             const Vector3& point) {
  const auto j = static_cast<std::size_t>(joint);
  if (model.joint(joint).type == JointType::prismatic) return frames.k[j];
  return frames.k[j].cross(point - frames.p[j]);
}

/// Column j of the rotational Jacobian of a body that joint j carries.
inline Vector3 angular_column(const Model& model, const LinkFrames& frames, int joint) {
  if (model.joint(joint).type == JointType::prismatic) return Vector3::Zero();
  return frames.k[static_cast<std::size_t>(joint)];
}

}  // namespace spacedyn
