/// @file
/// Parts made of bodies and joints: reaction wheels, control moment gyros and sloshing propellant.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "spacedyn/diagnostics.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn {

/// A rotor on a body, driven by a motor about a fixed axis.
struct ReactionWheelDescription {
  std::string name;
  std::string body;
  Vector3 axis = Vector3::UnitZ();     ///< in the body's user frame; normalized
  Vector3 position = Vector3::Zero();  ///< of the rotor's centre in the body's user frame, m
  double mass = 0.0;                   ///< kg; 0: it belongs to the body already
  double transverse_inertia = 0.0;     ///< kg m²; 0: it belongs to the body already
  double static_imbalance = 0.0;       ///< mass × offset of its centroid from the axis, kg m
  double dynamic_imbalance = 0.0;      ///< product of inertia of axis and a transverse one, kg m²
  WheelDrive drive;                    ///< the spin inertia among others
  Notes notes;
};

/// Every problem of a wheel, each under @p path. Names are left to ModelBuilder.
SPACEDYN_EXPORT std::vector<Problem> validate_reaction_wheel(const ReactionWheelDescription& wheel,
                                                             const std::string& path);

/// Adds a wheel to a robot: link `<name>` on a revolute joint of the same name.
///
/// Its spin inertia J always comes on top of what the body has. With no mass and no transverse
/// inertia the link is J a aᵀ alone: the body has the rest, and H stays positive definite. With
/// the joint at zero, the centroid of an unbalanced wheel is static_imbalance / mass off the axis
/// along the x axis of the wheel's frame (z along the spin axis); I_xz is the dynamic imbalance.
/// @throws ModelError if the wheel has problems
SPACEDYN_EXPORT void add_reaction_wheel(ModelDescription& robot,
                                        const ReactionWheelDescription& wheel);

enum class SloshType { spring_mass, pendulum };

/// The part of a liquid that moves against its tank.
struct SloshDescription {
  std::string name;
  std::string body;
  SloshType type = SloshType::spring_mass;
  Vector3 position = Vector3::Zero();   ///< mass at rest, or pivot, in the body's user frame, m
  double mass = 0.0;                    ///< kg, besides that of the body
  Vector3 stiffness = Vector3::Zero();  ///< of springs along x, y, z, N/m; infinite: does not move
  double length = 0.0;                  ///< of a pendulum, m
  double damping = 0.0;  ///< N s/m along each axis, of a pendulum N m s/rad about each
  Notes notes;
};

/// Every problem of a slosh model, each under @p path. Names are left to ModelBuilder.
SPACEDYN_EXPORT std::vector<Problem> validate_slosh(const SloshDescription& slosh,
                                                    const std::string& path);

/// Adds a slosh model to a robot: a point mass, link `<name>`, on joints `<name>_x`, … with links
/// without mass between them.
///
/// Of springs one prismatic joint for each axis of the body with a finite stiffness. The mass of a
/// pendulum hangs at −length along z below the pivot: prismatic joints along all axes move it, and
/// a loop `<name>_rod` keeps its distance from the frame `<name>_pivot`. Two angles would be
/// singular where the rod lies along the axis of the first. Small motions under an acceleration a
/// along z have ω² = k/m and a/length.
/// @throws ModelError if it has problems
SPACEDYN_EXPORT void add_slosh(ModelDescription& robot, const SloshDescription& slosh);

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
