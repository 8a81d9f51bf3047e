/// @file
/// Maps of momentum, the generalized Jacobian that follows from them, and joint axes, in O(n).
#pragma once

#include "spacedyn/dynamics/tree_motion.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/inertia/base_response.hpp"

namespace spacedyn {

/// @name At the poses of the last update of the workspace
/// All are O(n), never form H_m and allocate nothing if results have their sizes.
/// @{

/// [H_b, H_bm] of (19), (20), the first six rows of H, 6×(6+n): [P; L_0] = A_0 u about the base
/// centroid, inertial. The mobility of the workspace does not matter.
SPACEDYN_EXPORT void momentum_matrix(TreeWorkspace& workspace, Eigen::Ref<Matrix6X> A_0) noexcept;

/// A_g = [E, 0; −r̃_0g, E] [H_b, H_bm], 6×(6+n): [P; L_g] = A_g u about the system centroid, the
/// numbers of centroidal_momentum_matrix(). For a system without mass the base centroid stands for
/// the system centroid.
SPACEDYN_EXPORT void centroidal_momentum_matrix(TreeWorkspace& workspace,
                                                Eigen::Ref<Matrix6X> A_g) noexcept;

/// H_b⁻¹ and D = −H_b⁻¹ H_bm, the numbers of the other compute_base_response(); zero, as for a
/// fixed base, if the base is not free in the workspace's mobility or H_b is singular.
/// @pre the response has the size of the workspace's model
SPACEDYN_EXPORT InertiaStatus compute_base_response(TreeWorkspace& workspace,
                                                    BaseResponse& response) noexcept;

/// J* = J_m − J_b H_b⁻¹ H_bm of a point of a free-floating robot, 6×n, rows (linear, angular),
/// inertial: the numbers of the other generalized_jacobian(). J_m if the base is not free in the
/// workspace's mobility or H_b is singular.
SPACEDYN_EXPORT InertiaStatus generalized_jacobian(TreeWorkspace& workspace, const Frame& frame,
                                                   Eigen::Ref<Matrix6X> J_star) noexcept;

/// Unit twists of all joints, 6×n: rows (linear, angular), inertial, linear parts of what is at the
/// base centroid r_0. The Jacobians of all bodies at once: column j of J_m of a point p is
/// [l_j + w_j × (p − r_0); w_j] with the column [l_j; w_j] here if joint j is between the base and
/// the body of the point, otherwise zero.
SPACEDYN_EXPORT void joint_twists(TreeWorkspace& workspace, Eigen::Ref<Matrix6X> S) noexcept;
/// @}

}  // namespace spacedyn
