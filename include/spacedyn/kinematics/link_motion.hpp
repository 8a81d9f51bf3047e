/// @file
/// Velocities and accelerations of all links, the recursions (8)–(15) of the paper.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn {

/// Velocity of each centroid, angular velocity of each body (inertial) and rate of each joint.
struct SPACEDYN_EXPORT LinkVelocities {
  std::vector<Vector3> v;      ///< v_i, m/s
  std::vector<Vector3> omega;  ///< ω_i, rad/s
  VectorX qd;                  ///< q̇

  LinkVelocities() = default;
  explicit LinkVelocities(const Model& model);
};

/// Classical acceleration of each centroid, angular acceleration of each body (inertial), q̈.
struct SPACEDYN_EXPORT LinkAccelerations {
  std::vector<Vector3> vd;      ///< v̇_i, m/s²
  std::vector<Vector3> omegad;  ///< ω̇_i, rad/s²
  VectorX qdd;                  ///< q̈

  LinkAccelerations() = default;
  explicit LinkAccelerations(const Model& model);
};

/// [SpaceDyn] (8), (9), (12), (13). O(n), allocates nothing.
SPACEDYN_EXPORT void compute_link_velocities(const Model& model, const State& state,
                                             const LinkFrames& frames, LinkVelocities& velocities);

/// [SpaceDyn] (10), (11), (14), (15). Differs from [SpaceDyn]: (15) prints φ where its Coriolis
/// term needs φ̇. O(n), allocates nothing.
/// @param acceleration  u̇ = [v̇_0; ω̇_0; q̈], size 6 + n
SPACEDYN_EXPORT void compute_link_accelerations(const Model& model, const State& state,
                                                const LinkFrames& frames,
                                                const LinkVelocities& velocities,
                                                ConstVectorRef acceleration,
                                                LinkAccelerations& accelerations);

/// Velocity of a point fixed to a body and the body's angular velocity, (linear, angular).
SPACEDYN_EXPORT Vector6 frame_velocity(const LinkFrames& frames, const LinkVelocities& velocities,
                                       const Frame& frame);

/// Classical acceleration of a point fixed to a body and its angular acceleration.
SPACEDYN_EXPORT Vector6 frame_acceleration(const LinkFrames& frames,
                                           const LinkVelocities& velocities,
                                           const LinkAccelerations& accelerations,
                                           const Frame& frame);

}  // namespace spacedyn
