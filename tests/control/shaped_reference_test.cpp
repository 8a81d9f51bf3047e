// Oscillating and shaped references against closed forms: start values, impulses, and the vibration
// that an oscillator is left with, by quadrature of its own solution.
#include "spacedyn/control/shaped_reference.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>

#include <gtest/gtest.h>

#include "spacedyn/control/harmonic_reference.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "support/message_of.hpp"

namespace spacedyn::testing::shaped_reference_test {
namespace {

VectorX vector(std::initializer_list<double> values) {
  return Eigen::Map<const VectorX>(values.begin(), static_cast<Eigen::Index>(values.size()));
}

std::vector<double> discontinuities(const Reference& reference) {
  std::vector<double> times;
  reference.append_discontinuities(times);
  std::sort(times.begin(), times.end());
  return times;
}

TEST(HarmonicReference, IsTheSineWithItsDerivatives) {
  const HarmonicReference swing(
      {vector({0.2, -1.0}), vector({0.5, 2.0}), vector({0.3, 0.0}), vector({1.0, 0.5})}, 3.0);
  for (const double t : {3.0, 3.4, 11.7}) {
    const double angle = 2.0 * kPi * 0.5 * (t - 3.0) + 0.3;
    const ReferenceValue value = swing.evaluate(0, t);
    EXPECT_NEAR(value.position, 1.0 + 0.2 * std::sin(angle), 1e-15);
    EXPECT_NEAR(value.velocity, 0.2 * kPi * std::cos(angle), 1e-14);
    EXPECT_NEAR(value.acceleration, -0.2 * kPi * kPi * std::sin(angle), 1e-14);
  }
  EXPECT_NEAR(swing.evaluate(1, 3.125).position, 0.5 - 1.0, 1e-14);  // a quarter of its period
}

TEST(HarmonicReference, RestsAtItsFirstValueBefore) {
  const HarmonicReference swing({vector({0.2}), vector({0.5}), vector({0.3}), vector({1.0})}, 3.0);
  const ReferenceValue before = swing.evaluate(0, 2.999);
  EXPECT_EQ(before.position, 1.0 + 0.2 * std::sin(0.3));
  EXPECT_EQ(before.velocity, 0.0);
  EXPECT_EQ(before.acceleration, 0.0);
  EXPECT_EQ(swing.evaluate(0, 3.0).position, before.position);
  EXPECT_EQ(discontinuities(swing), std::vector<double>{3.0});
  EXPECT_TRUE(swing.starts_with_a_jump());
  const HarmonicReference smooth(
      {vector({0.2, 0.0}), vector({0.5, 1.0}), vector({kPi / 2.0, 0.0}), vector({1.0, 0.0})}, 3.0);
  EXPECT_FALSE(smooth.starts_with_a_jump());
}

TEST(HarmonicReference, RefusesWhatHasNoMeaning) {
  const VectorX one = vector({1.0});
  EXPECT_EQ(message_of<DomainError>([&] {
              HarmonicReference({one, -one, one, one}, 0.0);
            }),
            "frequency 1 must be positive and finite");
  EXPECT_THROW(HarmonicReference({one, one, one, vector({1.0, 2.0})}, 0.0), DimensionError);
  EXPECT_THROW(HarmonicReference({one, one, one, one}, NAN), DomainError);
}

TEST(ShaperImpulses, AreTheClosedForms) {
  const double zeta = 0.1, root = std::sqrt(1.0 - zeta * zeta);
  const double K = std::exp(-kPi * zeta / root), T = 1.0 / (0.25 * root);
  const auto zv = shaper_impulses(Shaper::zv, {0.25, zeta});
  ASSERT_EQ(zv.size(), 2u);
  EXPECT_NEAR(zv[0].share, 1.0 / (1.0 + K), 1e-15);
  EXPECT_NEAR(zv[1].delay, 0.5 * T, 1e-14);
  const auto zvd = shaper_impulses(Shaper::zvd, {0.25, zeta});
  ASSERT_EQ(zvd.size(), 3u);
  EXPECT_NEAR(zvd[1].share, 2.0 * K / (1.0 + 2.0 * K + K * K), 1e-15);
  EXPECT_NEAR(zvd[2].delay, T, 1e-14);
  const auto ei = shaper_impulses(Shaper::ei, {0.25, 0.0, 0.1});
  ASSERT_EQ(ei.size(), 3u);
  EXPECT_NEAR(ei[0].share, 1.1 / 4.0, 1e-15);
  EXPECT_NEAR(ei[1].share, 1.8 / 4.0, 1e-15);
  EXPECT_NEAR(ei[2].share, 1.1 / 4.0, 1e-15);
}

/// ẍ + 2ζω ẋ + ω² x = ω² r as the complex amplitude of ż = λ z + r, λ = −ζω + iω_d.
struct Oscillator {
  double omega, zeta;

  std::complex<double> lambda() const {
    return {-zeta * omega, omega * std::sqrt(1.0 - zeta * zeta)};
  }

  /// |z| beyond its rest at the end of a motion that starts from rest, in units of that of a step,
  /// decayed as far: Gauss's rule of three points on short pieces of each smooth part.
  double residual(const Reference& r, double end) const {
    std::vector<double> times = discontinuities(r);
    times.insert(times.begin(), 0.0);
    times.push_back(end);
    const double from = r.evaluate(0, 0.0).position, to = r.evaluate(0, end).position;
    std::complex<double> z = -from / lambda() * std::exp(lambda() * end);
    for (std::size_t k = 0; k + 1 < times.size(); ++k) {
      constexpr int kPieces = 2000;
      const double h = (times[k + 1] - times[k]) / kPieces;
      for (int piece = 0; piece < kPieces && h > 0.0; ++piece) {
        const double middle = times[k] + (piece + 0.5) * h;
        for (const auto& [node, weight] :
             {std::pair(-std::sqrt(0.6), 5.0 / 18.0), std::pair(0.0, 8.0 / 18.0),
              std::pair(std::sqrt(0.6), 5.0 / 18.0)}) {
          const double s = middle + 0.5 * node * h;
          z += weight * h * std::exp(lambda() * (end - s)) * r.evaluate(0, s).position;
        }
      }
    }
    return std::abs(z + to / lambda()) * std::abs(lambda()) / std::abs(to - from);
  }
};

std::shared_ptr<const Reference> short_slew() {
  // a fifth of the period: almost a step
  return std::make_shared<QuinticReference>(vector({0.5}), vector({2.0}), 1.0, 0.8);
}

TEST(ShapedReference, LeavesNoVibrationAtItsFrequency) {
  for (const double zeta : {0.0, 0.02, 0.3}) {
    const Oscillator oscillator{2.0 * kPi * 0.25, zeta};
    EXPECT_GT(oscillator.residual(*short_slew(), 12.0), zeta == 0.3 ? 1e-3 : 0.5);
    for (const Shaper shaper : {Shaper::zv, Shaper::zvd}) {
      const ShapedReference shaped(short_slew(), shaper, {{0.25, zeta}});
      EXPECT_LE(oscillator.residual(shaped, 12.0), 1e-9) << zeta;
    }
  }
}

TEST(ShapedReference, WithTwoMoreImpulsesForgivesAWrongFrequency) {
  const Oscillator off{2.0 * kPi * 0.25 * 1.03, 0.0};
  const double zv = off.residual(ShapedReference(short_slew(), Shaper::zv, {{0.25}}), 12.0);
  const double zvd = off.residual(ShapedReference(short_slew(), Shaper::zvd, {{0.25}}), 12.0);
  const double slew = off.residual(*short_slew(), 12.0);
  // |cos(π/2 · 1.03)| and its square
  EXPECT_NEAR(zv / slew, std::abs(std::cos(0.5 * kPi * 1.03)), 1e-9);
  EXPECT_NEAR(zvd / slew, std::pow(std::cos(0.5 * kPi * 1.03), 2), 1e-9);
}

TEST(ShapedReference, ExtraInsensitiveLeavesTheVibrationThatItStates) {
  const Oscillator oscillator{2.0 * kPi * 0.25, 0.0};
  const ShapedReference shaped(short_slew(), Shaper::ei, {{0.25, 0.0, 0.05}});
  EXPECT_NEAR(oscillator.residual(shaped, 12.0) / oscillator.residual(*short_slew(), 12.0), 0.05,
              1e-9);
}

TEST(ShapedReference, IsTheSumOfItsCopiesOnTheirSidesOfDiscontinuities) {
  const auto steps = std::make_shared<TableReference>(std::vector<double>{0.1, 0.3, 0.7},
                                                      (MatrixX(1, 3) << 1.0, 2.0, 1.0).finished(),
                                                      TableReference::Interpolation::linear);
  const ShapedMode mode{0.37, 0.013};
  const ShapedReference shaped(steps, Shaper::zvd, {mode});
  const auto impulses = shaper_impulses(Shaper::zvd, mode);
  const std::vector<double> breaks = discontinuities(shaped);
  ASSERT_EQ(breaks.size(), 9u);
  // slopes are constant between breaks: right at one as just beyond it, just before as long before
  for (const double at : breaks) {
    EXPECT_EQ(shaped.evaluate(0, at).velocity, shaped.evaluate(0, at + 1e-6).velocity);
    EXPECT_EQ(shaped.evaluate(0, std::nextafter(at, 0.0)).velocity,
              shaped.evaluate(0, at - 1e-6).velocity);
  }
  double sum = 0.0;
  for (const auto& [share, delay] : impulses) {
    sum += share * steps->evaluate(0, 0.9 - delay).position;
  }
  EXPECT_NEAR(shaped.evaluate(0, 0.9).position, sum, 1e-15);
  EXPECT_EQ(shaped.evaluate(0, 0.0).position, 1.0);
  EXPECT_EQ(shaped.evaluate(0, 99.0).position, 1.0);
}

TEST(ShapedReference, ShapesEachComponentForItsMode) {
  const auto slew =
      std::make_shared<QuinticReference>(vector({0.0, 0.0}), vector({1.0, 1.0}), 0.0, 1.0);
  const ShapedReference shaped(slew, Shaper::zv, {{0.25}, {0.5}});
  EXPECT_LT(shaped.evaluate(0, 2.5).position, 1.0);
  EXPECT_EQ(shaped.evaluate(1, 2.5).position, 1.0);
}

TEST(ShapedReference, RefusesWhatHasNoMeaning) {
  EXPECT_THROW(ShapedReference(nullptr, Shaper::zv, {{0.25}}), DomainError);
  EXPECT_EQ(message_of<DimensionError>([] {
              ShapedReference(short_slew(), Shaper::zv, {{0.25}, {0.5}});
            }),
            "modes has 2 components, expected 1");
  EXPECT_EQ(message_of<DomainError>([] { shaper_impulses(Shaper::zv, {0.0}); }),
            "frequency must be positive and finite");
  EXPECT_EQ(message_of<DomainError>([] {
              shaper_impulses(Shaper::zv, {1.0, 1.0});
            }),
            "damping_ratio must be at least 0 and below 1");
  EXPECT_THROW(shaper_impulses(Shaper::ei, {1.0, 0.0, 1.0}), DomainError);
}

}  // namespace
}  // namespace spacedyn::testing::shaped_reference_test
