/// @file
/// The Coriolis matrix C, which turns velocities into their share of the bias forces.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/kinematics/jacobian_derivatives.hpp"

namespace spacedyn {

/// Full Jacobians of one body from u, 3×(6+n), and their derivatives, sized once.
struct SPACEDYN_EXPORT CoriolisWorkspace {
  Matrix3X J_v, J_omega, J_v_dot, J_omega_dot;
  Matrix3X spin_rate;  ///< I_i J̇_ωi + X_i J_ωi

  CoriolisWorkspace() = default;
  /// @throws DimensionError for more links than Topology::kMaxDenseLinks.
  explicit CoriolisWorkspace(const Model& model);
};

/// C of H u̇ + C u + (gravity) = [F_b; τ] + Σ Jᵀ F_h, (6+n)×(6+n), with Ḣ − 2C skew-symmetric.
///
/// C = Σ_i m_i J_viᵀ J̇_vi + J_ωiᵀ (I_i J̇_ωi + X_i J_ωi), X = ½ (ω̃ I − I ω̃ − (Iω)~), so that
/// X ω = ω × I ω and X + Xᵀ = İ. Both properties, C u = c without gravity (18) and Ḣ = C + Cᵀ,
/// hold in the velocity coordinates u = [v_0; ω_0; q̇] with inertial v_0 and ω_0. These are not
/// derivatives of coordinates, so for a moving base C is not the matrix of Christoffel symbols of
/// some coordinate chart; its joint block at u_b = 0 is that of q.
/// Inertial axes; linear rows in N per unit of u. O(n³), allocates nothing if C has its size.
/// @pre `frames` and `velocities` belong to one state
SPACEDYN_EXPORT void compute_coriolis_matrix(const Model& model, const LinkFrames& frames,
                                             const LinkVelocities& velocities,
                                             CoriolisWorkspace& workspace, Eigen::Ref<MatrixX> C);

/// C at a state: the convenience that sizes everything itself.
/// @throws DimensionError, DomainError if the state does not fit the model or the model is too big.
SPACEDYN_EXPORT MatrixX coriolis_matrix(const Model& model, const State& state);

}  // namespace spacedyn
