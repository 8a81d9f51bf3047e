// The interior points of Ipopt against slsqp and closed forms; where its library is not, what is
// said in its place.
#include <gmock/gmock.h>

#include "optimization/small_optimization.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn::optimization_test {
namespace {

using testing::kEffort;
using testing::kKnots;
using testing::kRestToRest;
using testing::OptimizationFolder;

const std::string kIpopt = "  method: ipopt\n";

/// Whether there is something to test. What a machine without the library gets is tested there.
bool is_here() {
  try {
    OptimizationFolder(kKnots + kEffort + kRestToRest + kIpopt).load();
    return true;
  } catch (const ParseError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("library of Ipopt is not on this machine"));
    return false;
  }
}

TEST(Ipopt, FindsTheLeastEffortOfADoubleIntegrator) {
  if (!is_here()) return;
  for (const char* derivatives : {"finite_differences", "sensitivities"}) {
    const OptimizationFolder folder(kKnots + kEffort + kRestToRest + kIpopt +
                                    "  derivatives: " + derivatives + "\n");
    const OptimizationResult result = folder.run();
    EXPECT_TRUE(result.converged) << result.message;
    // 2 kg over 1 m in 4 s, rest to rest: a force that falls linearly; rows 20 ms apart
    const double effort = std::sqrt(12.0 * 4.0 / 256.0);
    EXPECT_NEAR(result.best.objective, effort, 1e-4 * effort);
    for (int i = 0; i < 5; ++i) {
      EXPECT_NEAR(result.best.variables(i), 0.75 * (1.0 - 0.5 * i), 2e-3) << i;
    }
    EXPECT_LT(result.best.violation, 1e-8);
    EXPECT_LT(result.gradient_norm, 1e-3);
  }
}

TEST(Ipopt, KeepsInequalitiesAndBounds) {
  if (!is_here()) return;
  // the optimum passes the middle at half the time, and begins with 0.75 N
  std::string knots = kKnots;
  knots.replace(knots.find("-5, to: 5"), 9, "-5, to: 0.7, start: 0.5");
  const std::string keys = knots + kEffort + kRestToRest +
                           "    - {channel: joint_position, at: {time: 2}, at_most: 0.45}\n"
                           "  derivatives: sensitivities\n";
  const OptimizationResult expected = OptimizationFolder(keys).run();
  const OptimizationResult result = OptimizationFolder(keys + kIpopt).run();
  EXPECT_TRUE(result.converged) << result.message;
  EXPECT_NEAR(result.best.constraints(2), 0.45, 1e-6);
  EXPECT_NEAR(result.best.objective, expected.best.objective, 1e-7);
  EXPECT_LT((result.best.variables - expected.best.variables).norm(), 1e-3);
  EXPECT_LE(result.best.variables(0), 0.7);
}

TEST(Ipopt, EndsAfterItsEvaluations) {
  if (!is_here()) return;
  const OptimizationResult result =
      OptimizationFolder(kKnots + kEffort + kRestToRest + kIpopt + "  max_evaluations: 2\n").run();
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.message, "max_evaluations are used up");
  EXPECT_LE(result.evaluations.size(), 6U);  // those of the iteration in which they end
}

TEST(Ipopt, SaysWhereConstraintsCannotHold) {
  if (!is_here()) return;
  const OptimizationResult result =
      OptimizationFolder(kKnots + kEffort + kRestToRest +
                         "    - {channel: joint_position, at: {time: 2}, at_least: 9}\n" +
                         "    - {channel: joint_position, at: {time: 2.1}, at_most: 1}\n" + kIpopt +
                         "  derivatives: sensitivities\n  max_evaluations: 200\n")
          .run();
  EXPECT_FALSE(result.converged);
  EXPECT_GT(result.best.violation, 1e-3);
}

}  // namespace
}  // namespace spacedyn::optimization_test
