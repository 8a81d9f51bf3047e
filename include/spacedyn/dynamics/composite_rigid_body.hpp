/// @file
/// The inertia matrix by composite rigid bodies, and solutions with it that never form it.
#pragma once

#include "spacedyn/dynamics/dynamics_status.hpp"
#include "spacedyn/dynamics/tree_workspace.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// H, (6+n)×(6+n): the numbers of inertia_matrix() in O(n · depth) [Featherstone], exactly
/// symmetric. The mobility of the workspace does not matter. Allocates nothing if H has its size.
/// @pre sizes are those of the workspace's model
SPACEDYN_EXPORT void composite_rigid_body(const State& state, TreeWorkspace& workspace,
                                          Eigen::Ref<MatrixX> H) noexcept;

/// x = H⁻¹ b for the free coordinates of the workspace's mobility, zero for the others: the
/// acceleration that forces b cause in a robot at rest. O(n) without forming H, allocates nothing.
/// @param b  size 6 + n, (force, moment, joints)
SPACEDYN_EXPORT DynamicsStatus solve_inertia(const State& state, ConstVectorRef b,
                                             TreeWorkspace& workspace, VectorRef x) noexcept;

}  // namespace spacedyn
