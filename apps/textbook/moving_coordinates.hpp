/// @file
/// Differentiation in moving coordinates. Three derivatives of one vector are told apart:
///  - **absolute**: the derivative of the vector itself, given by its coordinates in the frame,
///    D⁻¹ ṁ;
///  - **coordinate**: the derivative of the coordinate column, element by element, ů;
///  - **apparent**: the vector that an observer in the frame takes for the derivative. Its
///    coordinates in that frame are the coordinate derivative; it may be written in any frame.
#pragma once

#include "spacedyn/math/spatial/cross.hpp"
#include "spacedyn/math/spatial/rigid_inertia.hpp"

namespace spacedyn {

/// @name Absolute derivative from the coordinate derivative, [Featherstone] (40), (41), (42)
/// All arguments in the coordinates of the moving frame, whose own velocity is @p frame_velocity.
/// @{
inline Vector3 absolute_derivative(const Vector3& coordinate_derivative, const Vector3& frame_rate,
                                   const Vector3& u) {
  return coordinate_derivative + frame_rate.cross(u);
}
inline MotionVector absolute_derivative(const MotionVector& coordinate_derivative,
                                        const MotionVector& frame_velocity, const MotionVector& m) {
  return coordinate_derivative + cross(frame_velocity, m);
}
inline ForceVector absolute_derivative(const ForceVector& coordinate_derivative,
                                       const MotionVector& frame_velocity, const ForceVector& f) {
  return coordinate_derivative + cross_star(frame_velocity, f);
}
/// @}

/// @name Coordinate derivative from the absolute derivative, the same equations solved for it
/// @{
inline Vector3 coordinate_derivative(const Vector3& absolute_derivative, const Vector3& frame_rate,
                                     const Vector3& u) {
  return absolute_derivative - frame_rate.cross(u);
}
inline MotionVector coordinate_derivative(const MotionVector& absolute_derivative,
                                          const MotionVector& frame_velocity,
                                          const MotionVector& m) {
  return absolute_derivative - cross(frame_velocity, m);
}
inline ForceVector coordinate_derivative(const ForceVector& absolute_derivative,
                                         const MotionVector& frame_velocity, const ForceVector& f) {
  return absolute_derivative - cross_star(frame_velocity, f);
}
/// @}

/// @name Apparent derivative seen from a frame that moves with @p observer
/// All arguments in one common frame, which may be any.
/// @{
inline MotionVector apparent_derivative(const MotionVector& absolute_derivative,
                                        const MotionVector& observer, const MotionVector& m) {
  return absolute_derivative - cross(observer, m);
}
inline ForceVector apparent_derivative(const ForceVector& absolute_derivative,
                                       const MotionVector& observer, const ForceVector& f) {
  return absolute_derivative - cross_star(observer, f);
}
/// @}

/// Coordinate derivative of ᴮX_A, [Carius] (16), velocities of both frames in B coordinates.
inline Matrix6 transform_derivative(const PluckerTransform& X, const MotionVector& v_A,
                                    const MotionVector& v_B) {
  return cross_matrix(v_A - v_B) * X.matrix();
}

/// Absolute derivative of the inertia of a body with velocity v: v ×* I − I v ×, [Carius] (21).
inline Matrix6 inertia_derivative(const RigidInertia& I, const MotionVector& v) {
  return cross_star_matrix(v) * I.matrix() - I.matrix() * cross_matrix(v);
}

}  // namespace spacedyn
