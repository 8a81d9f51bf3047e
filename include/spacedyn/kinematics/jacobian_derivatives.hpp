/// @file
/// Time derivatives of Jacobians along the motion, what (17) needs.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/kinematics/jacobians.hpp"
#include "spacedyn/kinematics/link_motion.hpp"

namespace spacedyn {

/// d/dt J_Ti, 3×n: column j is k̇_j × (r_i − p_j) + k_j × (v_i − ṗ_j) if joint j is revolute, k̇_j
/// if prismatic, with k̇_j = ω_j × k_j; zero off the path to body i. Inertial axes, 1/s times the
/// unit of J_Ti. O(depth), allocates nothing if J has its size.
SPACEDYN_EXPORT void translational_jacobian_derivative(const Model& model, const LinkFrames& frames,
                                                       const LinkVelocities& velocities, int body,
                                                       Eigen::Ref<Matrix3X> J_T_dot);

/// d/dt J_Ri, 3×n: column j is k̇_j if joint j is revolute and on the path to body i, else 0.
SPACEDYN_EXPORT void rotational_jacobian_derivative(const Model& model, const LinkFrames& frames,
                                                    const LinkVelocities& velocities, int body,
                                                    Eigen::Ref<Matrix3X> J_R_dot);

/// J̇_m of [SpaceDyn] (17), 6×n, for a frame or material point; rows (linear, angular).
/// O(depth), allocates nothing if J has its size.
SPACEDYN_EXPORT void frame_jacobian_derivative(const Model& model, const LinkFrames& frames,
                                               const LinkVelocities& velocities, const Frame& frame,
                                               Eigen::Ref<Matrix6X> J_m_dot);

/// J̇_b of [SpaceDyn] (17), 6×6: [0, −d/dt r̃_0h; 0, 0], where ṙ_0h = v_h − v_0.
SPACEDYN_EXPORT Matrix6 base_jacobian_derivative(const LinkFrames& frames,
                                                 const LinkVelocities& velocities,
                                                 const Frame& frame);

/// The Jacobians of one frame and their derivatives: ẋ_h = J_m q̇ + J_b x_b (16) and
/// ẍ_h = J_m q̈ + J̇_m q̇ + J_b ẋ_b + J̇_b x_b (17), twists (linear, angular), inertial.
struct FrameJacobians {
  Matrix6X J_m, J_m_dot;  ///< 6×n
  Matrix6 J_b = Matrix6::Identity();
  Matrix6 J_b_dot = Matrix6::Zero();
};

/// All four at a state: the convenience that sizes everything itself.
/// @throws DimensionError, DomainError if the state or the frame does not fit the model.
SPACEDYN_EXPORT FrameJacobians frame_jacobians(const Model& model, const State& state,
                                               const Frame& frame);

}  // namespace spacedyn
