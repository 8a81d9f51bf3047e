/// @file
/// Control-moment gyros: spinning rotors on gimbals.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "spacedyn/diagnostics.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn {

/// A rotor that spins about an axis of a gimbal on a body.
struct ControlMomentGyroDescription {
  std::string name;
  std::string body;
  Vector3 gimbal_axis = Vector3::UnitZ();  ///< in the body's user frame; normalized
  Vector3 spin_axis = Vector3::UnitX();    ///< at gimbal angle 0, perpendicular to it
  Vector3 position = Vector3::Zero();      ///< in the body's user frame, m
  double gimbal_inertia = 0.0;             ///< of gimbal and rotor about the gimbal axis, kg m²
  double spin_inertia = 0.0;               ///< J of the rotor about its axis, kg m²
  double rotor_speed = 0.0;                ///< Ω at the start, rad/s
  double gimbal_rate_limit = std::numeric_limits<double>::infinity();   ///< rad/s
  double rotor_torque_limit = std::numeric_limits<double>::infinity();  ///< of its motor, N m
  Notes notes;
};

/// Every problem of a gyro, each under @p path. Names are left to ModelBuilder.
SPACEDYN_EXPORT std::vector<Problem> validate_control_moment_gyro(
    const ControlMomentGyroDescription& gyro, const std::string& path);

/// Adds a gyro to a robot: the gimbal, link `<name>` on a revolute joint of that name, and its
/// rotor, link `<name>_rotor` on a revolute joint of that name.
///
/// Both have inertia about their own axes alone; the rest belongs to the body. The rotor turns
/// without friction: with h = J Ω a gimbal rate δ̇ gives the body the torque −δ̇ g × h. The limit of
/// the gimbal rate is the joint's velocity_limit, that of the rotor's torque its wheel's
/// torque_limit. Scenarios start the rotor at rotor_speed.
/// @throws ModelError if the gyro has problems
SPACEDYN_EXPORT void add_control_moment_gyro(ModelDescription& robot,
                                             const ControlMomentGyroDescription& gyro);

}  // namespace spacedyn
