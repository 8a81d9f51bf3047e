// Velocity and acceleration of a point [RBDL]; docs/algebra.md shows the output.
#include "print.hpp"
#include "spacedyn/math/so3.hpp"
#include "textbook/body_point.hpp"

using namespace spacedyn;
using example::print;

namespace {

// a body that turns about a fixed axis through (1, 0, 0) at 2 rad/s, growing by 0.5 rad/s²
const Vector3 kAxisPoint(1.0, 0.0, 0.0), kBodyPoint(0.0, 0.5, 0.0);
const double kRate = 2.0, kGrowth = 0.5;

Vector3 position(double t) {
  const Vector3 turn(0.0, 0.0, kRate * t + 0.5 * kGrowth * t * t);
  return kAxisPoint + exp_so3(turn) * kBodyPoint;
}

}  // namespace

int main() {
  // pure rotation: the flow through the inertial origin is −ω × r, its rate −ω̇ × r
  const Vector3 omega(0.0, 0.0, kRate), growth(0.0, 0.0, kGrowth);
  const MotionVector v{omega, -omega.cross(kAxisPoint)};
  const MotionVector a{growth, -growth.cross(kAxisPoint)};
  const Vector3 r_p = kAxisPoint + kBodyPoint;  // (2), body axes parallel at t = 0
  const auto xlt = PluckerTransform::change_of_point(r_p);
  print("v at p    (4)", (xlt * v).linear.transpose());
  print("a at p    (8)", (xlt * a).linear.transpose());
  print("r''_p     (9)", point_acceleration(a, v, r_p).transpose());
  print("w x r'_p     ", omega.cross(point_velocity(v, r_p)).transpose());

  const double h = 1e-4;
  const Vector3 before = position(-h), now = position(0.0), after = position(h);
  print("by quotients ", ((after - before) / (2.0 * h)).transpose());
  print("             ", ((after - 2.0 * now + before) / (h * h)).transpose());
}
