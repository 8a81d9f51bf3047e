// The note on Plücker basis vectors [Featherstone]; docs/algebra.md shows the output.
#include "print.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/spatial/acceleration.hpp"
#include "spacedyn/math/spatial/ordering.hpp"
#include "textbook/body_point.hpp"
#include "textbook/moving_coordinates.hpp"
#include "textbook/plucker_basis.hpp"

using namespace spacedyn;
using example::print;

namespace {

// frame Oxyz: origin at (1, 0, 2), axes turned by 0.5 rad about z; and another frame Pxyz
const PluckerBasis kO(rotation_z(0.5), {1.0, 0.0, 2.0});
const PluckerBasis kP(rotation_x(-1.0), {0.0, 3.0, -1.0});
// a moving body and a force on it, in the common frame
const MotionVector kV{{0.3, -0.2, 0.5}, {1.0, 2.0, -1.0}};
const ForceVector kF{{2.0, 0.0, 1.0}, {-1.0, 3.0, 0.5}};

void bases() {
  print("v_P       (1)", point_velocity(kV, kP.origin()).transpose());
  print("d_Ox      (5)", kO.d(0));
  print("d_x       (5)", kO.d(3));
  print("e_x      (11)", kO.e(0));
  print("e_Ox     (11)", kO.e(3));
  const Vector6 v_O = kO.coordinates(kV), f_O = kO.coordinates(kF);
  print("v in D_O  (7)", v_O.transpose());
  print("f in E_O (13)", f_O.transpose());
  MotionVector sum;
  for (int i = 0; i < 6; ++i) sum += v_O[i] * kO.d(i);
  print("sum       (6)", sum);
}

void duality() {
  Matrix6 products;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) products(i, j) = dot(kO.d(i), kO.e(j));
  }
  print("d_i.e_j  (15)", products);
  print("v.f in O (16)", kO.coordinates(kV).dot(kO.coordinates(kF)));
  print("v.f in P (20)", kP.coordinates(kV).dot(kP.coordinates(kF)));
  const auto X = transform_between(kO, kP);
  print("X v_O        ", (X.matrix() * kO.coordinates(kV)).transpose());
  print("v_P          ", kP.coordinates(kV).transpose());
  print("X_F f_O  (19)", (X.dual().matrix() * kO.coordinates(kF)).transpose());
  print("f_P          ", kP.coordinates(kF).transpose());
  print("linear first ", linear_first(kV).transpose());
}

void dyads() {
  const Vector3 omega = kV.angular, v_O = point_velocity(kV, kO.origin());
  print("Rot_O w  (28)", kO.rot_motion(omega));
  print("Lin v_O  (29)", PluckerBasis::lin_motion(v_O));
  print("v        (27)", kO.rot_motion(omega) + PluckerBasis::lin_motion(v_O));
  const Vector3 n_O = kF.angular - kO.origin().cross(kF.linear);
  print("f        (30)", PluckerBasis::rot_force(n_O) + kO.lin_force(kF.linear));
}

void derivatives() {
  // coordinates kV, kF in a frame that moves with w; kV's third number grows at unit rate
  const MotionVector w{{0.0, 0.0, 2.0}, {1.0, 0.0, 0.0}};
  const MotionVector growth{Vector3::UnitZ(), Vector3::Zero()};
  const MotionVector m_dot = absolute_derivative(growth, w, kV);
  print("absolute (41)", m_dot);
  print("absolute (42)", absolute_derivative(ForceVector{}, w, kF));
  print("coordinate   ", coordinate_derivative(m_dot, w, kV));
  // the same apparent derivative, written in the common frame
  const auto X = transform_between(kO, PluckerBasis());
  const MotionVector seen = apparent_derivative(X * m_dot, X * w, X * kV);
  print("apparent     ", seen);
  print("  in O       ", X.inverse() * seen);
}

void accelerations() {
  const ClassicalAcceleration classical{{0.1, 0.2, 0.3}, {4.0, 5.0, 6.0}};
  const MotionVector a = spatial_acceleration(classical, kV);
  print("classical r''", classical.linear.transpose());
  print("spatial  (44)", a.linear.transpose());
  print("v_O x w  (43)", kV.linear.cross(kV.angular).transpose());
}

}  // namespace

int main() {
  bases();
  std::puts("");
  duality();
  std::puts("");
  dyads();
  std::puts("");
  derivatives();
  std::puts("");
  accelerations();
}
