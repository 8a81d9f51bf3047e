// Example 6.1 of [Carius]: a disc of radius r rolls with speed v, with the corrections that (40),
// (43), (47) and (48) need. v = 2 m/s, r = 0.5 m, t = 0.3 s, θ = 1.2 rad.

#include <cmath>

#include "math/spatial/random_spatial.hpp"
#include "textbook/body_point.hpp"
#include "textbook/moving_coordinates.hpp"

namespace spacedyn::testing::rolling_disc_test {
namespace {

class RollingDisc : public ::testing::Test {
 protected:
  const double v = 2.0, r = 0.5, t = 0.3;
  const double theta = v / r * t;      // (40) with ω = v/r; the angular velocity itself is −v/r
  const Vector3 r_IP{0.0, v* t, 0.0};  // (41)
  const Vector3 r_PQ{0.0, 0.0, r};     // (42)
  const Matrix3 R_QB = rotation_x(-theta);  // (43)
  const PluckerTransform P_X_I = PluckerTransform::change_of_point(r_IP);
  const PluckerTransform Q_X_P = PluckerTransform::change_of_point(r_PQ);
  const PluckerTransform B_X_Q = PluckerTransform::change_of_axes(R_QB.transpose());
  const MotionVector P_v{{-v / r, 0.0, 0.0}, Vector3::Zero()};  // (45)
  const MotionVector I_v = P_X_I.inverse() * P_v;
};

TEST_F(RollingDisc, Equations39To43ZeroConfigurationAndTurn) {
  EXPECT_NEAR(theta, 1.2, 1e-15);
  const double c = std::cos(theta), s = std::sin(theta);
  Matrix3 printed;
  printed << 1, 0, 0, 0, c, s, 0, -s, c;
  EXPECT_LE((R_QB - printed).norm(), kRounding);
}

TEST_F(RollingDisc, Equation44TransformToTheContactPoint) {
  Matrix6 printed = Matrix6::Identity();
  printed.bottomLeftCorner<3, 3>() = -tilde(r_IP);
  EXPECT_EQ(P_X_I.matrix(), printed);
}

TEST_F(RollingDisc, Equation45RotationAboutTheContactPoint) {
  EXPECT_EQ(P_v.coordinates(), (Vector6() << -4, 0, 0, 0, 0, 0).finished());
  EXPECT_EQ(point_velocity(P_v, Vector3::Zero()), Vector3::Zero());
}

TEST_F(RollingDisc, Equation46VelocityAtTheInertialOrigin) {
  const Vector6 expected = (Vector6() << -4, 0, 0, 0, 0, 2.4).finished();
  EXPECT_LE((I_v.coordinates() - expected).norm(), kRounding);
}

TEST_F(RollingDisc, Equation47VelocityAtTheCentreIsForwardAlongY) {
  const Vector6 expected = (Vector6() << -4, 0, 0, 0, 2, 0).finished();
  EXPECT_LE(((Q_X_P * P_v).coordinates() - expected).norm(), kRounding);
}

TEST_F(RollingDisc, Equation48VelocityInBodyAxes) {
  const MotionVector B_v = B_X_Q * Q_X_P * P_v;
  Vector6 expected;
  expected << -4, 0, 0, 0, 0.724715508953, 1.864078171934;
  EXPECT_LE((B_v.coordinates() - expected).norm(), 1e-11);
  EXPECT_NEAR(B_v.linear.y(), v * std::cos(theta), kRounding);
  EXPECT_NEAR(B_v.linear.z(), v * std::sin(theta), kRounding);
}

TEST_F(RollingDisc, Equation49InTheFixedFrame) {
  // only the last element v²t/r depends on time
  const Vector6 expected = (Vector6() << 0, 0, 0, 0, 0, 8).finished();
  const double h = 1e-3;
  const auto at = [&](double time) {
    const Vector3 contact(0.0, v * time, 0.0);
    return PluckerTransform::change_of_point(contact).inverse() * P_v;
  };
  const MotionVector rate = (1.0 / (2.0 * h)) * (at(t + h) - at(t - h));
  EXPECT_LE((rate.coordinates() - expected).norm(), 1e-11);
}

TEST_F(RollingDisc, Equations50And51InMovingCoordinates) {
  const MotionVector P_frame{Vector3::Zero(), {0.0, v, 0.0}};
  const MotionVector P_a = absolute_derivative(MotionVector{}, P_frame, P_v);
  const Vector6 expected = (Vector6() << 0, 0, 0, 0, 0, 8).finished();
  EXPECT_LE((P_a.coordinates() - expected).norm(), kRounding);
  EXPECT_LE(((P_X_I.inverse() * P_a).coordinates() - expected).norm(), kRounding);
}

TEST_F(RollingDisc, SpatialAccelerationIsThatOfNoPoint) {
  // the centre moves uniformly; the contact point's classical acceleration is v²/r upwards
  const MotionVector P_a{Vector3::Zero(), {0.0, 0.0, v * v / r}};
  EXPECT_LE(point_acceleration(P_a, P_v, r_PQ).norm(), kRounding);
  const Vector3 at_contact = point_acceleration(P_a, P_v, Vector3::Zero());
  EXPECT_LE((at_contact - Vector3(0.0, 0.0, 8.0)).norm(), kRounding);
}

}  // namespace
}  // namespace spacedyn::testing::rolling_disc_test
