// An approach whose speed falls with the distance to go.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/control/harmonic_reference.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::glideslope_test {
namespace {

TEST(Glideslope, SpeedFallsWithTheDistanceToGo) {
  const Vector3 from(60.0, 10.0, -5.0), to(5.0, 2.0, 1.0);
  const double all = (from - to).norm();
  for (const double last : {0.02, 0.2, 0.4}) {
    const GlideslopeReference slope(from, to, 10.0, 0.2, last);
    const double end = 10.0 + slope.duration();
    for (double time = 10.0; time < end; time += 7.0) {
      Vector3 place, velocity, acceleration;
      const double h = 1e-3;
      for (int i = 0; i < 3; ++i) {
        const ReferenceValue value = slope.evaluate(i, time);
        place(i) = value.position;
        velocity(i) = value.velocity;
        acceleration(i) = value.acceleration;
        if (time < 10.0 + h || time + h >= end) continue;
        const double before = slope.evaluate(i, time - h).position;
        const double after = slope.evaluate(i, time + h).position;
        // central differences of 50 m: roundings of 1e-11/h, of 1e-8 with the second one
        EXPECT_NEAR((after - before) / (2.0 * h), value.velocity, 1e-10);
        EXPECT_NEAR((after - 2.0 * value.position + before) / (h * h), value.acceleration, 1e-7);
      }
      const double left = (to - place).norm();
      EXPECT_NEAR(velocity.norm(), last + (0.2 - last) * left / all, 1e-13);
      EXPECT_NEAR((to - place).cross(velocity).norm(), 0.0, 1e-11);
    }
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(slope.evaluate(i, 9.9).position, from(i));
      EXPECT_NEAR(slope.evaluate(i, end - 1e-9).position, to(i), 1e-8);
      EXPECT_NEAR(slope.evaluate(i, end).position, to(i), 1e-13);
    }
  }
}

TEST(Glideslope, IsFlownDownAnRBar) {
  Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: rbar\n  duration: 2000\n  base:\n    mode: flying\n"
      "    motion: {position: {type: glideslope, to: [5, 0, 0], speed: 0.2, final_speed: 0.02}}\n"
      "    position: {stiffness: 200, damping: 400}\n"
      "  initial: {base: {position: [60, 0, 0], velocity: [-0.2, 0, 0]}}\n"
      "  environment: {orbit: {altitude: 550 km}}\n"
      "  model: {name: craft, base: {name: bus, mass: 100, inertia: [20, 20, 20]}}\n",
      "rbar.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-10);
  for (const double time : {100.0, 300.0, 600.0}) {
    const State state = simulate(scenario.setup, scenario.initial, time).state;
    // Hill's forces and the braking, 0.03 N, over the stiffness of 200 N/m
    EXPECT_NEAR(-state.v_0.x(), 0.02 + 0.18 * (state.r_0.x() - 5.0) / 55.0, 2e-5);
    EXPECT_NEAR(state.r_0.y(), 0.0, 1e-3);
  }
}

TEST(Glideslope, RefusesSpeedsThatArriveNever) {
  const VectorX from = VectorX::Zero(1), to = VectorX::Ones(1);
  EXPECT_THROW(GlideslopeReference(from, to, 0.0, 0.1, 0.0), DomainError);
  EXPECT_THROW(GlideslopeReference(from, to, 0.0, -0.1, 0.1), DomainError);
  EXPECT_THROW(GlideslopeReference(from, VectorX::Ones(2), 0.0, 0.1, 0.1), DimensionError);
  EXPECT_EQ(GlideslopeReference(from, from, 0.0, 0.1, 0.1).duration(), 0.0);
}

}  // namespace
}  // namespace spacedyn::testing::glideslope_test
