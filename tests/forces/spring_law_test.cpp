// Springs that are no straight lines, against closed forms.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/spring_damper.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "support/recorders.hpp"
#include "support/slider.hpp"

namespace spacedyn::testing::spring_law_test {
namespace {

using ::testing::ThrowsMessage;

void expect_consistent(const SpringLaw& law, double from, double to) {
  constexpr double kStep = 1e-5;
  for (double s = from; s <= to; s += 0.0137 * (to - from)) {
    const double slope = (law.at(s + kStep).force - law.at(s - kStep).force) / (2.0 * kStep);
    const double force = (law.at(s + kStep).energy - law.at(s - kStep).energy) / (2.0 * kStep);
    const double scale = 1.0 + std::abs(law.at(s).stiffness);
    EXPECT_NEAR(law.at(s).stiffness, slope, 1e-3 * scale) << s;
    EXPECT_NEAR(law.at(s).force, force, 1e-7 * scale) << s;
  }
  EXPECT_NEAR(law.at(0.0).energy, 0.0, 1e-15);
}

TEST(SpringLaw, IsAPolynomial) {
  const SpringLaw law = SpringLaw::polynomial({3.0, -0.5, 2.0});
  const SpringLaw::Value at = law.at(-0.7);
  EXPECT_NEAR(at.force, 3.0 * -0.7 - 0.5 * 0.49 + 2.0 * -0.343, 1e-15);
  EXPECT_NEAR(at.stiffness, 3.0 + 0.7 + 6.0 * 0.49, 1e-14);
  EXPECT_NEAR(at.energy, 1.5 * 0.49 + 0.5 / 3.0 * 0.343 + 0.5 * 0.2401, 1e-15);
  expect_consistent(law, -2.0, 2.0);
}

TEST(SpringLaw, GoesThroughATableWithoutOvershoot) {
  const std::vector<double> stretches{-0.2, -0.1, 0.05, 0.1, 0.3},
      forces{-9.0, -1.0, 0.5, 0.5, 4.0};
  const SpringLaw law = SpringLaw::table(stretches, forces);
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    EXPECT_NEAR(law.at(stretches[i]).force, forces[i], 1e-14);
  }
  double before = law.at(-0.5).force;
  for (double s = -0.5; s < 0.6; s += 1e-3) {
    EXPECT_GE(law.at(s).force, before - 1e-14) << s;  // it rises as the points do
    before = law.at(s).force;
  }
  EXPECT_NEAR(law.at(0.07).force, 0.5, 1e-14);  // level where they are
  // straight on beyond the outermost points
  EXPECT_NEAR(law.at(0.5).force, 4.0 + 0.2 * law.at(0.3).stiffness, 1e-13);
  EXPECT_NEAR(law.at(-0.3).force, -9.0 - 0.1 * law.at(-0.2).stiffness, 1e-13);
  expect_consistent(law, -0.4, 0.5);
}

// q'' = −c q³ from rest at a has the period Γ(1/4)² / √(2π c) / a... by the quarter: of Duffing's
// oscillator without a linear part T = 7.416298709205487 / (a √c)
TEST(JointSpring, SwingsAsDuffingsOscillator) {
  constexpr double kMass = 2.0, kCubic = 5.0, kStart = 0.6;
  SimulationSetup setup = slider_setup("spring", kMass, 0.0);
  setup.forces = {std::make_shared<JointSpring>(
      "duffing", JointSpring::Settings{1, SpringLaw::polynomial({0.0, 0.0, kCubic}), 0.0, 0.1})};
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  State start(*setup.model);
  start.q(0) = 0.1 + kStart;
  const double period = 7.416298709205487 / (kStart * std::sqrt(kCubic / kMass));
  for (const double periods : {0.5, 1.0, 3.0}) {
    const SimulationResult end = simulate(setup, start, periods * period);
    EXPECT_NEAR(end.state.q(0) - 0.1, periods == 0.5 ? -kStart : kStart, 1e-9);
    EXPECT_NEAR(end.state.qd(0), 0.0, 1e-8);
    EXPECT_LE(end.audit.energy_residual(), 1e-10);
  }
}

TEST(SpringFile, ReadsLawsBetweenPointsAndAtJoints) {
  const Scenario scenario = parse_scenario(R"(
spacedyn: 1
scenario:
  name: springs
  model:
    name: slide
    base: {name: wall, fixed: true}
    links:
      - {name: sled, parent: wall, mass: 2, inertia: [1, 1, 1], joint: {name: rail, type: prismatic, axis: [1, 0, 0]}}
      - {name: arm, parent: sled, mass: 1, inertia: [1, 1, 1], joint: {name: hinge, type: revolute, axis: [0, 0, 1]}}
  duration: 1
  initial: {joints: {rail: {position: 0.5}}}
  forces:
    - {type: spring_damper, from: wall, to: sled, spring: {polynomial: [10, 0, 4]}, rest_length: 0.2, damping: 1}
    - {type: spring_damper, joint: hinge, spring: {stretch: [-20 deg, -5 deg, 5 deg, 20 deg], force: [-9, -1, 1, 9 N*m]}, rest_position: 10 deg}
    - {type: spring_damper, joint: rail, stiffness: 3 N/mm, rest_position: 0.5}
  integrator: {method: dop853, relative_tolerance: 1.0e-10, absolute_tolerance: 1.0e-10}
)",
                                           "springs.yaml");
  const auto& forces = scenario.setup.forces;
  ASSERT_EQ(forces.size(), 3U);
  const auto& line = dynamic_cast<const SpringDamper&>(*forces[0]).settings();
  EXPECT_NEAR(line.spring->at(0.3).force, 10.0 * 0.3 + 4.0 * 0.027, 1e-14);
  const auto& hinge = dynamic_cast<const JointSpring&>(*forces[1]).settings();
  constexpr double kDegree = 3.14159265358979323846 / 180.0;
  EXPECT_NEAR(hinge.rest_position, 10.0 * kDegree, 1e-15);
  EXPECT_NEAR(hinge.spring.at(5.0 * kDegree).force, 1.0, 1e-14);
  const auto& rail = dynamic_cast<const JointSpring&>(*forces[2]).settings();
  EXPECT_EQ(rail.spring.at(0.1).force, 300.0);
  const SimulationResult end = simulate(scenario.setup, scenario.initial, 1.0);
  EXPECT_LE(end.audit.energy_residual(), 1e-8);
}

TEST(SpringLaw, RefusesWhatIsNoLaw) {
  EXPECT_THAT(
      [] {
        SpringLaw::polynomial({0.0, 0.0});
      },
      ThrowsMessage<DomainError>("spring: one coefficient at least must not be zero"));
  EXPECT_THAT(([] {
                SpringLaw::table({0.0, 1.0, 1.0, 2.0}, {0.0, 1.0, 2.0, 3.0});
              }),
              ThrowsMessage<DomainError>("spring: stretches must ascend"));
  EXPECT_THAT(([] { SpringLaw::table({1.0}, {1.0}); }),
              ThrowsMessage<DomainError>("spring: a table has at least two points"));
  EXPECT_THAT(([] {
                SpringLaw::table({0.0, 1.0, 2.0, 3.0}, {0.0, 1.0});
              }),
              ThrowsMessage<DomainError>("spring: a table has one force for each stretch"));
}

}  // namespace
}  // namespace spacedyn::testing::spring_law_test
