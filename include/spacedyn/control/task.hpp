/// @file
/// What a task-level controller is asked for, and what it knows.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "spacedyn/control/computed_torque.hpp"
#include "spacedyn/control/pose_reference.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// One task of a WholeBody stack. Gains and weights have one value for each of its rows.
struct Task {
  enum class Type {
    frame,          ///< a frame follows a pose
    base_reaction,  ///< driven joints do not move the base
    posture,        ///< joints follow a reference
    momentum,       ///< thrusters drive the momentum of the robot to a value
    /// The torques of all driven joints are Jᵀ (stiffness e + damping ė) of a frame, with J* (J_m
    /// unless the base floats), and what holds them against gravity at rest; stiffness in N/m and
    /// N m/rad, damping in N s/m and N m s/rad.
    compliance
  };
  /// How the twist of a frame follows from the rates of joints at level rate.
  enum class Jacobian {
    generalized,  ///< J*, with the momentum and the other joints as they are
    fixed         ///< J_m, as if base and other joints were at rest
  };

  Type type = Type::frame;
  int priority = 1;       ///< from 1 on
  std::vector<int> axes;  ///< rows of the twist or momentum, 0…5, ascending; not of a posture
  VectorX weight;         ///< empty: 1
  VectorX gain;           ///< 1/s, at level rate and of a momentum
  VectorX stiffness;      ///< 1/s², at level torque
  VectorX damping;        ///< 1/s, at level torque

  Frame frame;
  std::optional<Frame> relative_to;  ///< of any robot; none: the inertial frame
  std::shared_ptr<const PoseReference> pose;
  Jacobian jacobian = Jacobian::generalized;
  /// Of an impedance, kg and kg m²: what acts on the link of the frame moves it like this mass.
  VectorX mass;

  /// Wanted momentum, N s and, about the centroid of the robot, N m s; inertial axes.
  VectorX value;

  std::vector<int> joints;                     ///< of a posture or compliance, all driven
  std::shared_ptr<const Reference> reference;  ///< a component for each of them

  bool has_frame() const { return type == Type::frame || type == Type::compliance; }
  int rows() const { return static_cast<int>(joints.empty() ? axes.size() : joints.size()); }
};

/// A force that acts on the link of an impedance, and its part of State::z.
struct KnownForce {
  std::shared_ptr<const ForceElement> force;
  int first_auxiliary = 0;
};

}  // namespace spacedyn
