// Random relief: its spectrum, its seed, misuse.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/terrain/random_relief.hpp"
#include "support/message_of.hpp"

namespace spacedyn::testing::random_relief_test {
namespace {

constexpr RandomRelief::Spectrum kGround{0.05, 0.4, 8.0, 0.7, 3};

TEST(RandomRelief, HasTheAutocovarianceOfItsSpectrum) {
  // C(d) = rms² ∫ J_0(k d) w(k) dk, w ~ k^(−1−2H) the density of the variance along |k|
  constexpr int kCells = 4000;
  const auto covariance = [&](double d) {
    const double low = std::log(2.0 * kPi / kGround.longest);
    const double high = std::log(2.0 * kPi / kGround.shortest), step = (high - low) / kCells;
    double sum = 0.0, weight = 0.0;
    for (int i = 0; i < kCells; ++i) {
      const double k = std::exp(low + (i + 0.5) * step), w = std::pow(k, -2.0 * kGround.hurst);
      sum += w * std::cyl_bessel_j(0.0, k * d);
      weight += w;
    }
    return kGround.rms * kGround.rms * sum / weight;
  };
  constexpr int kSeeds = 150, kPlaces = 40;
  for (const double d : {0.0, 0.5, 1.5, 4.0}) {
    double mean = 0.0;
    for (int seed = 0; seed < kSeeds; ++seed) {
      RandomRelief::Spectrum spectrum = kGround;
      spectrum.seed = static_cast<std::uint64_t>(seed);
      const RandomRelief ground(spectrum);
      for (int i = 0; i < kPlaces; ++i) {
        const double x = 37.0 * i, y = 11.0 * i * i, turn = 2.4 * i;
        mean += ground.height(x, y) * ground.height(x + d * std::cos(turn), y + d * std::sin(turn));
      }
    }
    mean /= kSeeds * kPlaces;
    // 6000 samples, √2 rms² each at most, nearly independent: 2 %; twice that
    EXPECT_NEAR(mean, covariance(d), 0.04 * kGround.rms * kGround.rms) << "at " << d << " m";
  }
}

TEST(RandomRelief, IsTheSameForTheSameSeed) {
  RandomRelief::Spectrum other = kGround;
  other.seed = 4;
  const MatrixX heights = RandomRelief(kGround).heights(5, 7, 0.3, -1.0, 2.0);
  EXPECT_EQ((heights - RandomRelief(kGround).heights(5, 7, 0.3, -1.0, 2.0)).norm(), 0.0);
  EXPECT_GT((heights - RandomRelief(other).heights(5, 7, 0.3, -1.0, 2.0)).norm(), 0.01);
  // the rows of the grid are those of the function, to rounding
  EXPECT_NEAR(heights(3, 6), RandomRelief(kGround).height(-1.0 + 6 * 0.3, 2.0 + 3 * 0.3), 1e-14);
}

TEST(RandomRelief, MisuseIsRefused) {
  const auto refused = [](double rms, double shortest, double longest, double hurst) {
    return message_of<DomainError>([&] { RandomRelief({rms, shortest, longest, hurst, 0}); });
  };
  EXPECT_EQ(refused(-0.1, 1.0, 2.0, 0.5), "the rms of a relief must not be negative");
  EXPECT_EQ(refused(0.1, 2.0, 1.0, 0.5),
            "the shortest wavelength must be positive and less than the longest");
  EXPECT_EQ(refused(0.1, 0.0, 1.0, 0.5),
            "the shortest wavelength must be positive and less than the longest");
  EXPECT_EQ(refused(0.1, 1.0, 2.0, 0.0), "Hurst's exponent must be above 0 and at most 1");
  EXPECT_EQ(refused(0.1, 1.0, 2.0, 1.1), "Hurst's exponent must be above 0 and at most 1");
}

}  // namespace
}  // namespace spacedyn::testing::random_relief_test
