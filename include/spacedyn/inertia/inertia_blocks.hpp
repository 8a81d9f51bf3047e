/// @file
/// The system inertia matrix by its named blocks, [SpaceDyn] (19)–(24).
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/kinematics/jacobian_derivatives.hpp"
#include "spacedyn/kinematics/jacobians.hpp"
#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn {

/// H = [H_b, H_bm; H_bmᵀ, H_m] with every block the paper names. Inertial axes, SI units.
struct SPACEDYN_EXPORT InertiaBlocks {
  double w = 0.0;                     ///< total mass, base included
  Vector3 r_0g = Vector3::Zero();     ///< base centroid to system centroid (27)
  Matrix3 H_omega = Matrix3::Zero();  ///< H_ω (21)
  Matrix3X J_Tw;                      ///< Σ m_i J_Ti (24)
  Matrix3X H_omega_phi;               ///< H_ωφ (22)
  Matrix6 H_b = Matrix6::Zero();      ///< (19)
  Matrix6X H_bm;                      ///< (20)
  MatrixX H_m;                        ///< (23)

  InertiaBlocks() = default;
  /// @throws DimensionError for more links than Topology::kMaxDenseLinks.
  explicit InertiaBlocks(const Model& model);

  /// J_Tg = J_Tw / w: velocity of the system centroid per joint rate, base at rest.
  Matrix3X J_Tg() const { return J_Tw / w; }
};

/// Scratch Jacobians of one link, sized once; only columns on its path are in use.
struct SPACEDYN_EXPORT JacobianWorkspace {
  Matrix3X J_T, J_R, I_J_R;

  JacobianWorkspace() = default;
  explicit JacobianWorkspace(const Model& model);
};

/// All blocks, link by link as the paper sums them. O(n · depth²), allocates nothing.
/// Differs from [SpaceDyn]: w counts the base and (24) is not divided by w, as (20) needs it.
SPACEDYN_EXPORT void compute_inertia_blocks(const Model& model, const LinkFrames& frames,
                                            JacobianWorkspace& workspace, InertiaBlocks& blocks);

/// Writes H, (6+n)×(6+n), from its blocks. Allocates nothing if H has its size.
SPACEDYN_EXPORT void assemble_inertia_matrix(const InertiaBlocks& blocks, Eigen::Ref<MatrixX> H);

/// H at a state: the convenience that sizes everything itself.
SPACEDYN_EXPORT MatrixX inertia_matrix(const Model& model, const State& state);

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
