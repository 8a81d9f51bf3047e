/// @file
/// Classical against spatial acceleration: two descriptions, two types.
#pragma once

#include "spacedyn/math/spatial/motion_vector.hpp"

namespace spacedyn {

/// ω̇ and the acceleration r̈ of the body-fixed point at O, as in textbooks and in the rest of this
/// library. Not a vector of M⁶: it neither adds to a MotionVector nor passes through a transform.
struct ClassicalAcceleration {
  Vector3 angular = Vector3::Zero();  ///< ω̇, rad/s²
  Vector3 linear = Vector3::Zero();   ///< r̈, m/s²
};

/// r̈ = a_O + ω × v_O, [Featherstone] (43), (44), [RBDL].
/// @param a, v  spatial acceleration and velocity in one frame; the result is for its origin
inline ClassicalAcceleration classical_acceleration(const MotionVector& a, const MotionVector& v) {
  return {a.angular, a.linear + v.angular.cross(v.linear)};
}

/// a_O = r̈ + v_O × ω, [Featherstone] (44).
inline MotionVector spatial_acceleration(const ClassicalAcceleration& a, const MotionVector& v) {
  return {a.angular, a.linear + v.linear.cross(v.angular)};
}

}  // namespace spacedyn
