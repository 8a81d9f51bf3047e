#include "spacedyn/math/rotations.hpp"

#include <cmath>

#include "math/random_rotations.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/case_name.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::rotations_test {
namespace {

template <typename Function>
std::string message_of(Function function) {
  try {
    function();
  } catch (const DomainError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Rotations, AboutCoordinateAxesTurnTheNextAxisTowardsTheOther) {
  const double angle = 0.7, c = std::cos(angle), s = std::sin(angle);
  EXPECT_EQ(rotation_x(angle) * Vector3::UnitY(), Vector3(0.0, c, s));
  EXPECT_EQ(rotation_y(angle) * Vector3::UnitZ(), Vector3(s, 0.0, c));
  EXPECT_EQ(rotation_z(angle) * Vector3::UnitX(), Vector3(c, s, 0.0));
}

TEST(Rotations, AboutAnyAxisMatchTheExponentialAndTheElementaryOnes) {
  RandomRotations random(41);
  for (int i = 0; i < 1000; ++i) {
    const Vector3 axis = random.direction();
    const double angle = random.uniform(-kPi, kPi);
    EXPECT_LE(eps_between(rotation_about(axis, angle), exp_so3(angle * axis)), 8.0);
    EXPECT_LE(eps_between(rotation_about(Vector3::UnitX(), angle), rotation_x(angle)), 2.0);
    EXPECT_LE(eps_between(rotation_about(Vector3::UnitY(), angle), rotation_y(angle)), 2.0);
    EXPECT_LE(eps_between(rotation_about(Vector3::UnitZ(), angle), rotation_z(angle)), 2.0);
  }
}

TEST(Rotations, AboutAnAxisDoNotDependOnItsLength) {
  const Vector3 axis(0.6, 0.0, 0.8);
  for (const double length : {5e-324, 1e-310, 1e-200, 1.0, 1e200, 1e308}) {
    const Matrix3 A = rotation_about(length * Vector3(0.0, 0.0, 1.0), 1.0);
    EXPECT_EQ(A, rotation_about(Vector3::UnitZ(), 1.0)) << length;
    if (length < 1e-300) continue;  // no digits left for a slanted axis
    EXPECT_LE(eps_between(rotation_about(length * axis, 1.0), rotation_about(axis, 1.0)), 4.0);
  }
}

TEST(Rotations, RefuseAnAxisWithoutDirection) {
  EXPECT_EQ(message_of([] { rotation_about(Vector3::Zero(), 1.0); }),
            "rotation axis (0, 0, 0) has no direction; give a finite vector other than zero");
  EXPECT_EQ(message_of([] { rotation_about(Vector3(1.0, NAN, 0.0), 1.0); }),
            "rotation axis (1, nan, 0) has no direction; give a finite vector other than zero");
  EXPECT_EQ(message_of([] { rotation_from_z_to(Vector3(INFINITY, 0.0, 0.0)); }),
            "rotation axis (inf, 0, 0) has no direction; give a finite vector other than zero");
}

TEST(Rotations, FromZToAnAxisAreTheSmallestThatDoSo) {
  RandomRotations random(42);
  for (int i = 0; i < 2000; ++i) {
    Vector3 axis = random.direction();
    if (i % 2 == 1) {  // next to either pole
      axis = Vector3(1e-9 * axis.x(), 1e-12 * axis.y(), i % 4 == 1 ? 1.0 : -1.0);
    }
    const Matrix3 A = rotation_from_z_to(3.0 * axis);
    EXPECT_LE(eps_between(A.col(2), axis.normalized()), 2.0);
    EXPECT_LE(orthogonality_error(A), 8.0 * kEps);
    // its axis is perpendicular to e_z, so that it does not turn about e_z
    EXPECT_NEAR(A(0, 1), A(1, 0), 4.0 * kEps);
    EXPECT_NEAR(A.determinant(), 1.0, 16.0 * kEps);
  }
}

TEST(Rotations, FromZToThePolesAreExact) {
  EXPECT_EQ(rotation_from_z_to(Vector3::UnitZ()), Matrix3::Identity());
  EXPECT_EQ(rotation_from_z_to(-Vector3::UnitZ()), Matrix3(Vector3(1, -1, -1).asDiagonal()));
}

TEST(Rotations, TildeIsTheCrossProduct) {
  RandomRotations random(43);
  const Vector3 a = random.vector(), b = random.vector();
  EXPECT_EQ(tilde(a) * b, a.cross(b));
  EXPECT_EQ(tilde(a), -tilde(a).transpose());
}

TEST(Rotations, QuaternionsRoundTripOverAllOfSo3) {
  RandomRotations random(44);
  for (int i = 0; i < 10000; ++i) {
    const Matrix3 A = random.rotation();
    const Quaternion quaternion = quaternion_from_matrix(A);
    ASSERT_LE(eps_between(matrix_from_quaternion(quaternion), A), 6.0) << A;
    EXPECT_GE(quaternion.w(), 0.0);
    EXPECT_NEAR(quaternion.norm(), 1.0, 2.0 * kEps);
  }
}

TEST(Rotations, QuaternionsOfHalfTurnsHaveTheirLargestComponentPositive) {
  RandomRotations random(45);
  for (int i = 0; i < 1000; ++i) {
    const Vector3 axis = random.direction();
    Matrix3 A = 2.0 * axis * axis.transpose();
    A.diagonal().array() -= 1.0;
    const Quaternion quaternion = quaternion_from_matrix(A);
    EXPECT_EQ(quaternion.w(), 0.0);
    EXPECT_GT(quaternion.vec().sum() + quaternion.vec().cwiseAbs().maxCoeff(), 0.0);
    EXPECT_LE(eps_between(matrix_from_quaternion(quaternion), A), 6.0);
  }
}

TEST(Rotations, QuaternionsOfAnyLengthStandForTheSameRotation) {
  const Matrix3 A = rotation_z(0.5) * rotation_x(1.0);
  const Quaternion unit = quaternion_from_matrix(A);
  for (const double length : {-1.0, 1e-300, 1e-160, 7.0, 1e300}) {
    Quaternion scaled;
    scaled.coeffs() = length * unit.coeffs();
    EXPECT_LE(eps_between(matrix_from_quaternion(scaled), A), 4.0) << length;
  }
}

TEST(Rotations, RefuseAQuaternionWithoutDirection) {
  EXPECT_EQ(message_of([] { matrix_from_quaternion(Quaternion(0.0, 0.0, 0.0, 0.0)); }),
            "quaternion (w, x, y, z) = (0, 0, 0, 0) is no attitude; give four finite numbers that "
            "are not all zero");
  EXPECT_EQ(message_of([] { matrix_from_quaternion(Quaternion(1.0, INFINITY, 0.0, 0.0)); }),
            "quaternion (w, x, y, z) = (1, inf, 0, 0) is no attitude; give four finite numbers "
            "that are not all zero");
}

TEST(Rotations, AxisAndAngleRoundTripOverAllOfSo3) {
  RandomRotations random(46);
  for (int i = 0; i < 10000; ++i) {
    const Matrix3 A = random.rotation();
    const AxisAngle turn = axis_angle_from_matrix(A);
    ASSERT_LE(eps_between(rotation_about(turn.axis, turn.angle), A), 8.0) << A;
    EXPECT_GE(turn.angle, 0.0);
    EXPECT_LE(turn.angle, kPi);
    EXPECT_NEAR(turn.axis.norm(), 1.0, 2.0 * kEps);
  }
}

TEST(Rotations, AxisAndAngleKeepTheirDigitsFromTinyToHalfATurn) {
  RandomRotations random(47);
  for (const double angle : {1e-300, 1e-100, 1e-8, 1.0, kPi - 1e-8}) {
    const Vector3 axis = random.direction();
    const AxisAngle turn = axis_angle_from_matrix(exp_so3(angle * axis));
    EXPECT_LE((turn.axis - axis).norm(), 8.0 * kEps) << angle;
    EXPECT_NEAR(turn.angle, angle, 4.0 * kEps * angle);
  }
}

TEST(Rotations, AxisOfTheIdentityIsZ) {
  const AxisAngle turn = axis_angle_from_matrix(Matrix3::Identity());
  EXPECT_EQ(turn.axis, Vector3::UnitZ());
  EXPECT_EQ(turn.angle, 0.0);
}

TEST(Rotations, DirectionCosinesAreTheTransposedMatrix) {
  const Matrix3 A = rotation_x(0.3) * rotation_z(1.1);
  EXPECT_EQ(direction_cosines(A), A.transpose());
  EXPECT_EQ(matrix_from_direction_cosines(direction_cosines(A)), A);
}

TEST(Rotations, NearestRotationRemovesAStretch) {
  // A S with S symmetric positive definite is a polar decomposition
  RandomRotations random(48);
  for (int i = 0; i < 1000; ++i) {
    const Matrix3 A = random.rotation(), U = random.rotation();
    const Vector3 stretch(random.uniform(0.1, 10.0), random.uniform(0.1, 10.0), 1.0);
    const Matrix3 S = U * stretch.asDiagonal() * U.transpose();
    // conditioned by the smallest sum of two stretches
    EXPECT_LE(eps_between(nearest_rotation(A * S), A), 500.0);
    EXPECT_LE(orthogonality_error(nearest_rotation(A * S)), 4.0 * kEps);
  }
}

TEST(Rotations, NearestRotationToARotationIsItself) {
  RandomRotations random(49);
  for (int i = 0; i < 1000; ++i) {
    const Matrix3 A = random.rotation();
    EXPECT_LE(eps_between(nearest_rotation(A), A), 8.0);
  }
}

TEST(Rotations, NearestRotationRefusesWhatHasNone) {
  EXPECT_EQ(message_of([] { nearest_rotation(Matrix3::Constant(NAN)); }),
            "matrix has elements that are not finite numbers");
  EXPECT_EQ(message_of([] { nearest_rotation(Matrix3::Ones()); }),
            "matrix is singular, so no rotation is nearest to it");
  EXPECT_EQ(message_of([] { nearest_rotation(-Matrix3::Identity()); }),
            "matrix mirrors space (its determinant is negative); the axes of a rotation are "
            "right-handed");
}

TEST(Rotations, OrthogonalityErrorIsTheLargestElement) {
  EXPECT_EQ(orthogonality_error(Matrix3::Identity()), 0.0);
  EXPECT_EQ(orthogonality_error(2.0 * Matrix3::Identity()), 3.0);
}

TEST(Rotations, RodriguesUpdateKeepsTheAxisAndAddsTheAngle) {
  const Vector3 omega(0.0, 0.0, 2.0);
  const Matrix3 A = rodrigues_update(rotation_z(0.25), omega, 0.375);
  EXPECT_LE(eps_between(A, rotation_z(1.0)), 2.0);
  EXPECT_EQ(rodrigues_update(A, Vector3::Zero(), 0.1), A);
}

class GoldenRotations : public ::testing::TestWithParam<int> {
 protected:
  const nlohmann::json& golden() const {
    return reference("utilities").at("rotations").at(static_cast<std::size_t>(GetParam()));
  }
};

// the toolbox stores (x, y, z, w) of the direction cosines C = Aᵀ
TEST_P(GoldenRotations, QuaternionAgreesWithTheToolbox) {
  const VectorX expected = vector_of(golden().at("dc2qtn_of_rpy2dc"));
  const Matrix3 C = matrix_of(golden().at("rpy2dc"));
  // with its sign, (x, y, z, w) of C holds for A with the vector part reversed
  const Quaternion of_A(expected[3], -expected[0], -expected[1], -expected[2]);
  EXPECT_LE(eps_between(matrix_from_quaternion(of_A), C), 32.0);
  const Quaternion ours = quaternion_from_matrix(C);
  EXPECT_NEAR(std::abs(ours.dot(of_A)), 1.0, 8.0 * kEps);
}

TEST_P(GoldenRotations, QuaternionRateAgreesWithTheToolbox) {
  // (x, y, z, w) there; the formula is linear, so it holds whatever the quaternion stands for
  const VectorX Q = vector_of(golden().at("dc2qtn_of_rpy2dc"));
  const Quaternion rate =
      quaternion_rate(Quaternion(Q[3], Q[0], Q[1], Q[2]), vector3_of(golden().at("w")));
  EXPECT_LE((rate.coeffs() - vector_of(golden().at("w2dQtn"))).cwiseAbs().maxCoeff(), 8.0 * kEps);
}

TEST_P(GoldenRotations, RodriguesUpdateAgreesWithTheToolbox) {
  const Vector3 w = vector3_of(golden().at("w"));
  const double dt = golden().at("dt").get<double>();
  EXPECT_EQ(tilde(w), matrix_of(golden().at("tilde_w")));
  const Matrix3 aw = matrix_of(golden().at("aw"));
  EXPECT_LE(eps_between(rodrigues_update(Matrix3::Identity(), w, dt), aw), 8.0);
}

TEST_P(GoldenRotations, LogarithmIsTheToolboxsAttitudeError) {
  // tr2diff: sin(angle)·axis of the turn from A_now to A_goal
  const Matrix3 turn =
      matrix_of(golden().at("A_goal")) * matrix_of(golden().at("A_now")).transpose();
  const AxisAngle expected = axis_angle_from_matrix(turn);
  const Vector3 difference = std::sin(expected.angle) * expected.axis;
  EXPECT_LE((difference - vector3_of(golden().at("tr2diff"))).norm(), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Rows, GoldenRotations, ::testing::Range(0, 12), NamedByValue());

}  // namespace
}  // namespace spacedyn::testing::rotations_test
