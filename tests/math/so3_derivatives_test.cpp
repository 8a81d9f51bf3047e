
#include <cmath>

#include "spacedyn/math/so3.hpp"
#include "support/finite_differences.hpp"

namespace spacedyn::so3_derivatives_test {
namespace {

using testing::derivative;

MatrixX differences(const Vector3& theta, const Vector3& omega) {
  MatrixX result(3, 3);
  for (int i = 0; i < 3; ++i) {
    const auto moved = [&](double t) -> MatrixX {
      return apply_dexp_inverse_so3(theta + t * Vector3::Unit(i), omega);
    };
    result.col(i) = derivative(moved, 0.05).value;
  }
  return result;
}

TEST(DexpInverseDerivative, AgreesWithDifferencesFarFromTheIdentity) {
  const Vector3 axis = Vector3(2.0, -3.0, 6.0) / 7.0, omega(0.4, 1.3, -0.7);
  // 0.5 rad is where the series ends
  for (const double angle : {0.0, 1e-9, 1e-3, 0.3, 0.4999, 0.5001, 1.0, 2.0, 3.0, 4.0, 4.6}) {
    const MatrixX error =
        dexp_inverse_derivative(angle * axis, omega) - differences(angle * axis, omega);
    // twelve digits of Ridders' method; the map grows towards its singularity at 2π
    EXPECT_LE(error.norm(), 1e-10 * (1.0 + angle * angle)) << angle;
  }
}

TEST(DexpInverseDerivative, IsHalfTheCrossProductAtTheIdentity) {
  const Vector3 omega(0.4, 1.3, -0.7), other(1.0, 2.0, 3.0);
  EXPECT_LE(
      (dexp_inverse_derivative(Vector3::Zero(), omega) * other - 0.5 * omega.cross(other)).norm(),
      1e-15);
}

TEST(DexpInverseDerivative, IsNotANumberBeyondItsLimit) {
  EXPECT_TRUE(dexp_inverse_derivative({0.0, 4.8, 0.0}, Vector3::UnitX()).array().isNaN().all());
  EXPECT_TRUE(dexp_inverse_derivative({NAN, 0.0, 0.0}, Vector3::UnitX()).array().isNaN().all());
}

}  // namespace
}  // namespace spacedyn::so3_derivatives_test
