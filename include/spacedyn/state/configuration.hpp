/// @file
/// Joint positions as points of the configuration manifold: displacements and rates.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// @name Joint positions are a vector space but for spherical joints
///
/// Their three positions are a rotation vector θ, R = exp_so3(θ), and their velocities the angular
/// velocity ω in the axes of the carried link, so that Ṙ = R ω̃. A displacement δ has the
/// dimension of q̇: R is replaced by R exp_so3(δ). Vectors have size n.
/// @{

/// Moves joint positions by a displacement; rotation vectors end within |θ| ≤ π.
SPACEDYN_EXPORT void displace_joints(const Model& model, ConstVectorRef displacement, VectorRef q);

/// The displacement that leads from one configuration to another, the shorter turn of each
/// spherical joint.
SPACEDYN_EXPORT VectorX joint_difference(const Model& model, ConstVectorRef from,
                                         ConstVectorRef to);

/// dq/dt: the velocities themselves, dexp⁻¹(−θ) ω of spherical joints; NaN where |θ| > 3π/2.
SPACEDYN_EXPORT void joint_position_rate(const Model& model, ConstVectorRef q, ConstVectorRef qd,
                                         VectorRef rate);
/// @}

}  // namespace spacedyn
