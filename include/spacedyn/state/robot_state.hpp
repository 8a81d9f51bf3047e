/// @file
/// States of single robots inside the state of a model of several.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// Where the base of a robot is and how it moves, in the inertial frame.
struct BaseMotion {
  Vector3 r_0 = Vector3::Zero();      ///< base centroid, m
  Matrix3 A_0 = Matrix3::Identity();  ///< base axes to inertial ones
  Vector3 v_0 = Vector3::Zero();      ///< of the centroid, m/s
  Vector3 omega_0 = Vector3::Zero();  ///< rad/s
};

/// Of one of the robots of a model. O(1), allocates nothing.
/// @pre the model's own base, the inertial frame, is where State(model) puts it
SPACEDYN_EXPORT BaseMotion base_motion(const Model& model, const Robot& robot, const State& state);
/// Moves the base of a robot that floats or is carried, its joints stay. A carried one takes of an
/// attitude the turn about its axis, between −π and π.
/// @throws DomainError for a fixed one
SPACEDYN_EXPORT void set_base_motion(const Model& model, const Robot& robot,
                                     const BaseMotion& motion, State& state);

/// The state of one robot as if it were alone, without z. Allocates.
SPACEDYN_EXPORT State robot_state(const Model& model, const Robot& robot, const State& state);
/// The contrary: base and joints of one robot, those of others stay.
/// @throws DimensionError if q or q̇ has not the robot's size; the base of a fixed one is not read
SPACEDYN_EXPORT void set_robot_state(const Model& model, const Robot& robot, const State& own,
                                     State& state);

}  // namespace spacedyn
