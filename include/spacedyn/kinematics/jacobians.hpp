/// @file
/// Jacobians of link centroids and frames.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn {

/// J_Ti (25), 3×n: column j is k_j × (r_i − p_j) if joint j is revolute, k_j if prismatic, and zero
/// unless joint j lies between the base and body i. Allocates nothing if J has its size.
SPACEDYN_EXPORT void translational_jacobian(const Model& model, const LinkFrames& frames, int body,
                                            Eigen::Ref<Matrix3X> J_T);

/// J_Ri (26), 3×n: column j is k_j if joint j is revolute and lies on the path to body i, else 0.
SPACEDYN_EXPORT void rotational_jacobian(const Model& model, const LinkFrames& frames, int body,
                                         Eigen::Ref<Matrix3X> J_R);

/// J_m of (16), 6×n: rows (linear, angular) of the velocity of a frame per joint rate.
SPACEDYN_EXPORT void frame_jacobian(const Model& model, const LinkFrames& frames,
                                    const Frame& frame, Eigen::Ref<Matrix6X> J_m);

/// J_b of (16), 6×6: [E, −r̃_0h; 0, E], the frame's velocity per base twist at the base centroid.
SPACEDYN_EXPORT Matrix6 base_jacobian(const LinkFrames& frames, const Frame& frame);

}  // namespace spacedyn
