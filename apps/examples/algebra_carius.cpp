// The spatial-algebra tutorial [Carius], equation by equation; docs/algebra.md shows the output.
#include <cmath>

#include "print.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/spatial/cross.hpp"
#include "spacedyn/math/spatial/rigid_inertia.hpp"
#include "textbook/body_point.hpp"
#include "textbook/moving_coordinates.hpp"

using namespace spacedyn;
using example::print;

namespace {

const double kQuarterTurn = 2.0 * std::atan(1.0);

void velocities() {
  // a body at r, its axes turned by 90° about z, moving with v and turning with ω
  const Matrix3 A = rotation_z(kQuarterTurn);
  const Vector3 r(1.0, 2.0, 0.0), v(1.0, 0.0, 0.5), omega(0.0, 0.0, 3.0);
  const MotionVector I_v{omega, v + r.cross(omega)};                 // (3)
  const MotionVector B_v{A.transpose() * omega, A.transpose() * v};  // (4)
  const auto B_X_I = PluckerTransform::into_frame(A, r);             // (11)
  print("I_v       (3)", I_v);
  print("B_v       (4)", B_v);
  print("B_X_I I_v (12)", B_X_I * I_v);
  print("I_X_B B_v (13)", B_X_I.inverse() * B_v);

  const ForceVector I_f{{0.0, 0.0, 4.0}, {2.0, 1.0, 0.0}};
  const ForceVector B_f = B_X_I.dual() * I_f;  // (14), (15)
  print("B_f      (15)", B_f);
  print("power in I", dot(I_f, I_v));
  print("power in B", dot(B_f, B_v));
  print("B_X_I    (11)", B_X_I.matrix());
}

void cross_products() {
  const MotionVector v{{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}, m{{0.0, 1.0, 0.0}, {2.0, 0.0, 1.0}};
  const ForceVector f{{3.0, 1.0, 2.0}, {1.0, 0.0, 2.0}};
  print("v x m     (9)", cross(v, m));
  print("v x* f   (10)", cross_star(v, f));
  // duality: the two add up to nothing
  print("(v x m).f", dot(cross(v, m), f));
  print("m.(v x* f)", dot(m, cross_star(v, f)));
}

void inertia() {
  const Matrix3 I_c = Vector3(0.4, 0.5, 0.6).asDiagonal();
  const auto O_I = RigidInertia::from_centroidal(2.0, {0.5, 0.0, 0.0}, I_c);  // (17), (18)
  print("O_I      (17)", O_I.matrix());
  const auto X = PluckerTransform::change_of_point(O_I.centroid());
  print("at c     (20)", transform(X, O_I).matrix().diagonal().transpose());
  print("two of it(19)", (O_I + O_I).matrix().diagonal().transpose());
  const MotionVector v{{0.0, 0.0, 2.0}, {0.0, 1.0, 0.0}};
  const MotionVector a{{0.0, 0.0, 0.5}, {0.0, 0.0, 0.0}};
  print("I v          ", O_I * v);
  print("f        (22)", O_I * a + cross_star(v, O_I * v));
  print("T", kinetic_energy(O_I, v));
}

void rolling_disc() {
  const double v = 2.0, r = 0.5, t = 0.3;
  const double theta = v / r * t;  // (40): the turn; ω_x itself is −v/r
  const auto P_X_I = PluckerTransform::change_of_point({0.0, v * t, 0.0});
  const auto Q_X_P = PluckerTransform::change_of_point({0.0, 0.0, r});
  const auto B_X_Q = PluckerTransform::change_of_axes(rotation_x(theta));  // (43) transposed

  const MotionVector P_v{{-v / r, 0.0, 0.0}, Vector3::Zero()};
  print("theta    (40)", theta);
  print("P_v      (45)", P_v);
  print("I_v      (46)", P_X_I.inverse() * P_v);
  print("Q_v      (47)", Q_X_P * P_v);
  print("B_v      (48)", B_X_Q * Q_X_P * P_v);

  const MotionVector frame{Vector3::Zero(), {0.0, v, 0.0}};
  const MotionVector P_a = absolute_derivative(MotionVector{}, frame, P_v);
  print("P_a      (50)", P_a);
  print("I_a      (51)", P_X_I.inverse() * P_a);
  print("r'' at centre", point_acceleration(P_a, P_v, {0.0, 0.0, r}).transpose());
  print("r'' at contact", point_acceleration(P_a, P_v, Vector3::Zero()).transpose());
}

}  // namespace

int main() {
  velocities();
  std::puts("");
  cross_products();
  std::puts("");
  inertia();
  std::puts("");
  rolling_disc();
}
