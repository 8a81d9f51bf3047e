#include <cmath>
#include <functional>

#include "math/random_rotations.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/case_name.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::attitude_angles_test {
namespace {

// Three angles, the elementary rotations they stand for, and where they are singular.
struct Parametrization {
  const char* name;
  Matrix3 (*compose)(const Vector3&);
  Vector3 (*split)(const Matrix3&);
  std::function<Matrix3(const Vector3&)> product;
  std::vector<double> singular;  // values of the middle angle
  int zero_there;                // index of the angle that is zero there
  Vector3 low, high;             // ranges
};

std::vector<Parametrization> parametrizations() {
  const double half = 0.5 * kPi;
  return {{"twist",
           matrix_from_twist,
           twist_from_matrix,
           [](const Vector3& a) {
             return Matrix3(rotation_x(a[0]) * rotation_y(a[1]) * rotation_z(a[2]));
           },
           {-half, half},
           2,
           {-kPi, -half, -kPi},
           {kPi, half, kPi}},
          {"rpy",
           matrix_from_rpy,
           rpy_from_matrix,
           [](const Vector3& a) {
             return Matrix3(rotation_z(a[2]) * rotation_y(a[1]) * rotation_x(a[0]));
           },
           {-half, half},
           2,
           {-kPi, -half, -kPi},
           {kPi, half, kPi}},
          {"euler_313",
           matrix_from_euler_313,
           euler_313_from_matrix,
           [](const Vector3& a) {
             return Matrix3(rotation_z(a[0]) * rotation_x(a[1]) * rotation_z(a[2]));
           },
           {0.0, kPi},
           2,
           {-kPi, 0.0, -kPi},
           {kPi, kPi, kPi}}};
}

class AttitudeAngles : public ::testing::TestWithParam<Parametrization> {};

TEST_P(AttitudeAngles, ComposeElementaryRotationsInOrder) {
  RandomRotations random(31);
  for (int i = 0; i < 1000; ++i) {
    const Vector3 angles = 3.0 * random.vector();
    EXPECT_LE(eps_between(GetParam().compose(angles), GetParam().product(angles)), 2.0);
  }
}

TEST_P(AttitudeAngles, ReproduceRandomRotations) {
  RandomRotations random(32);
  for (int i = 0; i < 10000; ++i) {
    const Matrix3 A = random.rotation();
    const Vector3 angles = GetParam().split(A);
    ASSERT_LE(eps_between(GetParam().compose(angles), A), 8.0) << A;
    EXPECT_TRUE((angles.array() >= GetParam().low.array()).all()) << angles.transpose();
    EXPECT_TRUE((angles.array() <= GetParam().high.array()).all()) << angles.transpose();
  }
}

TEST_P(AttitudeAngles, AreFoundAgainAwayFromTheSingularity) {
  RandomRotations random(33);
  const Vector3 low = GetParam().low, high = GetParam().high;
  for (int i = 0; i < 1000; ++i) {
    const Vector3 angles(random.uniform(low[0], high[0]),
                         random.uniform(low[1] + 0.3, high[1] - 0.3),
                         random.uniform(low[2], high[2]));
    // the outer angles lose a factor 1/sin 0.3
    EXPECT_LE((GetParam().split(GetParam().compose(angles)) - angles).norm(), 32.0 * kEps);
  }
}

TEST_P(AttitudeAngles, ReproduceRotationsAtSingularities) {
  RandomRotations random(34);
  for (const double middle : GetParam().singular) {
    for (int i = 0; i < 2000; ++i) {
      const double distance = i % 4 == 0 ? 0.0 : std::pow(10.0, random.uniform(-20.0, -1.0));
      const Vector3 angles(random.uniform(-kPi, kPi), middle + (i % 2 ? distance : -distance),
                           random.uniform(-kPi, kPi));
      const Matrix3 A = GetParam().compose(angles);
      ASSERT_LE(eps_between(GetParam().compose(GetParam().split(A)), A), 8.0) << angles.transpose();
    }
  }
}

TEST_P(AttitudeAngles, GiveZeroForTheFreeAngleAtTheSingularity) {
  RandomRotations random(35);
  for (const double middle : GetParam().singular) {
    for (int i = 0; i < 1000; ++i) {
      const Vector3 angles(random.uniform(-kPi, kPi), middle, random.uniform(-kPi, kPi));
      const Vector3 split = GetParam().split(GetParam().compose(angles));
      EXPECT_EQ(split[GetParam().zero_there], 0.0);
      EXPECT_NEAR(split[1], middle, 4.0 * kEps);
    }
  }
}

TEST_P(AttitudeAngles, SplitExactQuarterTurnsWithoutResidue) {
  // signed permutation matrices of determinant 1: every combination of right angles
  for (int code = 0; code < 64; ++code) {
    const Vector3 turns(code % 4 - 1, code / 4 % 4 - 1, code / 16 - 1);
    const Matrix3 A = GetParam().compose(0.5 * kPi * turns).array().round();
    EXPECT_LE(eps_between(GetParam().compose(GetParam().split(A)), A), 1.0) << A;
  }
}

INSTANTIATE_TEST_SUITE_P(All, AttitudeAngles, ::testing::ValuesIn(parametrizations()),
                         [](const auto& row) { return std::string(row.param.name); });

class GoldenAngles : public ::testing::TestWithParam<int> {
 protected:
  const nlohmann::json& golden() const {
    return reference("utilities").at("rotations").at(static_cast<std::size_t>(GetParam()));
  }
};

// the toolbox's direction cosines are Aᵀ, and its "roll, pitch, yaw" are our twist angles
TEST_P(GoldenAngles, TwistAgreesWithRollPitchYawOfTheToolbox) {
  const Matrix3 A = matrix_from_twist(vector3_of(golden().at("rpy")));
  EXPECT_LE(eps_between(direction_cosines(A), matrix_of(golden().at("rpy2dc"))), 8.0);
  const Matrix3 C = matrix_of(golden().at("rpy2dc"));
  const Vector3 twist = twist_from_matrix(matrix_from_direction_cosines(C));
  EXPECT_LE((twist - vector3_of(golden().at("dc2rpy"))).norm(), 1e-12);
}

TEST_P(GoldenAngles, EulerAnglesAgreeWithTheToolbox) {
  const Matrix3 A = matrix_from_euler_313(vector3_of(golden().at("euler313")));
  EXPECT_LE(eps_between(direction_cosines(A), matrix_of(golden().at("eul2dc"))), 8.0);
  const Matrix3 C = matrix_of(golden().at("eul2dc"));
  const Vector3 angles = vector3_of(golden().at("dc2eul"));
  // two triples stand for one rotation: (φ, θ, ψ) and (φ+π, −θ, ψ+π)
  EXPECT_LE(eps_between(matrix_from_euler_313(angles), A), 16.0);
  if (angles[1] >= 0.0) {
    EXPECT_LE((euler_313_from_matrix(C.transpose()) - angles).norm(), 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, GoldenAngles, ::testing::Range(0, 12), NamedByValue());

}  // namespace
}  // namespace spacedyn::testing::attitude_angles_test
