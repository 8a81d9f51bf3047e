// Laws of one point of contact: the damping factor, energy by quadrature, friction, misuse.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/contact_law.hpp"
#include "support/contact_models.hpp"
#include "support/message_of.hpp"

namespace spacedyn::testing::contact_law_test {
namespace {

/// Restitution of a particle of mass 1 that strikes with a speed, in steps of RK4.
double achieved_restitution(const NormalContact& law, double speed) {
  const NormalContact::Settings& s = law.settings();
  const double n = s.exponent;
  const double deepest = std::pow(0.5 * (n + 1.0) * speed * speed / s.stiffness, 1.0 / (n + 1.0));
  const double h = 2e-4 * deepest / speed;
  double depth = 0.0, rate = speed;
  const auto acceleration = [&](double d, double r) {
    return d > 0.0 ? -law.force(d, r, speed) : 0.0;
  };
  for (long i = 0; i < 10000000 && depth >= 0.0; ++i) {
    const double a1 = acceleration(depth, rate), v2 = rate + 0.5 * h * a1;
    const double a2 = acceleration(depth + 0.5 * h * rate, v2), v3 = rate + 0.5 * h * a2;
    const double a3 = acceleration(depth + 0.5 * h * v2, v3), v4 = rate + h * a3;
    const double a4 = acceleration(depth + h * v3, v4);
    depth += h / 6.0 * (rate + 2.0 * v2 + 2.0 * v3 + v4);
    rate += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  return -rate / speed;
}

TEST(ContactLaw, HuntCrossleyHasTheRestitutionForEveryExponent) {
  for (const double e : {0.05, 0.1, 0.3, 0.5, 0.75, 0.9, 0.99, 1.0}) {
    for (const double n : {1.0, 1.25, 1.5, 2.0}) {
      for (const double speed : {0.02, 3.0}) {
        const NormalContact law(hunt_crossley(1e5, e, n));
        // what the steps are wrong by
        EXPECT_NEAR(achieved_restitution(law, speed), e, 2e-5) << e << ' ' << n << ' ' << speed;
      }
    }
  }
}

TEST(ContactLaw, TheDampingFactorSolvesItsEquation) {
  for (double e = 0.002; e < 0.9999; e += 0.0123) {
    const double beta = hunt_crossley_damping(e);
    const double left = (1.0 + e) * beta, right = std::log((1.0 + beta) / (1.0 - e * beta));
    if (e < 0.2) continue;  // 1 − e β is lost in roundings there
    EXPECT_NEAR(left, right, 1e-12 * (1.0 + left)) << e;
  }
  EXPECT_EQ(hunt_crossley_damping(1.0), 0.0);
  EXPECT_NEAR(hunt_crossley_damping(1.0 - 1e-5), 1.5e-5, 1e-9);
  EXPECT_EQ(hunt_crossley_damping(0.0), hunt_crossley_damping(1e-3));
  // both sides of where the series takes over
  EXPECT_NEAR(hunt_crossley_damping(1.0 - 1.01e-4) / hunt_crossley_damping(1.0 - 0.99e-4),
              1.01 / 0.99, 1e-4);
}

TEST(ContactLaw, ElasticEnergyIsTheIntegralOfTheForce) {
  for (const double n : {1.0, 1.3, 1.5, 2.0}) {
    const NormalContact law(hunt_crossley(3e4, 1.0, n));
    constexpr double kDepth = 0.02, kStep = 1e-7;
    const double slope = (law.energy(kDepth + kStep) - law.energy(kDepth - kStep)) / (2.0 * kStep);
    EXPECT_NEAR(slope, law.elastic(kDepth), 1e-6 * slope);
    EXPECT_NEAR(law.depth_of(law.elastic(kDepth)), kDepth, 1e-15);
    const double stiffness =
        (law.elastic(kDepth + kStep) - law.elastic(kDepth - kStep)) / (2.0 * kStep);
    EXPECT_NEAR(stiffness, law.slope(kDepth), 1e-6 * stiffness);
  }
}

TEST(ContactLaw, NeverPulls) {
  const NormalContact linear(linear_law(1e4, 100.0)), damped(hunt_crossley(1e4, 0.1));
  EXPECT_EQ(linear.force(0.001, -1.0, 0.0), 0.0);
  EXPECT_EQ(damped.force(0.001, -5.0, 1e-3), 0.0);
  EXPECT_EQ(linear.force(0.001, 0.1, 0.0), 20.0);
}

TEST(ContactLaw, CoulombIsFullFromTheSlipVelocityOnAndContinuousBelow) {
  const ContactFriction friction = coulomb(0.3, 1e-3);
  EXPECT_NEAR((friction.coulomb(10.0, {0.5, 0, 0}) - Vector3(-3, 0, 0)).norm(), 0.0, 1e-14);
  EXPECT_NEAR((friction.coulomb(10.0, {0, 1e-3, 0}) - Vector3(0, -3, 0)).norm(), 0.0, 1e-14);
  EXPECT_NEAR(friction.coulomb(10.0, {1e-3 * (1.0 - 1e-9), 0, 0}).x(), -3.0, 1e-8);
  EXPECT_EQ(friction.coulomb(10.0, Vector3::Zero()), Vector3::Zero());
  ContactFriction sticky = friction;
  sticky.static_coefficient = 0.5;
  EXPECT_NEAR(sticky.coefficient_at(0.0), 0.5, 1e-15);
  EXPECT_NEAR(sticky.coefficient_at(1.0), 0.3, 1e-15);
}

TEST(ContactLaw, RollingAndSpinningFrictionActAgainstTheirParts) {
  ContactFriction friction;
  friction.rolling = 0.01;
  friction.spinning = 0.02;
  const Vector3 moment = friction.moment(100.0, Vector3::UnitZ(), {3.0, 4.0, -2.0});
  EXPECT_NEAR((moment - Vector3(-0.6, -0.8, 2.0)).norm(), 0.0, 1e-14);
}

TEST(ContactLaw, RefusesNumbersWithoutMeaning) {
  const auto normal = [](const NormalContact::Settings& settings) {
    return message_of<DomainError>([&] { NormalContact{settings}; });
  };
  EXPECT_EQ(normal(linear_law(0.0, 0.0)), "the stiffness of a contact must be positive");
  EXPECT_EQ(normal(linear_law(1.0, -1.0)), "the damping of a contact must not be negative");
  EXPECT_EQ(normal(hunt_crossley(1.0, 1.1)), "a restitution must lie between 0 and 1");
  EXPECT_EQ(normal(hunt_crossley(1.0, -0.1)), "a restitution must lie between 0 and 1");
  EXPECT_EQ(normal(hunt_crossley(1.0, 0.5, 0.5)),
            "the exponent of a contact must lie between 1 and 10");
  NormalContact::Settings slow = hunt_crossley(1.0, 0.5);
  slow.least_impact_speed = 0.0;
  EXPECT_EQ(normal(slow), "the least impact speed must be positive");
  const auto friction = [](auto spoil) {
    ContactFriction settings = bristle(0.3, 1e4, 10.0);
    spoil(settings);
    return message_of<DomainError>([&] { settings.check(); });
  };
  EXPECT_EQ(friction([](auto& f) { f.coefficient = -0.1; }),
            "a friction coefficient must not be negative");
  EXPECT_EQ(friction([](auto& f) { f.static_coefficient = 0.1; }),
            "a static friction coefficient must be at least that of sliding");
  EXPECT_EQ(friction([](auto& f) { f.slip_velocity = 0.0; }),
            "the slip velocity, the Stribeck velocity and the slip rate of friction must be "
            "positive");
  EXPECT_EQ(friction([](auto& f) { f.rolling = -1.0; }),
            "rolling and spinning friction must not be negative");
  EXPECT_EQ(friction([](auto& f) { f.damping = 0.0; }),
            "the stiffness and the damping of a bristle must be positive");
}

}  // namespace
}  // namespace spacedyn::testing::contact_law_test
