/// @file
/// Forces that produce a given motion, [SpaceDyn] (30)–(39), recursive Newton–Euler.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/kinematics/link_motion.hpp"
#include "spacedyn/state/loads.hpp"

namespace spacedyn {

/// Joint reactions f_i, n_i: what link B_i exerts on link i at joint i, inertial.
struct SPACEDYN_EXPORT JointReactions {
  std::vector<Vector3> f;  ///< N; f_0 is the resultant on the base
  std::vector<Vector3> n;  ///< N m about p_i; n_0 about the base centroid

  JointReactions() = default;
  explicit JointReactions(const Model& model);
};

/// [F_0; N_0; τ] needed for the accelerations, from link n down to the base. O(n), no allocation.
///
/// Uses the external wrenches and gravity of @p loads; its F_b and τ are not read, they are what
/// is computed. Differs from [SpaceDyn]: wrenches act on the endpoint, the one sign of (18), and
/// the base's own inertia enters (38)–(39).
/// @param forces  out: size 6 + n
SPACEDYN_EXPORT void inverse_dynamics(const Model& model, const LinkFrames& frames,
                                      const LinkVelocities& velocities,
                                      const LinkAccelerations& accelerations, const Loads& loads,
                                      JointReactions& reactions, VectorRef forces);

/// The convenience that sizes everything itself: [F_0; N_0; τ], size 6 + n.
/// @throws DimensionError, DomainError if a size is wrong or a number not finite
SPACEDYN_EXPORT VectorX inverse_dynamics(const Model& model, const State& state,
                                         ConstVectorRef acceleration, const Loads& loads);

/// c of (18): inverse dynamics at zero acceleration without external wrenches, gravity included.
SPACEDYN_EXPORT VectorX bias_forces(const Model& model, const State& state, const Vector3& gravity);

}  // namespace spacedyn
