/// @file
/// Poses and velocities of all bodies as the O(n) algorithms compute them, and Jacobians from them.
#pragma once

#include "spacedyn/dynamics/tree_workspace.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/kinematics/link_motion.hpp"

namespace spacedyn {

/// Poses of all bodies, (1) and (6). O(n), allocates nothing. @pre sizes are those of the model
SPACEDYN_EXPORT void update_poses(const State& state, TreeWorkspace& workspace) noexcept;

/// Poses, velocities, and what they and prescribed accelerations cause. O(n), allocates nothing.
/// @param acceleration  size 6 + n; entries of the prescribed coordinates are read
SPACEDYN_EXPORT void update_motion(const State& state, ConstVectorRef acceleration,
                                   TreeWorkspace& workspace) noexcept;

/// The frames and velocities that compute_link_frames() and compute_link_velocities() would give.
/// O(n), allocates nothing. @pre the last update was update_motion() for this state, or a function
/// that takes the state and contains it
SPACEDYN_EXPORT void export_motion(const State& state, TreeWorkspace& workspace, LinkFrames& frames,
                                   LinkVelocities& velocities) noexcept;

/// J_m of (16), 6×n, at the poses of the last update: rows (linear, angular), inertial. O(n) for
/// the zeros, O(depth) for the rest, allocates nothing if J_m has its size.
SPACEDYN_EXPORT void endpoint_jacobian(TreeWorkspace& workspace, const Frame& frame,
                                       Eigen::Ref<Matrix6X> J_m) noexcept;

}  // namespace spacedyn
