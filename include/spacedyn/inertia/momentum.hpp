/// @file
/// Momentum, energy and centre of mass of the whole system.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/inertia_rates.hpp"
#include "spacedyn/kinematics/link_motion.hpp"

namespace spacedyn {

/// Linear momentum, and angular momentum about three points. Inertial axes.
struct Momentum {
  Vector3 linear = Vector3::Zero();            ///< P, kg m/s
  Vector3 angular_base = Vector3::Zero();      ///< L_0 about the base centroid, kg m²/s
  Vector3 angular_origin = Vector3::Zero();    ///< about the inertial origin: L_0 + r_0 × P
  Vector3 angular_centroid = Vector3::Zero();  ///< about the system centroid
};

/// The magnitudes against which drift is measured, so that cancellation is not hidden.
struct MomentumScale {
  double linear = 0.0;   ///< Σ m_i |v_i|
  double angular = 0.0;  ///< Σ (|I_i ω_i| + m_i |r_i − r_g| |v_i − v_g|)
};

/// Centroid of the system r_g, m.
SPACEDYN_EXPORT Vector3 center_of_mass(const Model& model, const LinkFrames& frames);
/// Velocity of the system centroid v_g, m/s.
SPACEDYN_EXPORT Vector3 center_of_mass_velocity(const Model& model,
                                                const LinkVelocities& velocities);

/// Momentum summed over the bodies, each about its own centroid first. O(n).
SPACEDYN_EXPORT Momentum momentum(const Model& model, const LinkFrames& frames,
                                  const LinkVelocities& velocities);
SPACEDYN_EXPORT MomentumScale momentum_scale(const Model& model, const LinkFrames& frames,
                                             const LinkVelocities& velocities);

/// T = Σ ½ (m_i v_i² + ω_iᵀ I_i ω_i), J, and that of geared rotors; equals ½ uᵀ H u.
SPACEDYN_EXPORT double kinetic_energy(const Model& model, const LinkFrames& frames,
                                      const LinkVelocities& velocities);
/// −w g·r_g, J.
SPACEDYN_EXPORT double gravity_potential(const Model& model, const LinkFrames& frames,
                                         const Vector3& gravity);
/// Σ ½ K_i (q_i − q_i,rest)², J, of the joints' own springs, of couplings and of transmissions.
SPACEDYN_EXPORT double elastic_energy(const Model& model, ConstVectorRef q);

/// Sums over the bodies of one robot. Inertial axes.
struct RobotSums {
  double mass = 0.0;              ///< kg, that of a fixed base included
  Vector3 r_g = Vector3::Zero();  ///< centroid, m
  Momentum momentum;  ///< about its base centroid, the inertial origin and its own centroid
  double kinetic_energy = 0.0;        ///< J
  Matrix3 inertia = Matrix3::Zero();  ///< about the centroid, its joints held, kg m²
};

/// O(number of its bodies), allocates nothing.
SPACEDYN_EXPORT RobotSums robot_sums(const Model& model, const Robot& robot,
                                     const LinkFrames& frames, const LinkVelocities& velocities);

/// Energy in the springs of its joints, in its couplings and transmissions, J.
SPACEDYN_EXPORT double elastic_energy(const Model& model, const Robot& robot, ConstVectorRef q);

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
