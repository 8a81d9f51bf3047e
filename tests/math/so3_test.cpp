#include "spacedyn/math/so3.hpp"

#include <cmath>

#include "math/precise.hpp"
#include "math/random_rotations.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/case_name.hpp"

namespace spacedyn::testing::so3_test {
namespace {

std::vector<double> magnitudes() {
  return {0.0,      5e-324,   1e-310, 1e-300,     1e-160, 1e-154,         1e-100,       1e-20,
          1e-8,     1.5e-8,   1e-5,   1e-3,       0.1,    0.4999999,      0.5,          0.5000001,
          0.999999, 1.000001, 1.5,    kPi - 1e-9, kPi,    kPi + 1e-9,     4.0,          1.5 * kPi,
          6.0,      2 * kPi,  9.0,    3 * kPi,    20.0,   8 * kPi + 1e-7, 9.9999 * kPi, 10 * kPi};
}

class So3AtAngle : public ::testing::TestWithParam<double> {
 protected:
  // directions along axes, in planes and anywhere
  std::vector<Vector3> rotation_vectors() const {
    std::vector<Vector3> vectors;
    for (int i = 0; i < 3; ++i) vectors.push_back(GetParam() * Vector3::Unit(i));
    vectors.push_back(GetParam() * Vector3(1.0, -1.0, 0.0).normalized());
    vectors.push_back(GetParam() * Vector3(1.0, 1e-9, -1e-9));
    RandomRotations random(20);
    for (int i = 0; i < 20; ++i) vectors.push_back(GetParam() * random.direction());
    return vectors;
  }
};

TEST_P(So3AtAngle, ExponentialMatchesItsSeries) {
  for (const Vector3& theta : rotation_vectors()) {
    EXPECT_LE(error_in_eps(exp_so3(theta), series(precise(theta), 0)), 2.0) << theta.transpose();
  }
}

TEST_P(So3AtAngle, DexpMatchesItsSeries) {
  for (const Vector3& theta : rotation_vectors()) {
    EXPECT_LE(error_in_eps(dexp_so3(theta), series(precise(theta), 1)), 4.0) << theta.transpose();
  }
}

TEST_P(So3AtAngle, DexpInverseMatchesTheSeries) {
  if (GetParam() > kDexpInverseLimit) return;
  for (const Vector3& theta : rotation_vectors()) {
    const PreciseMatrix inverse = series(precise(theta), 1).inverse();
    // condition of cot(θ/2) at 3π/4, and |θ̃²|/θ² = 1
    EXPECT_LE(error_in_eps(dexp_inverse_so3(theta), inverse), 4.0 * (1.0 + GetParam()))
        << theta.transpose();
  }
}

TEST_P(So3AtAngle, LogarithmUndoesExponential) {
  for (const Vector3& theta : rotation_vectors()) {
    const Matrix3 A = rounded(series(precise(theta), 0));
    EXPECT_LE(eps_between(exp_so3(log_so3(A)), A), 4.0) << theta.transpose();
    EXPECT_LE(log_so3(A).norm(), kPi * (1.0 + kEps));
  }
}

INSTANTIATE_TEST_SUITE_P(Magnitudes, So3AtAngle, ::testing::ValuesIn(magnitudes()), NamedByValue());

TEST(So3, LogarithmReturnsEveryRotationToFourEps) {
  RandomRotations random(7);
  for (int i = 0; i < 1000; ++i) {
    const Matrix3 A = rounded(series(precise(random.uniform(0.0, kPi) * random.direction()), 0));
    ASSERT_LE(eps_between(exp_so3(log_so3(A)), A), 4.0) << i;
  }
}

TEST(So3, LogarithmReturnsRotationsNextToHalfATurnToFourEps) {
  RandomRotations random(8);
  for (int i = 0; i < 1000; ++i) {
    const double angle = kPi + std::pow(10.0, random.uniform(-18.0, -2.0)) * (i % 2 ? 1.0 : -1.0);
    const Matrix3 A = rounded(series(precise(angle * random.direction()), 0));
    ASSERT_LE(eps_between(exp_so3(log_so3(A)), A), 4.0) << i;
  }
}

TEST(So3, LogarithmKeepsAllDigitsOfTinyRotations) {
  RandomRotations random(9);
  for (const double size : {1e-300, 1e-160, 1e-20, 1e-9, 1e-8}) {
    const Vector3 theta = size * random.direction();
    // the sine and the angle differ by θ³/6
    EXPECT_LE((log_so3(exp_so3(theta)) - theta).norm(), 4.0 * kEps * size) << size;
  }
}

TEST(So3, LogarithmAtHalfATurnHasItsLargestComponentPositive) {
  for (int i = 0; i < 3; ++i) {
    Matrix3 A = -Matrix3::Identity();
    A(i, i) = 1.0;
    EXPECT_EQ(log_so3(A), kPi * Vector3::Unit(i));
  }
  const Vector3 axis(2.0 / 3.0, -2.0 / 3.0, -1.0 / 3.0);
  const Matrix3 A = 2.0 * axis * axis.transpose() - Matrix3::Identity();
  EXPECT_LE(eps_between(log_so3(A), kPi * axis), 8.0);
}

TEST(So3, LogarithmOfTheIdentityIsZero) {
  EXPECT_EQ(log_so3(Matrix3::Identity()), Vector3::Zero());
}

TEST(So3, ExponentialOfTheLargestNumbersIsStillARotation) {
  const double large = std::numeric_limits<double>::max();
  for (const Vector3& theta : {Vector3(large, large, large), Vector3(-1e160, 1e155, 0.0)}) {
    EXPECT_LE(orthogonality_error(exp_so3(theta)), 8.0 * kEps);
  }
}

TEST(So3, ExponentialOfAPlainSumOfParallelVectorsIsAProduct) {
  RandomRotations random(11);
  for (int i = 0; i < 1000; ++i) {
    const Vector3 a = random.direction();
    const double s = random.uniform(-3.0, 3.0), t = random.uniform(-3.0, 3.0);
    EXPECT_LE(eps_between(exp_so3(s * a) * exp_so3(t * a), exp_so3((s + t) * a)), 16.0);
  }
}

TEST(So3, ExponentialIsEquivariant) {
  RandomRotations random(12);
  for (int i = 0; i < 1000; ++i) {
    const Matrix3 A = random.rotation();
    const Vector3 theta = random.vector();
    EXPECT_LE(eps_between(exp_so3(A * theta), A * exp_so3(theta) * A.transpose()), 32.0);
  }
}

TEST(So3, DexpIsTheDerivativeOfTheExponential) {
  RandomRotations random(13);
  const double h = 1e-5;
  for (int i = 0; i < 1000; ++i) {
    const Vector3 theta = random.uniform(0.0, 10.0) * random.direction(), rate = random.vector();
    const Matrix3 derivative = (exp_so3(theta + h * rate) - exp_so3(theta - h * rate)) / (2.0 * h);
    const Matrix3 expected = tilde(dexp_so3(theta) * rate) * exp_so3(theta);
    // truncation h² |rate|³/6 plus rounding eps/h
    EXPECT_LE((derivative - expected).norm(), 1e-9 * (1.0 + std::pow(rate.norm(), 3))) << i;
  }
}

TEST(So3, DexpTransposedBelongsToTheBodyFrame) {
  // Ȧ = A ω̃_B: ω_B = Aᵀ ω, and dexp(−θ) = dexp(θ)ᵀ = Aᵀ dexp(θ)
  RandomRotations random(14);
  for (int i = 0; i < 1000; ++i) {
    const Vector3 theta = 2.0 * random.vector();
    const Matrix3 body = exp_so3(theta).transpose() * dexp_so3(theta);
    EXPECT_LE(eps_between(body, dexp_so3(theta).transpose()), 16.0);
    EXPECT_LE(eps_between(body, dexp_so3(-theta)), 16.0);
  }
}

TEST(So3, ApplyingDexpInverseEqualsMultiplyingByIt) {
  RandomRotations random(15);
  for (int i = 0; i < 1000; ++i) {
    const Vector3 theta = random.uniform(0.0, 4.7) * random.direction(), omega = random.vector();
    const Vector3 rate = apply_dexp_inverse_so3(theta, omega);
    EXPECT_LE((rate - dexp_inverse_so3(theta) * omega).norm(), 32.0 * kEps * omega.norm());
    EXPECT_LE((dexp_so3(theta) * rate - omega).norm(), 64.0 * kEps * omega.norm());
  }
}

TEST(So3, DexpInverseAcceptsItsLimitInEveryDirection) {
  RandomRotations random(16);
  for (int i = 0; i < 1000; ++i) {
    const Vector3 theta = kDexpInverseLimit * random.direction();
    EXPECT_NO_THROW(dexp_inverse_so3(theta));
    EXPECT_TRUE(apply_dexp_inverse_so3(theta, Vector3::UnitX()).allFinite());
  }
}

std::string message_of_dexp_inverse(const Vector3& theta) {
  try {
    dexp_inverse_so3(theta);
  } catch (const DomainError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(So3, DexpInverseRefusesWhatLiesBeyondItsLimit) {
  EXPECT_EQ(message_of_dexp_inverse({0.0, 5.0, 0.0}),
            "rotation vector of length 5 rad lies beyond 3π/2, too close to the singularity of "
            "dexp⁻¹ at 2π; measure the rotation from a nearer reference");
  EXPECT_EQ(message_of_dexp_inverse({NAN, 0.0, 0.0}),
            "rotation vector of length nan rad lies beyond 3π/2, too close to the singularity of "
            "dexp⁻¹ at 2π; measure the rotation from a nearer reference");
  EXPECT_TRUE(apply_dexp_inverse_so3({0.0, 4.8, 0.0}, Vector3::UnitX()).array().isNaN().all());
}

}  // namespace
}  // namespace spacedyn::testing::so3_test
