/// @file
/// Material points of bodies: any of them is a nameless Frame, so all functions of frames take it.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/kinematics/link_motion.hpp"

namespace spacedyn {

/// The point of a body at @p position_L (m, from the origin of its link frame, link axes), with the
/// axes of the link frame.
/// @throws DomainError if there is no such body or the position is not finite.
SPACEDYN_EXPORT Frame material_point(const Model& model, int body, const Vector3& position_L);

/// The point of a body that is now at @p position (m, inertial); it then moves with the body.
/// @throws DomainError if there is no such body or the position is not finite.
SPACEDYN_EXPORT Frame material_point_at(const Model& model, const LinkFrames& frames, int body,
                                        const Vector3& position);

/// @throws DomainError if a frame is on a body that the model does not have or is not finite.
SPACEDYN_EXPORT void check_frame(const Model& model, const Frame& frame);

/// Velocity v_i + ω_i × (x − r_i) of a material point, m/s, inertial [RBDL]. Allocates nothing.
SPACEDYN_EXPORT Vector3 point_velocity(const LinkFrames& frames, const LinkVelocities& velocities,
                                       const Frame& point);

}  // namespace spacedyn
