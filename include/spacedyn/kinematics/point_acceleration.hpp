/// @file
/// Accelerations of material points, classical and spatial: two types, so that they never mix.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "spacedyn/math/spatial/acceleration.hpp"

namespace spacedyn {

/// Second derivative of a material point's position and the body's angular acceleration:
/// v̇_i + ω̇_i × d + ω_i × (ω_i × d), d from the centroid to the point, and ω̇_i. m/s², rad/s²,
/// inertial axes. O(1), allocates nothing. @pre the three kinematic results belong to one state.
SPACEDYN_EXPORT ClassicalAcceleration classical_acceleration(const LinkFrames& frames,
                                                             const LinkVelocities& velocities,
                                                             const LinkAccelerations& accelerations,
                                                             const Frame& point);

/// The same motion as a spatial acceleration, [ω̇; v̇ − ω × v] in inertial axes about the place where
/// the point is now: how the velocity at this place changes while one body-fixed point after
/// another passes [Featherstone] (43), (44), [RBDL]. O(1), allocates nothing.
SPACEDYN_EXPORT MotionVector spatial_acceleration(const LinkFrames& frames,
                                                  const LinkVelocities& velocities,
                                                  const LinkAccelerations& accelerations,
                                                  const Frame& point);

/// [ω; v] of a material point as a spatial velocity in inertial axes about the point.
SPACEDYN_EXPORT MotionVector spatial_velocity(const LinkFrames& frames,
                                              const LinkVelocities& velocities, const Frame& point);

/// Classical acceleration of a point at u̇ = 0 (v̇_0 = 0, ω̇_0 = 0, q̈ = 0): J̇_m q̇ + J̇_b x_b of (17),
/// the part that velocities cause. O(depth), allocates nothing; needs no link accelerations.
/// @pre `frames` and `velocities` belong to `state`
SPACEDYN_EXPORT ClassicalAcceleration bias_acceleration(const Model& model, const State& state,
                                                        const LinkFrames& frames,
                                                        const LinkVelocities& velocities,
                                                        const Frame& point);

}  // namespace spacedyn
