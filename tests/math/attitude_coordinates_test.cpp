#include "spacedyn/math/attitude_coordinates.hpp"

#include <functional>

#include "math/random_rotations.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn::testing::attitude_coordinates_test {
namespace {

using Kind = AttitudeCoordinates;

class AttitudeColumns : public ::testing::TestWithParam<Kind> {};

TEST_P(AttitudeColumns, RoundTripOverAllOfSo3) {
  RandomRotations random(61);
  for (int i = 0; i < 1000; ++i) {
    const Matrix3 A = random.rotation();
    const AttitudeVector column = attitude_from_matrix(GetParam(), A);
    EXPECT_EQ(column.size(), attitude_size(GetParam()));
    EXPECT_LE(eps_between(matrix_from_attitude(GetParam(), column), A), 8.0);
  }
}

TEST_P(AttitudeColumns, RateTurnsTheAttitudeWithOmega) {
  RandomRotations random(62);
  const double h = 1e-6;
  for (int i = 0; i < 1000; ++i) {
    // |β| ≤ 1.2, and 0.37 ≤ sin θ for the 3-1-3 angles of the same kind of rotation
    const Vector3 angles(random.uniform(-3.0, 3.0), random.uniform(0.4, 1.2),
                         random.uniform(-3.0, 3.0));
    const Matrix3 A =
        GetParam() == Kind::euler_313 ? matrix_from_euler_313(angles) : matrix_from_twist(angles);
    const AttitudeVector column = attitude_from_matrix(GetParam(), A);
    const Vector3 omega = random.vector();
    const AttitudeVector rate = attitude_rate(GetParam(), column, omega);
    const Matrix3 quotient = (matrix_from_attitude(GetParam(), column + h * rate) -
                              matrix_from_attitude(GetParam(), column - h * rate)) /
                             (2.0 * h);
    EXPECT_LE((quotient - tilde(omega) * A).norm(), 1e-8) << angles.transpose();
    const AttitudeVector product = attitude_rate_matrix(GetParam(), column) * omega;
    EXPECT_LE((product - rate).norm(), 1e-14);
  }
}

constexpr const char* kNames[] = {"quaternion", "rotation_vector", "twist_angles", "euler_313"};

INSTANTIATE_TEST_SUITE_P(Kinds, AttitudeColumns,
                         ::testing::Values(Kind::quaternion, Kind::rotation_vector,
                                           Kind::twist_angles, Kind::euler_313),
                         [](const auto& kind) { return kNames[kind.index]; });

TEST(AttitudeCoordinates, QuaternionRateKeepsTheLength) {
  RandomRotations random(63);
  for (int i = 0; i < 1000; ++i) {
    const Eigen::Vector4d column(random.uniform(-2.0, 2.0), 1.0, random.uniform(-2.0, 2.0), 0.5);
    EXPECT_NEAR(attitude_rate(Kind::quaternion, column, random.vector()).dot(column), 0.0, 1e-14);
  }
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(AttitudeCoordinates, RefuseAWrongNumberOfElements) {
  const Vector3 three = Vector3::UnitX();
  const Eigen::Vector4d four = Eigen::Vector4d::UnitX();
  EXPECT_EQ(message_of([&] { matrix_from_attitude(Kind::quaternion, three); }),
            "attitude has 3 numbers, expected 4 (w, x, y, z)");
  EXPECT_EQ(message_of([&] { attitude_rate(Kind::rotation_vector, four, three); }),
            "attitude has 4 numbers, expected 3");
}

TEST(AttitudeCoordinates, RefuseRatesWhereTheyAreSingular) {
  const Vector3 omega = Vector3::UnitX();
  const double quarter = 0.5 * kPi;
  EXPECT_EQ(message_of([&] { attitude_rate(Kind::twist_angles, Vector3(1, quarter, 2), omega); }),
            "twist angles have no rate at β = 1.5707963267948966 rad, where the axes of α and γ "
            "coincide (β = ±π/2); use a quaternion or a rotation vector");
  EXPECT_EQ(message_of([&] { attitude_rate(Kind::euler_313, Vector3(1, 0, 2), omega); }),
            "3-1-3 Euler angles have no rate at θ = 0 rad, where the axes of φ and ψ coincide "
            "(θ = 0 or π); use a quaternion or a rotation vector");
  EXPECT_EQ(message_of([&] { attitude_rate(Kind::rotation_vector, Vector3(6, 0, 0), omega); }),
            "rotation vector of length 6 rad lies beyond 3π/2, too close to the singularity of "
            "dexp⁻¹ at 2π; measure the rotation from a nearer reference");
}

}  // namespace
}  // namespace spacedyn::testing::attitude_coordinates_test
