// Vector sine and cosine of every instruction set against fifty digits.
#include <cmath>
#include <random>

#include "dynamics/tree/kernel_choice.hpp"
#include "math/precise.hpp"

namespace spacedyn::testing::sincos_test {
namespace {

/// Distance from the exact value in units of the spacing of doubles there.
double ulps(double actual, const Precise& exact) {
  const double nearest = std::abs(exact.convert_to<double>());
  const double spacing = std::nextafter(nearest, INFINITY) - nearest;
  const Precise error = abs(Precise(actual) - exact) / Precise(spacing);
  return error.convert_to<double>();
}

class Sincos : public ::testing::TestWithParam<InstructionSet> {
 protected:
  void evaluate(const std::vector<double>& angles) {
    sines.resize(angles.size());
    cosines.resize(angles.size());
    SPACEDYN_CHOOSE_KERNELS(kernels, GetParam())
        .sincos(angles.data(), sines.data(), cosines.data(), static_cast<int>(angles.size()));
  }
  void expect_within_one_ulp(const std::vector<double>& angles) {
    evaluate(angles);
    double worst = 0.0;
    for (std::size_t i = 0; i < angles.size(); ++i) {
      worst = std::max({worst, ulps(sines[i], sin(Precise(angles[i]))),
                        ulps(cosines[i], cos(Precise(angles[i])))});
    }
    EXPECT_LT(worst, 1.0);
  }
  std::vector<double> sines, cosines;
};

TEST_P(Sincos, IsWithinOneUlpUpToAHundredThousandRadians) {
  std::mt19937_64 generator(20261121);
  std::vector<double> angles;
  for (const double bound : {1e-3, 0.8, 3.2, 100.0, 99999.9}) {
    std::uniform_real_distribution<double> angle(-bound, bound);
    for (int i = 0; i < 1501; ++i) angles.push_back(angle(generator));
  }
  expect_within_one_ulp(angles);
}

TEST_P(Sincos, KeepsAllDigitsBesideMultiplesOfARightAngle) {
  // the doubles nearest to k π/2, where the reduction cancels nearly everything
  const double half_turn = std::acos(-1.0);
  std::vector<double> angles;
  for (int k = 1; k < 63660; k += 17) angles.push_back(k * (half_turn / 2.0));
  expect_within_one_ulp(angles);
}

TEST_P(Sincos, IsCorrectForHugeTinyAndSpecialAngles) {
  expect_within_one_ulp({1e5, -1e5, 123456.789, -3e7, 1e22, -1e-200});
  evaluate({5e-324, -1e-310, 1e-308});
  EXPECT_EQ(sines, (std::vector<double>{5e-324, -1e-310, 1e-308}));
  EXPECT_EQ(cosines, (std::vector<double>{1.0, 1.0, 1.0}));
  evaluate({-1.5e300});
  EXPECT_EQ(sines[0], std::sin(-1.5e300));
  EXPECT_EQ(cosines[0], std::cos(-1.5e300));
  evaluate({0.0, INFINITY, -INFINITY, NAN, 1.0});
  EXPECT_EQ(sines[0], 0.0);
  EXPECT_EQ(cosines[0], 1.0);
  for (std::size_t i = 1; i <= 3; ++i) {
    EXPECT_TRUE(std::isnan(sines[i]));
    EXPECT_TRUE(std::isnan(cosines[i]));
  }
  EXPECT_LT(ulps(sines[4], sin(Precise(1.0))), 1.0);  // neighbours of NaN are not touched
}

TEST_P(Sincos, GivesTheSameBitsAtEveryPosition) {
  std::mt19937_64 generator(7);
  std::uniform_real_distribution<double> angle(-10.0, 10.0);
  const double x = angle(generator);
  evaluate(std::vector<double>(16, x));
  for (std::size_t i = 1; i < 16; ++i) {
    EXPECT_EQ(sines[i], sines[0]);
    EXPECT_EQ(cosines[i], cosines[0]);
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, Sincos, ::testing::ValuesIn(supported_instruction_sets()),
                         [](const auto& set) { return std::string(to_string(set.param)); });

}  // namespace
}  // namespace spacedyn::testing::sincos_test
