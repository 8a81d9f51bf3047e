#include "integration/reference_flight.hpp"

namespace spacedyn::testing::golden_trajectory_test {
namespace {

class GoldenTrajectory : public ::testing::TestWithParam<std::string> {
 protected:
  static IntegratorOptions with_step_of_the_original(IntegrationMethod method) {
    IntegratorOptions options;
    options.method = method;
    options.step = reference(GetParam()).at("trajectory").at("dt").get<double>();
    return options;
  }
};

/// The original integrates a quaternion where rk4 integrates a rotation vector, both by the same
/// Runge–Kutta method, so they differ by truncation and rounding.
TEST_P(GoldenTrajectory, ByRk4) {
  EXPECT_LT(worst_difference(GetParam(), with_step_of_the_original(IntegrationMethod::rk4)),
            GetParam() == "flexible_paddles" ? 1e-8 : 1e-10);
}

/// The same method as the original's: only rounding is left, which the stiff hinges of the paddles
/// amplify most.
TEST_P(GoldenTrajectory, ByQuaternions) {
  EXPECT_LT(
      worst_difference(GetParam(), with_step_of_the_original(IntegrationMethod::rk4_quaternion)),
      1e-11);
}

INSTANTIATE_TEST_SUITE_P(Reference, GoldenTrajectory, ::testing::ValuesIn(reference_names()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace spacedyn::testing::golden_trajectory_test
