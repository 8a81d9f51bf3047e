// The note on velocities and accelerations of points [RBDL]; its equations counted from 1. (1) and
// (5), the recursion over the tree, are in tests/dynamics.

#include "math/spatial/random_spatial.hpp"
#include "spacedyn/math/so3.hpp"
#include "textbook/body_point.hpp"

namespace spacedyn::testing::rbdl_test {
namespace {

// A body whose pose is a known function of time, with a point fixed in it.
struct MovingBody {
  Matrix3 A0;
  Vector3 r0, v0, a0, omega, alpha, point;

  Matrix3 A(double t) const { return exp_so3(t * omega + 0.5 * t * t * alpha) * A0; }
  Vector3 r(double t) const { return r0 + t * v0 + 0.5 * t * t * a0; }
  Vector3 position(double t) const { return r(t) + A(t) * point; }  // [RBDL] 2
};

class Rbdl : public ::testing::Test {
 protected:
  RandomSpatial random{2010};
  MovingBody body() {
    return {random.rotation(), random.vector(), random.vector(), random.vector(),
            random.vector(),   random.vector(), random.vector()};
  }
  static MotionVector velocity(const MovingBody& b) {
    return {b.omega, b.v0 - b.omega.cross(b.r0)};
  }
  // ω̇ at t = 0 of exp(ω t + α t²/2) is α: the correction ½ θ × θ̇ of dexp vanishes to first order
  static MotionVector acceleration(const MovingBody& b) {
    const MotionVector at_body = spatial_acceleration({b.alpha, b.a0}, {b.omega, b.v0});
    return PluckerTransform::change_of_point(b.r0).inverse() * at_body;
  }
};

TEST_F(Rbdl, Equations02To04VelocityOfAPoint) {
  const double h = 1e-5;
  for (int i = 0; i < kCases; ++i) {
    const MovingBody b = body();
    const Vector3 difference_quotient = (b.position(h) - b.position(-h)) / (2.0 * h);
    const Vector3 r_p = b.position(0.0);
    const MotionVector xlt = PluckerTransform::change_of_point(r_p) * velocity(b);
    EXPECT_LE((xlt.linear - difference_quotient).norm(), 1e-8);
    EXPECT_LE((point_velocity(velocity(b), r_p) - xlt.linear).norm(), kRounding);
    EXPECT_EQ(xlt.angular, b.omega);
  }
}

TEST_F(Rbdl, Equations06To09ClassicalAccelerationOfAPoint) {
  const double h = 1e-4;
  for (int i = 0; i < kCases; ++i) {
    const MovingBody b = body();
    const Vector3 quotient = (b.position(h) - 2.0 * b.position(0.0) + b.position(-h)) / (h * h);
    // from body coordinates through the frame at the point, as the note does
    const auto into_body = PluckerTransform::into_frame(b.A0, b.r0);
    const PluckerTransform p_X_i = transform_to_point(b.A0, b.point);
    const MotionVector v = p_X_i * (into_body * velocity(b));
    const MotionVector a = p_X_i * (into_body * acceleration(b));
    const Vector3 classical = a.linear + v.angular.cross(v.linear);
    EXPECT_LE((classical - quotient).norm(), 1e-5);
    EXPECT_LE(
        (point_acceleration(acceleration(b), velocity(b), b.position(0.0)) - classical).norm(),
        2.0 * kRounding);
  }
}

TEST_F(Rbdl, PointsMayBeGivenInAnyFrame) {
  for (int i = 0; i < kCases; ++i) {
    const MovingBody b = body();
    const Vector3 r_p = b.position(0.0);
    const Matrix3 axes = random.rotation();
    const Vector3 origin = random.vector();
    const auto X = PluckerTransform::into_frame(axes, origin);
    const Vector3 there = axes.transpose() * (r_p - origin);
    const MotionVector v = velocity(b), a = acceleration(b);
    EXPECT_LE((axes * point_velocity(X * v, there) - point_velocity(v, r_p)).norm(),
              2.0 * kRounding);
    EXPECT_LE(
        (axes * point_acceleration(X * a, X * v, there) - point_acceleration(a, v, r_p)).norm(),
        10.0 * kRounding);
  }
}

TEST_F(Rbdl, SpatialAccelerationIsNotThatOfAPoint) {
  const double h = 1e-4;
  for (int i = 0; i < kCases; ++i) {
    const MovingBody b = body();
    const Vector3 quotient = (b.position(h) - 2.0 * b.position(0.0) + b.position(-h)) / (h * h);
    const auto to_point = PluckerTransform::change_of_point(b.position(0.0));
    const Vector3 misread = (to_point * acceleration(b)).linear;
    const Vector3 velocity_of_point = (to_point * velocity(b)).linear;
    EXPECT_LE((quotient - misread - b.omega.cross(velocity_of_point)).norm(), 1e-5);
    EXPECT_GT((quotient - misread).norm(), 0.5 * b.omega.cross(velocity_of_point).norm());
  }
}

}  // namespace
}  // namespace spacedyn::testing::rbdl_test
