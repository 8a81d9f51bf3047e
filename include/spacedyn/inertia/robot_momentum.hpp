/// @file
/// Momentum and energy of one robot among several.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/momentum.hpp"

namespace spacedyn {

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

}  // namespace spacedyn
