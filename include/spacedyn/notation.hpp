// Tables keep one row to a line.
// clang-format off
/// @file
/// Documentation only: the symbols, frames and references that all other headers rely on.
///
/// @page notation Notation
///
/// @section notation_symbols Symbols
///
/// | symbol | in code | meaning | frame, unit |
/// |---|---|---|---|
/// | n | `joint_count()` | number of joints, and of links besides the base | |
/// | B_i | `connection(i)` | index of the link that carries link i, 0 ≤ B_i < i; 0 is the base | |
/// | S, S_0, S_e | `Topology` | incidence: S_ij = +1 if i = B_j, −1 if i = j; S_0j = 1 if B_j = 0; S_ej = 1 if link j is terminal | |
/// | A_i | `LinkFrames::A[i]` | rotation taking coordinates of link i to inertial ones; C_i = A_iᵀ | |
/// | Q_i = (α, β, γ) | `twist` | A = R_x(α) R_y(β) R_z(γ), from the lower link to joint i | rad |
/// | k_i | `LinkFrames::k[i]` | joint axis, A_i e_z | inertial |
/// | r_i, r_0 | `LinkFrames::r[i]` | centroid of link i, of the base | inertial, m |
/// | p_i | `LinkFrames::p[i]` | joint i; of a prismatic joint its zero-displacement point | inertial, m |
/// | o_i | `LinkFrames::o[i]` | origin of link frame i: p_i, or p_i + k_i q_i if prismatic | inertial, m |
/// | c_ij, c_0j, c_ie | `Model::c` … | from the centroid of link i to joint j, to an endpoint | link i, m |
/// | ℓ_ij, ℓ_ie | `Model::l` … | from the origin of link i to joint j, to an endpoint: c_ij − c_ii | link i, m |
/// | q, q̇ | `State::q`, `qd` | joint positions and rates | rad or m |
/// | v_i, ω_i | `LinkVelocities` | velocity of a centroid, angular velocity | inertial |
/// | u = [v_0; ω_0; q̇] | `State::velocity()` | generalized velocity, 6 + n | |
/// | F_b = (F_0, N_0) | `Loads::F_b` | force and moment on the base about its centroid | inertial |
/// | τ | `Loads::tau` | joint torques or forces | N m or N |
/// | H, c | `inertia_matrix()`, `bias_forces()` | system inertia matrix and bias of (18) | |
/// | H_b, H_bm, H_m | `InertiaBlocks` | its blocks: base, coupling, manipulator | |
/// | P, L_0 | `Momentum` | linear momentum; angular momentum about the base centroid | inertial |
///
/// @section notation_rules Rules
///
/// - SI units and radians everywhere.
/// - Vectors have inertial components unless a suffix says otherwise: `_L` means link axes.
/// - Twists and wrenches are (linear, angular), the order of the paper.
/// - Body indices run from 0, the base, to n; joint i carries link i and is element i − 1 of joint
///   vectors.
/// - The letter R names no rotation: rotations are A, positions r.
/// - "No limit" of a position, velocity or effort is an infinite value, ±∞; of a number of steps the
///   largest one. YAML files write `.inf` or leave the key out, JSON has `null`.
/// - External forces are those that the environment applies **on** the system.
/// - u is not the derivative of a coordinate vector: Ȧ_0 = ω̃_0 A_0.
///
/// @section notation_equation The equation of motion
///
/// H [v̇_0; ω̇_0; q̈] + c = [F_b; τ] + Σ_h [J_bᵀ; J_mᵀ] F_h, number (18) of the paper, where c holds
/// the velocity-dependent terms and gravity.
///
/// @section notation_references References
///
/// | key | source |
/// |---|---|
/// | [SpaceDyn] | K. Yoshida, "The SpaceDyn: a MATLAB toolbox for space and mobile robots", version 1.0, October 1999 |
/// | [RBDA] | R. Featherstone, *Rigid Body Dynamics Algorithms*, Springer 2008, chapter 3 |
/// | [Featherstone] | R. Featherstone, "Plücker basis vectors", May 2006 |
/// | [Carius] | J. Carius, introduction to spatial algebra, March 2018 |
/// | [Dupont] | P. Dupont, V. Hayward, B. Armstrong, F. Altpeter, "Single state elastoplastic friction models", IEEE Transactions on Automatic Control 47 (5), 2002 |
/// | [Nenchev] | D. N. Nenchev, K. Yoshida, "Impact analysis and post-impact motion control issues of a free-floating space robot subject to a force impulse", IEEE Transactions on Robotics and Automation 15 (3), 1999 |
/// | [RBDL] | the Rigid Body Dynamics Library's note on point velocities and accelerations |
#pragma once
