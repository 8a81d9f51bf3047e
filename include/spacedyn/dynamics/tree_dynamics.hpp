/// @file
/// Forward and inverse dynamics in memory of the caller, the O(n) algorithms of the library: in
/// inertial axes about one common origin.
#pragma once

#include "spacedyn/dynamics/dynamics_status.hpp"
#include "spacedyn/dynamics/tree_motion.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/state/loads.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// Hybrid dynamics by the articulated-body algorithm [Featherstone]: accelerations of the free
/// coordinates of the workspace's mobility and forces of the prescribed ones.
///
/// The same numbers as hybrid_dynamics(), in O(n) and without H. Forces include the external
/// wrenches; the joints' own springs and dampers act only as far as τ contains them. Allocates
/// nothing, never throws.
/// @pre sizes are those of the workspace's model
/// @param acceleration  in: entries of the prescribed coordinates; out: all, size 6 + n
/// @param forces        out: [F_b; τ], the given ones of free coordinates and the computed ones
///                      (on top of those given in @p loads) of prescribed coordinates, size 6 + n
SPACEDYN_EXPORT DynamicsStatus forward_dynamics(const State& state, const Loads& loads,
                                                TreeWorkspace& workspace, VectorRef acceleration,
                                                VectorRef forces) noexcept;

/// The same after update_motion(), whose state and prescribed accelerations it takes: for programs
/// that compute loads from the motion first.
SPACEDYN_EXPORT DynamicsStatus forward_dynamics(const Loads& loads, TreeWorkspace& workspace,
                                                VectorRef acceleration, VectorRef forces) noexcept;

/// [F_0; N_0; τ] needed for the accelerations u̇, recursive Newton–Euler about one origin,
/// (30)–(39). F_b and τ of the loads are not read. O(n), allocates nothing.
/// @pre sizes are those of the workspace's model
/// @param forces  out: size 6 + n
SPACEDYN_EXPORT void inverse_dynamics(const State& state, ConstVectorRef acceleration,
                                      const Loads& loads, TreeWorkspace& workspace,
                                      VectorRef forces) noexcept;

/// H, (6+n)×(6+n), or n×n, its part without the base, all that a fixed base needs: the numbers of
/// inertia_matrix() in O(n · depth) [Featherstone], exactly symmetric, whatever the mobility of the
/// workspace. Allocates nothing if H has its size. @pre sizes are those of the workspace's model
SPACEDYN_EXPORT void composite_rigid_body(const State& state, TreeWorkspace& workspace,
                                          Eigen::Ref<MatrixX> H) noexcept;

/// x = H⁻¹ b for the free coordinates of the workspace's mobility, zero for the others: the
/// acceleration that forces b cause in a robot at rest. O(n) without forming H, allocates nothing.
/// @param b  size 6 + n, (force, moment, joints)
SPACEDYN_EXPORT DynamicsStatus solve_inertia(const State& state, ConstVectorRef b,
                                             TreeWorkspace& workspace, VectorRef x) noexcept;

}  // namespace spacedyn
