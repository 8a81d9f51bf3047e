/// @file
/// Columns of Jacobians, and their rates.
#pragma once

#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/kinematics/link_motion.hpp"

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
  const Joint& its = model.joint(joint);
  return its.turn * frames.k[j].cross(point - frames.p[j]) + its.slide * frames.k[j];
}

/// Column j of the rotational Jacobian of a body that joint j carries.
inline Vector3 angular_column(const Model& model, const LinkFrames& frames, int joint) {
  return model.joint(joint).turn * frames.k[static_cast<std::size_t>(joint)];
}

/// k̇_j = ω_j × k_j: the axis is fixed in link j, and in link B_j as well; those of a spherical
/// joint are fixed in the link that it carries.
inline Vector3 axis_rate(const Model& model, const LinkFrames& frames,
                         const LinkVelocities& velocities, int joint) {
  const auto body = static_cast<std::size_t>(model.axis_body(joint));
  return velocities.omega[body].cross(frames.k[static_cast<std::size_t>(joint)]);
}

/// Derivative of linear_column() for a point that moves with @p point_velocity.
inline Vector3 linear_column_rate(const Model& model, const LinkFrames& frames,
                                  const LinkVelocities& velocities, int joint, const Vector3& point,
                                  const Vector3& point_velocity) {
  const auto j = static_cast<std::size_t>(joint);
  const Joint& its = model.joint(joint);
  const Vector3 kd_j = axis_rate(model, frames, velocities, joint);
  // p_j is on the axis, which link j turns about and moves along
  const Vector3 pd_j = velocities.v[j] + velocities.omega[j].cross(frames.p[j] - frames.r[j]);
  return its.turn * (kd_j.cross(point - frames.p[j]) + frames.k[j].cross(point_velocity - pd_j)) +
         its.slide * kd_j;
}

/// Derivative of angular_column().
inline Vector3 angular_column_rate(const Model& model, const LinkFrames& frames,
                                   const LinkVelocities& velocities, int joint) {
  return model.joint(joint).turn * axis_rate(model, frames, velocities, joint);
}

}  // namespace spacedyn
