/// @file
/// The time derivative of the system inertia matrix, block by block.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/kinematics/jacobian_derivatives.hpp"

namespace spacedyn {

/// d/dt of InertiaBlocks along the motion: Ḣ = [Ḣ_b, Ḣ_bm; Ḣ_bmᵀ, Ḣ_m]. Inertial axes, SI units.
struct SPACEDYN_EXPORT InertiaRates {
  Vector3 r_0g_dot = Vector3::Zero();     ///< v_g − v_0
  Matrix3 H_omega_dot = Matrix3::Zero();  ///< of (21)
  Matrix3X J_Tw_dot;                      ///< of (24), Σ m_i J̇_Ti
  Matrix3X H_omega_phi_dot;               ///< of (22)
  Matrix6 H_b_dot = Matrix6::Zero();      ///< of (19)
  Matrix6X H_bm_dot;                      ///< of (20)
  MatrixX H_m_dot;                        ///< of (23)

  InertiaRates() = default;
  /// @throws DimensionError for more links than Topology::kMaxDenseLinks.
  explicit InertiaRates(const Model& model);
};

/// Scratch Jacobians of one link and their derivatives, sized once; only the columns of joints
/// below the link are written.
struct SPACEDYN_EXPORT InertiaRatesWorkspace {
  Matrix3X J_T, J_R, J_T_dot, J_R_dot;
  Matrix3X spin;       ///< I_i J_Ri
  Matrix3X spin_rate;  ///< its derivative

  InertiaRatesWorkspace() = default;
  explicit InertiaRatesWorkspace(const Model& model);
};

/// Derivatives of [SpaceDyn] (19)–(24), with İ_i = ω̃_i I_i − I_i ω̃_i of the rotated tensors.
/// O(Σ depth²), allocates nothing. @pre `frames` and `velocities` belong to one state.
SPACEDYN_EXPORT void compute_inertia_rates(const Model& model, const LinkFrames& frames,
                                           const LinkVelocities& velocities,
                                           InertiaRatesWorkspace& workspace, InertiaRates& rates);

/// Writes Ḣ, (6+n)×(6+n), from its blocks. Allocates nothing if Ḣ has its size.
SPACEDYN_EXPORT void assemble_inertia_matrix_derivative(const InertiaRates& rates,
                                                        Eigen::Ref<MatrixX> H_dot);

/// Ḣ at a state: the convenience that sizes everything itself.
/// @throws DimensionError, DomainError if the state does not fit the model or the model is too big.
SPACEDYN_EXPORT MatrixX inertia_matrix_derivative(const Model& model, const State& state);

}  // namespace spacedyn
