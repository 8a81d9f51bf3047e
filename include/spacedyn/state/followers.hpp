/// @file
/// Joints that follow others: with y the coordinates of the robot, q = G y + g, q̇ = G ẏ, where a
/// row of G has its ratio and g its offset; forces on y are Gᵀ τ.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// Sets positions and velocities of joints that follow others. Allocates nothing.
SPACEDYN_EXPORT void follow(const Model& model, State& state) noexcept;
/// The same of velocities or accelerations of the joints, size n or 6 + n.
SPACEDYN_EXPORT void follow(const Model& model, VectorRef motion) noexcept;

/// Adds columns of joints that follow to those of the joints that they follow: J G, whose columns
/// stand where they stood, of a matrix with n or 6 + n columns. Allocates nothing.
SPACEDYN_EXPORT void lead(const Model& model, Eigen::Ref<MatrixX> J) noexcept;

/// @name Vectors and matrices without the joints that follow; theirs of n joints are the last ones
/// @{
/// y, or its derivatives, of positions or their derivatives, size n or 6 + n.
SPACEDYN_EXPORT VectorX own_motion(const Model& model, ConstVectorRef motion);
/// Gᵀ τ of forces, size n or 6 + n.
SPACEDYN_EXPORT VectorX own_force(const Model& model, ConstVectorRef force);
/// J G of a matrix with n or 6 + n columns.
SPACEDYN_EXPORT MatrixX own_columns(const Model& model, const MatrixX& J);
/// Gᵀ H G of a square matrix of size n or 6 + n.
SPACEDYN_EXPORT MatrixX own_matrix(const Model& model, const MatrixX& H);
/// @}

/// Element of a joint in Gᵀ τ, of τ with n elements. Allocates nothing.
/// @pre joint follows no other
SPACEDYN_EXPORT double own_force(const Model& model, ConstVectorRef tau, int joint) noexcept;

}  // namespace spacedyn
