
#include <cmath>

#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::orientation_error_test {
namespace {

TEST(OrientationError, ItsSineIsWhatTheOriginalReturns) {
  // golden: tr2diff = sin(angle)·axis
  for (const auto& entry : reference("utilities").at("rotations")) {
    const Matrix3 A_goal = matrix_of(entry.at("A_goal"));
    const Matrix3 A_now = matrix_of(entry.at("A_now"));
    const Vector3 error = orientation_error(A_goal, A_now);
    const double angle = error.norm();
    EXPECT_LE((std::sin(angle) / angle * error - vector3_of(entry.at("tr2diff"))).norm(), 1e-13);
  }
}

TEST(OrientationError, TurnsOneOrientationIntoTheOther) {
  RandomModels random(61);
  for (int i = 0; i < 1000; ++i) {
    const Matrix3 A_goal = random.rotation();
    const Matrix3 A_now = random.rotation();
    const Matrix3 turned = exp_so3(orientation_error(A_goal, A_now)) * A_now;
    EXPECT_LE((turned - A_goal).norm(), 1e-14);
  }
}

TEST(OrientationError, IsTheInertialRotationVectorAlsoBeyondNinetyDegrees) {
  const Matrix3 A_now = rotation_x(0.3);
  for (const double angle : {0.1, 1.5, 2.0, 3.0, 3.141592}) {
    const Vector3 expected = angle * Vector3(0.0, 0.6, 0.8);
    EXPECT_LE((orientation_error(exp_so3(expected) * A_now, A_now) - expected).norm(), 1e-14)
        << angle;
  }
}

TEST(OrientationError, AHalfTurnIsAHalfTurn) {
  // where the original returns zero and so calls the goal reached
  for (const Vector3& axis : {Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0.36, -0.48, 0.8)}) {
    const Vector3 error = orientation_error(rotation_about(axis, M_PI), Matrix3::Identity());
    EXPECT_NEAR(error.norm(), M_PI, 1e-14);
    EXPECT_LE(error.cross(axis).norm(), 1e-14);
  }
}

TEST(OrientationError, OfEqualOrientationsIsZero) {
  EXPECT_EQ(orientation_error(Matrix3::Identity(), Matrix3::Identity()), Vector3(Vector3::Zero()));
}

}  // namespace
}  // namespace spacedyn::testing::orientation_error_test
