/// @file
/// Accelerations from forces by the inertia matrix, [SpaceDyn] (29).
#pragma once

#include <Eigen/Cholesky>

#include "spacedyn/dynamics/dynamics_status.hpp"
#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/state/loads.hpp"

namespace spacedyn {

/// Memory of one forward-dynamics evaluation, owned by the caller, and the intermediate results
/// that are valid after it.
struct SPACEDYN_EXPORT DynamicsWorkspace {
  LinkFrames frames;
  LinkVelocities velocities;
  LinkAccelerations accelerations;
  JointReactions reactions;
  JacobianWorkspace jacobians;
  InertiaBlocks inertia;
  MatrixX H;           ///< (6+n)×(6+n)
  VectorX bias;        ///< c of (18), gravity included, minus the external wrenches' share
  MatrixX H_free;      ///< rows and columns of the free coordinates, the last one first
  VectorX right_side;  ///< of the free coordinates, likewise
  Eigen::LLT<MatrixX> factorization;  ///< of H_free

  /// @throws DimensionError for more links than Topology::kMaxDenseLinks.
  DynamicsWorkspace(const Model& model, const Mobility& mobility);
};

/// Fills the frames and velocities of the workspace, which the next function expects.
SPACEDYN_EXPORT void update_kinematics(const Model& model, const State& state,
                                       DynamicsWorkspace& workspace);

/// Hybrid dynamics: accelerations of the free coordinates and forces of the prescribed ones.
///
/// Solves (29) for the free rows with prescribed accelerations moved to the right, then reads the
/// missing forces from (18). O(n³), allocates nothing, never throws.
/// @pre update_kinematics() has been called for the state
/// @param acceleration  in: entries of the prescribed coordinates; out: all, size 6 + n
/// @param forces        out: [F_b; τ], the given ones of free coordinates and the computed ones
///                      (on top of those given in @p loads) of prescribed coordinates, size 6 + n
SPACEDYN_EXPORT DynamicsStatus hybrid_dynamics(const Model& model, const State& state,
                                               const Loads& loads, const Mobility& mobility,
                                               DynamicsWorkspace& workspace, VectorRef acceleration,
                                               VectorRef forces) noexcept;

/// u̇ = H⁻¹ ([F_b; τ] + Σ Jᵀ F − c), the convenience that sizes everything itself; a fixed base
/// keeps zero acceleration.
/// @throws NumericalError if H is not positive definite.
SPACEDYN_EXPORT VectorX forward_dynamics(const Model& model, const State& state,
                                         const Loads& loads);

}  // namespace spacedyn
