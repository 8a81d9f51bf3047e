// Optimizations that ship, from their files.
#include <gtest/gtest.h>

#include "spacedyn/optimization/optimize.hpp"

namespace spacedyn::shipped_optimizations_test {
namespace {

Optimization shipped(const std::string& name, const std::vector<Override>& overrides = {}) {
  return Optimization::load(SPACEDYN_MODELS "/optimizations/" + name + ".yaml", overrides);
}

// The search begins where one torque begins as the other ends. Numbers to which one with
// differences of flights comes as well: the tolerance of 1e-6 of an objective that is flat leaves
// five digits.
TEST(ShippedOptimizations, QuietTheSlewWithSensitivities) {
  const OptimizationResult tangents =
      run_optimization(shipped("quiet_slew", {{"derivatives", "sensitivities"}}));
  EXPECT_TRUE(tangents.converged) << tangents.message;
  EXPECT_EQ(tangents.derivatives, "sensitivities of flights");
  EXPECT_NEAR(tangents.best.constraints(0), 0.5235987756, 1e-6);
  EXPECT_NEAR(tangents.best.variables(1), 12.453764, 1e-4);
  EXPECT_NEAR(tangents.best.variables(2), -17.384004, 1e-4);
  EXPECT_LT(tangents.best.objective, 1e-3 * tangents.evaluations.front().objective);
}

// The blow is at its limit, and the joints work by an eighth less.
TEST(ShippedOptimizations, CaptureAsGentlyAsTheBlowAllows) {
  const OptimizationResult result = run_optimization(shipped("gentle_capture"));
  EXPECT_TRUE(result.converged) << result.message;
  EXPECT_NEAR(result.best.constraints(0), 0.02, 1e-4);
  EXPECT_NEAR(result.best.objective, 0.3445, 2e-3);
  EXPECT_NEAR(result.evaluations.front().objective, 0.3941, 1e-3);
}

}  // namespace
}  // namespace spacedyn::shipped_optimizations_test
