/// @file
/// What the motor and the bearings of a reaction wheel do to its joint.
#pragma once

#include <limits>

namespace spacedyn {

/// Limits and friction of the joint of a reaction wheel or of the rotor of a gyro; see
/// ReactionWheels.
struct WheelDrive {
  double spin_inertia = 0.0;                                        ///< J about the axis, kg m²
  double torque_limit = std::numeric_limits<double>::infinity();    ///< of all torque put in, N m
  double momentum_limit = std::numeric_limits<double>::infinity();  ///< of J q̇, N m s
  double viscous = 0.0;                                             ///< friction, N m s/rad
  double coulomb = 0.0;                                             ///< friction, N m
  double rotor_speed = 0.0;  ///< rad/s, at the start of a scenario unless it says otherwise
};

}  // namespace spacedyn
