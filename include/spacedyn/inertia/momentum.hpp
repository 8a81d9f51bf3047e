/// @file
/// Momentum, energy and centre of mass of the whole system.
#pragma once

#include "spacedyn/export.hpp"
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

}  // namespace spacedyn
