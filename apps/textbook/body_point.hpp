/// @file
/// Velocity and classical acceleration of any material point of a body, [RBDL].
#pragma once

#include "spacedyn/math/spatial/acceleration.hpp"
#include "spacedyn/math/spatial/plucker_transform.hpp"

namespace spacedyn {

/// ṙ_P = v_O + ω × r_P of the body-fixed point at P, [RBDL] 4, [Featherstone] (1).
/// @param v        spatial velocity of the body, in some frame
/// @param point    r_P in the same frame
inline Vector3 point_velocity(const MotionVector& v, const Vector3& point) {
  return v.linear + v.angular.cross(point);
}

/// r̈_P = a_P + ω × ṙ_P, the classical acceleration of the body-fixed point at P, [RBDL] 9.
/// @param a, v     spatial acceleration and velocity of the body, in some frame
/// @param point    r_P in the same frame
inline Vector3 point_acceleration(const MotionVector& a, const MotionVector& v,
                                  const Vector3& point) {
  // moved to P first: a_P = a_O + ω̇ × r_P
  return a.linear + a.angular.cross(point) + v.angular.cross(point_velocity(v, point));
}

/// Transform from body axes to axes parallel to another frame at the point P, [RBDL] 6.
/// @param axes   columns: body axes in the other frame, ⁰E_i
/// @param point  ⁱr_P in body coordinates
inline PluckerTransform transform_to_point(const Matrix3& axes, const Vector3& point) {
  return PluckerTransform::change_of_axes(axes) * PluckerTransform::change_of_point(point);
}

}  // namespace spacedyn
