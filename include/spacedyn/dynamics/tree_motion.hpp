/// @file
/// Poses and velocities of all bodies as the O(n) algorithms compute them, and Jacobians from them.
#pragma once

#include <memory>

#include "spacedyn/dynamics/instruction_set.hpp"
#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/kinematics/link_motion.hpp"

namespace spacedyn {

/// Constants of one model, packed for the O(n) algorithms, and their memory; owned by the caller,
/// sized once, about 1 KiB per link. It keeps nothing of the Model itself, which may go away.
///
/// An evaluation writes here, so each thread needs a workspace of its own.
class SPACEDYN_EXPORT TreeWorkspace {
 public:
  /// All joints free, the base free unless the model says it is fixed.
  explicit TreeWorkspace(const Model& model) : TreeWorkspace(model, Mobility(model)) {}
  TreeWorkspace(const Model& model, const Mobility& mobility);
  ~TreeWorkspace();
  TreeWorkspace(TreeWorkspace&&) noexcept;
  TreeWorkspace& operator=(TreeWorkspace&&) noexcept;

  const Mobility& mobility() const;
  /// The kernels in use, chosen when this was constructed.
  InstructionSet instruction_set() const;

  struct Memory;  ///< private to the library
  Memory& memory() { return *memory_; }

 private:
  std::unique_ptr<Memory> memory_;
};

/// Poses of all bodies, (1) and (6). O(n), allocates nothing. @pre sizes are those of the model
SPACEDYN_EXPORT void update_poses(const State& state, TreeWorkspace& workspace) noexcept;

/// Poses, velocities, and what they and prescribed accelerations cause. O(n), allocates nothing.
/// @param acceleration  size 6 + n; entries of the prescribed coordinates are read
SPACEDYN_EXPORT void update_motion(const State& state, ConstVectorRef acceleration,
                                   TreeWorkspace& workspace) noexcept;

/// @name One frame of a robot with branches
/// Only the joints between the base and @p body move: O(depth), whatever else the robot carries.
/// Then frame_pose(), frame_velocity() and frame_jacobian() hold for the frames of that body and of
/// those below it; all other functions need an update of all bodies again. Allocate nothing.
/// @{
/// Poses between the base and a body. @pre sizes are those of the model, 0 ≤ body ≤ n
SPACEDYN_EXPORT void update_path_poses(const State& state, int body,
                                       TreeWorkspace& workspace) noexcept;
/// Poses and velocities between the base and a body.
SPACEDYN_EXPORT void update_path_motion(const State& state, int body,
                                        TreeWorkspace& workspace) noexcept;
/// @}

/// Where a frame is.
struct FramePose {
  Vector3 position;     ///< m, inertial
  Matrix3 orientation;  ///< frame axes to inertial components
};

/// Pose of a frame (7) after the last update, of all bodies or of the path to it. O(1).
SPACEDYN_EXPORT FramePose frame_pose(const State& state, TreeWorkspace& workspace,
                                     const Frame& frame) noexcept;

/// Velocity of the point and angular velocity, (linear, angular), inertial. O(1). @pre the last
/// update was update_motion() or update_path_motion() for this state
SPACEDYN_EXPORT Vector6 frame_velocity(const State& state, TreeWorkspace& workspace,
                                       const Frame& frame) noexcept;

/// The frames and velocities that compute_link_frames() and compute_link_velocities() would give.
/// O(n), allocates nothing. @pre the last update was update_motion() for this state, or a function
/// that takes the state and contains it
SPACEDYN_EXPORT void export_motion(const State& state, TreeWorkspace& workspace, LinkFrames& frames,
                                   LinkVelocities& velocities) noexcept;

/// J_m of (16), 6×n, at the poses of the last update: rows (linear, angular), inertial. O(n) for
/// the zeros, O(depth) for the rest, allocates nothing if J_m has its size.
SPACEDYN_EXPORT void frame_jacobian(TreeWorkspace& workspace, const Frame& frame,
                                    Eigen::Ref<Matrix6X> J_m) noexcept;

}  // namespace spacedyn
