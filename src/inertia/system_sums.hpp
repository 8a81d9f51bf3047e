/// @file
/// Everything that is a sum over the bodies of a system in motion, in one pass.
#pragma once

#include "spacedyn/inertia/momentum.hpp"

namespace spacedyn {

struct SystemSums {
  Vector3 r_g = Vector3::Zero();  ///< centroid, m
  Vector3 v_g = Vector3::Zero();  ///< its velocity, m/s
  Momentum momentum;
  MomentumScale scale;
  double kinetic_energy = 0.0;   ///< with geared rotors, J
  double relative_linear = 0.0;  ///< Σ m_i |v_i − v_0|, kg m/s
  double radius_squared = 0.0;   ///< of gyration about the base centroid, m²; 0 without mass
};

/// O(n), allocates nothing.
SystemSums system_sums(const Model& model, const LinkFrames& frames,
                       const LinkVelocities& velocities) noexcept;

}  // namespace spacedyn
