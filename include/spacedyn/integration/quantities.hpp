/// @file
/// Numbers that follow from the motion, the forces and the discrete state of an instant.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/contact_force.hpp"
#include "spacedyn/forces/rigid_contact.hpp"
#include "spacedyn/system/discrete_state.hpp"

namespace spacedyn {

/// One instant of a run as quantities see it.
struct QuantityContext {
  EvaluationContext now;  ///< with the states z of EventQuantity::owner alone, if that is given
  const VectorX& forces;  ///< as SimulationPoint::forces; of this instant where needs_forces is set
  const DiscreteState& discrete;
  const std::vector<ContactReading>& rigid_contacts;  ///< of all RigidContact forces; likewise
};

/// A number that events and their conditions look at.
struct EventQuantity {
  std::function<double(const QuantityContext&)> value;
  std::string unit;
  bool needs_forces = false;       ///< whether the equations of motion must have been evaluated
  bool is_held = false;            ///< whether it changes at sample instants and events only
  const Element* owner = nullptr;  ///< whose states now.auxiliary has; null: all
  /// A function of the motion alone that has the sign of value − level, and whose course between
  /// two instants is bounded; empty: value is sampled.
  std::function<std::function<double(const EvaluationContext&)>(double level)> root = {};
};

/// @name Quantities; those of the motion of points and joints are bounded between instants
/// @{
/// |r_a − r_b| of the origins of two frames, m. Bounded.
SPACEDYN_EXPORT EventQuantity distance_quantity(const Frame& a, const Frame& b);
/// |v_a − v_b| of the origins of two frames, inertial, m/s.
SPACEDYN_EXPORT EventQuantity relative_speed_quantity(const Frame& a, const Frame& b);
/// Angle of the rotation between the axes of two frames, 0…π rad. Bounded.
SPACEDYN_EXPORT EventQuantity relative_angle_quantity(const Frame& a, const Frame& b);
/// |ω| of a body, rad/s.
SPACEDYN_EXPORT EventQuantity angular_rate_quantity(int body);
/// q_i of joint i, in the unit of the joint. Bounded.
SPACEDYN_EXPORT EventQuantity joint_position_quantity(const Model& model, int joint);
/// q̇_i of joint i.
SPACEDYN_EXPORT EventQuantity joint_velocity_quantity(const Model& model, int joint);
/// Effort on joint i: loads, control, springs, and what prescribes or holds it.
SPACEDYN_EXPORT EventQuantity joint_effort_quantity(const Model& model, int joint);
/// J q̇ of a reaction wheel, N m s.
SPACEDYN_EXPORT EventQuantity wheel_momentum_quantity(int joint);
/// Sum of the normal forces of a compliant contact, N. @param contact  a force of the system
SPACEDYN_EXPORT EventQuantity contact_force_quantity(const ContactForce& contact);
/// Likewise of a rigid one. @param index  among the RigidContact forces of the system, from 0
SPACEDYN_EXPORT EventQuantity rigid_contact_force_quantity(std::size_t index);
/// |P| of the whole system, N s.
SPACEDYN_EXPORT EventQuantity linear_momentum_quantity();
/// |L| of the whole system about its centroid, N m s.
SPACEDYN_EXPORT EventQuantity angular_momentum_quantity();
/// T of the whole system, J.
SPACEDYN_EXPORT EventQuantity kinetic_energy_quantity();
/// The held reading of a sensor. @param component  from 0, in the order of its columns
SPACEDYN_EXPORT EventQuantity sensor_quantity(std::size_t sensor, int component, std::string unit);
/// @}

}  // namespace spacedyn
