// Mixtures of motion and force that the types forbid: each line marked so must be an error. Without
// FORBIDDEN the file is the control, which shows that nothing else is wrong.

#include "spacedyn/math/spatial/acceleration.hpp"
#include "spacedyn/math/spatial/cross.hpp"
#include "textbook/articulated_inertia.hpp"
#include "textbook/body_point.hpp"
#include "textbook/moving_coordinates.hpp"

using namespace spacedyn;

void mixtures(MotionVector m, ForceVector f, PluckerTransform X, RigidInertia I,
              ArticulatedInertia A, ClassicalAcceleration classical) {
  // the same operations between the right kinds
  auto a1 = m + m;
  auto a2 = f - f;
  m += m;
  auto a3 = X * m;
  auto a4 = X.dual() * f;
  auto a5 = dot(m, f) + dot(f, m);
  auto a6 = cross(m, m);
  auto a7 = cross_star(m, f);
  auto a8 = I * m;
  auto a9 = A * m;
  auto a10 = X.transpose_times(f);
  auto a11 = X.inverse_times(m);
  auto a12 = X * X;
  auto a13 = transform(X, I);
  auto a14 = absolute_derivative(f, m, f);
  auto a15 = point_acceleration(m, m, Vector3::Zero());
  m = spatial_acceleration(classical, m);
  m = MotionVector::from_coordinates(Vector6::Zero());

#ifdef FORBIDDEN
  auto b1 = m + f;                                               // forbidden
  auto b2 = f - m;                                               // forbidden
  m += f;                                                        // forbidden
  m = f;                                                         // forbidden
  auto b3 = X * f;                                               // forbidden
  auto b4 = X.dual() * m;                                        // forbidden
  auto b5 = dot(m, m);                                           // forbidden
  auto b6 = dot(f, f);                                           // forbidden
  auto b7 = cross(m, f);                                         // forbidden
  auto b8 = cross(f, m);                                         // forbidden
  auto b9 = cross_star(m, m);                                    // forbidden
  auto b10 = cross_star(f, m);                                   // forbidden
  auto b11 = I * f;                                              // forbidden
  auto b12 = A * f;                                              // forbidden
  auto b13 = I + m;                                              // forbidden
  auto b14 = X.transpose_times(m);                               // forbidden
  auto b15 = X.inverse_times(f);                                 // forbidden
  auto b16 = X * X.dual();                                       // forbidden
  auto b17 = transform(X.dual(), I);                             // forbidden
  auto b18 = absolute_derivative(f, m, m);                       // forbidden
  auto b19 = m + classical;                                      // forbidden
  auto b20 = X * classical;                                      // forbidden
  m = classical;                                                 // forbidden
  auto b21 = point_acceleration(classical, m, Vector3::Zero());  // forbidden
  m = Vector6::Zero();                                           // forbidden
  auto b22 = m * m;                                              // forbidden
#endif
}
