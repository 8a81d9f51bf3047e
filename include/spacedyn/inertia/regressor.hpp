/// @file
/// Dynamics, momentum and energy as linear functions of the inertial parameters of all bodies.
///
/// Columns are those of inertial_parameters(model), ten a body. How all bodies move is given, the
/// base included: columns are formed with the base's frame, and r_0 as the point about which
/// moments are taken, where they are, although another centroid of the base would be another r_0.
/// Links that only stand between two coordinates of a compound joint have columns of zeros. Rotor
/// inertias that no body has (Joint::armature) are not parameters: Y π is without them. Of a model
/// with loops, Y is that of its tree.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/inertial_parameters.hpp"
#include "spacedyn/kinematics/link_motion.hpp"

namespace spacedyn {

/// Y with Y π = [F_0; N_0; τ] of inverse dynamics, (30)–(39), without external wrenches and
/// armature: (6 + n) × 10 (1 + n). A fixed base has all its columns; its rows 1–6 are the reaction
/// of the support. O(depth) for each body and the zeros, allocates nothing.
/// @param regressor  out
SPACEDYN_EXPORT void inverse_dynamics_regressor(const Model& model, const LinkFrames& frames,
                                                const LinkVelocities& velocities,
                                                const LinkAccelerations& accelerations,
                                                const Vector3& gravity,
                                                Eigen::Ref<MatrixX> regressor);

/// The same at a state: the convenience that sizes everything itself.
/// @param acceleration  u̇ = [v̇_0; ω̇_0; q̈], size 6 + n
/// @throws DimensionError, DomainError if a size is wrong or a number not finite
SPACEDYN_EXPORT MatrixX inverse_dynamics_regressor(const Model& model, const State& state,
                                                   ConstVectorRef acceleration,
                                                   const Vector3& gravity);

/// Y with Y π = [P; L_0], linear momentum and angular momentum about the point r_0, 6 × 10 (1 + n),
/// inertial axes. O(n), allocates nothing.
/// @param regressor  out
SPACEDYN_EXPORT void momentum_regressor(const Model& model, const LinkFrames& frames,
                                        const LinkVelocities& velocities,
                                        Eigen::Ref<Matrix6X> regressor);

/// The same at a state. @throws DimensionError, DomainError if the state does not fit the model
SPACEDYN_EXPORT Matrix6X momentum_regressor(const Model& model, const State& state);

/// Y with Y π = [T; V], kinetic energy without that of geared rotors and potential energy in
/// uniform gravity, 2 × 10 (1 + n), J. O(n), allocates nothing.
/// @param regressor  out
SPACEDYN_EXPORT void energy_regressor(const Model& model, const LinkFrames& frames,
                                      const LinkVelocities& velocities, const Vector3& gravity,
                                      Eigen::Ref<MatrixX> regressor);

/// The same at a state. @throws DimensionError, DomainError if the state does not fit the model or
/// gravity is not finite
SPACEDYN_EXPORT MatrixX energy_regressor(const Model& model, const State& state,
                                         const Vector3& gravity);

}  // namespace spacedyn
