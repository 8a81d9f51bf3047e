/// @file
/// Rigid parts and rotors and how they move, from which joined systems take their velocity.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/model/model.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// One body before bodies were joined; inertial axes.
struct RigidPart {
  int body = 0;  ///< the body of the joined model that contains it
  double mass = 0.0;
  Matrix3 inertia = Matrix3::Zero();  ///< about the centroid
  Vector3 r = Vector3::Zero();        ///< centroid
  Vector3 v = Vector3::Zero();
  Vector3 omega = Vector3::Zero();
};

/// What a joined system is made of.
struct MovingParts {
  explicit MovingParts(const Model& joined) : rotor_momentum(VectorX::Zero(joined.joint_count())) {}

  std::vector<RigidPart> bodies;
  /// Per joint of the joined model, Joint::armature · q̇ before: what no body has. That of a joint
  /// which is locked now is gone with its coordinate.
  VectorX rotor_momentum;
};

/// Appends the bodies and rotors of a model, found by their names with a prefix in the joined one.
void add_parts(const Model& model, const State& state, const Model& joined,
               const std::string& prefix, MovingParts& parts);

/// Sets v_0, ω_0 and q̇ of a joined system so that its generalized momentum is that of the parts.
/// @throws NumericalError if its inertia matrix is not positive definite.
void set_plastic_velocity(const Model& joined, const MovingParts& parts, State& state);

/// Largest jump of a part's velocity, linear and angular, if it moved as the joined system does.
struct VelocityJump {
  double linear = 0.0;
  double angular = 0.0;
};
VelocityJump largest_jump(const Model& joined, const State& state, const MovingParts& parts);

}  // namespace spacedyn
