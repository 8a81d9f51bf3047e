/// @file
/// States and generalized vectors in the conventions of other toolboxes.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// Whose convention; joints keep the order of the Model in all of them.
///
/// | | positions | velocities |
/// |---|---|---|
/// | pinocchio | base origin, quaternion (x, y, z, w), q | Aᵀ v of the base origin, Aᵀ ω, q̇ |
/// | rbdl      | base origin, quaternion (x, y, z), q, w | v of the base origin, Aᵀ ω, q̇ |
/// | spart     | base centroid, quaternion (x, y, z, w), q | Aᵀ ω, v of the base centroid, q̇ |
/// | mujoco    | base origin, quaternion (w, x, y, z), q | v of the base origin, Aᵀ ω, q̇ |
///
/// A is the base attitude A_0, the quaternion that of A_0; the base origin is that of the base's
/// own axes, its v in inertial axes unless Aᵀ is written. Pinocchio's base is a free-flyer, RBDL's
/// a floating-base joint, MuJoCo's a body with a free joint, whose numbers are qpos and qvel; SPART
/// takes the attitude as a matrix, its utilities take this quaternion.
enum class Convention { pinocchio, rbdl, spart, mujoco };

/// Positions, size 7 + n; of the two quaternions of an attitude the one with w ≥ 0.
SPACEDYN_EXPORT VectorX positions_in(Convention convention, const Model& model, const State& state);

/// Velocities, size 6 + n.
SPACEDYN_EXPORT VectorX velocities_in(Convention convention, const Model& model,
                                      const State& state);

/// The State with given positions and velocities; the quaternion is normalized.
/// @throws DimensionError if a size is wrong, DomainError if the quaternion is zero
SPACEDYN_EXPORT State state_from(Convention convention, const Model& model,
                                 ConstVectorRef positions, ConstVectorRef velocities);

/// X with velocities_in(…) = X u, (6+n)×(6+n).
///
/// Being dual, generalized forces follow Q = Xᵀ Q_theirs, the inertia matrix H = Xᵀ H_theirs X.
/// Accelerations also need Ẋ u, which is not zero.
SPACEDYN_EXPORT MatrixX velocity_map(Convention convention, const Model& model, const State& state);

}  // namespace spacedyn
