// Over many seeds, errors of fits are distributed as their covariance says.
#include "optimization/small_fit.hpp"

#include <gtest/gtest.h>

namespace spacedyn::fit_seeds_test {
namespace {

TEST(FitSeeds, ErrorsAreAsTheCovarianceSays) {
  constexpr int kSeeds = 100;
  double sum = 0.0;
  int within = 0;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    const FitResult result = testing::FitFolder(testing::kData + testing::kTwo, 0.001, seed).run();
    ASSERT_TRUE(result.converged) << "seed " << seed << ": " << result.message;
    const double distance = testing::distance_from_truth(result);
    sum += distance;
    within += distance < 1.386 ? 1 : 0;  // the median of χ² with two degrees of freedom
  }
  // the mean of χ² is 2, that of 100 has a standard deviation of 0.2; within is binomial, 50 ± 5
  EXPECT_NEAR(sum / kSeeds, 2.0, 0.8);
  EXPECT_NEAR(within, 50, 20);
}

}  // namespace
}  // namespace spacedyn::fit_seeds_test
