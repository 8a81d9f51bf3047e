/// @file
/// Jacobian of the system centroid and the centroidal momentum matrix, with their derivatives.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/inertia_rates.hpp"

namespace spacedyn {

/// @name Centre-of-mass Jacobian: v_g = J_g u
/// @{
/// J_g = [E, −r̃_0g, J_Tg], 3×(6+n), inertial; [E, 0, 0] for a system without mass, where the base
/// centroid stands for the system centroid. O(n), allocates nothing if J_g has its size.
SPACEDYN_EXPORT void center_of_mass_jacobian(const InertiaBlocks& blocks, Eigen::Ref<Matrix3X> J_g);
/// J̇_g, so that v̇_g = J_g u̇ + J̇_g u.
SPACEDYN_EXPORT void center_of_mass_jacobian_derivative(const InertiaBlocks& blocks,
                                                        const InertiaRates& rates,
                                                        Eigen::Ref<Matrix3X> J_g_dot);
/// @}

/// @name Centroidal momentum matrix: [P; L_g] = A_g u, L_g about the system centroid
/// @{
/// A_g = [E, 0; −r̃_0g, E] [H_b, H_bm], 6×(6+n), rows (linear, angular), inertial axes; the momentum
/// rows of H moved to the system centroid. O(n), allocates nothing if A_g has its size.
SPACEDYN_EXPORT void centroidal_momentum_matrix(const InertiaBlocks& blocks,
                                                Eigen::Ref<Matrix6X> A_g);
/// Ȧ_g, so that the resultant external wrench about the centroid is A_g u̇ + Ȧ_g u.
SPACEDYN_EXPORT void centroidal_momentum_matrix_derivative(const InertiaBlocks& blocks,
                                                           const InertiaRates& rates,
                                                           Eigen::Ref<Matrix6X> A_g_dot);
/// @}

/// The matrices of this file at a state.
struct CentroidalQuantities {
  Matrix3X J_g, J_g_dot;  ///< 3×(6+n)
  Matrix6X A_g, A_g_dot;  ///< 6×(6+n)
};

/// The convenience that sizes everything itself.
/// @throws DimensionError, DomainError if the state does not fit the model or the model is too big.
SPACEDYN_EXPORT CentroidalQuantities centroidal_quantities(const Model& model, const State& state);

}  // namespace spacedyn
