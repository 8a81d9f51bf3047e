/// @file
/// Dynamics of states that come as rows: each thread turns eight of them into a tile, which stays
/// in its cache until the result is written as rows again; what is wrong with a row.
#pragma once

#include <string>

#include "batch/engine.hpp"
#include "batch/kernels/rk4_task.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn::batch {

/// u̇ from [F_b; τ] or τ. @throws as BatchDynamics
void forward_dynamics(Engine& engine, const ConstRowsRef& states, const ConstRowsRef& forces,
                      RowsRef acceleration);
/// [F_0; N_0; τ] from u̇. @throws as BatchDynamics
void inverse_dynamics(Engine& engine, const ConstRowsRef& states, const ConstRowsRef& acceleration,
                      RowsRef forces);
/// @throws as BatchDynamics
void inertia_matrix(Engine& engine, const ConstRowsRef& states, RowsRef H);
void inverse_inertia(Engine& engine, const ConstRowsRef& states, RowsRef H_inverse);
/// @throws as BatchDynamics
void forward_dynamics_derivatives(Engine& engine, const ConstRowsRef& states,
                                  const ConstRowsRef& forces, BatchDerivatives derivatives);
/// @throws as BatchDynamics
void frame_poses(Engine& engine, const ConstRowsRef& states, const Frame& frame, RowsRef position,
                 RowsRef orientation);
void frame_jacobians(Engine& engine, const ConstRowsRef& states, const Frame& frame,
                     BatchJacobian kind, RowsRef J);
/// @throws as BatchDynamics
void rollout(Engine& engine, const ConstRowsRef& initial, const ConstRowsRef& controls,
             const BatchRollout& run, RowsRef states);

/// Nothing if it is a state.
std::string row_flaw(const double* row, Eigen::Index size);

}  // namespace spacedyn::batch
