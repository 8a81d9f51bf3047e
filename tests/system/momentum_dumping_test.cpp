// Thrusters that share a torque: wheels that run down, attitude on jets.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/control/momentum_dumping.hpp"
#include "spacedyn/control/thruster_allocation.hpp"
#include "spacedyn/control/wheel_allocation.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/message_of.hpp"
#include "support/property.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::momentum_dumping_test {
namespace {

/// Pairs of jets about all axes, arms of 1 m, 2 N each.
std::string craft_model() {
  std::string jets;
  const auto add = [&](const std::string& name, const std::string& at,
                       const std::string& direction) {
    jets += "      - {name: " + name + ", at: " + at + ", direction: " + direction +
            ", force: 2, specific_impulse: 200}\n";
  };
  const char* const directions[] = {"[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"};
  const char* const against[] = {"[-1, 0, 0]", "[0, -1, 0]", "[0, 0, -1]"};
  for (int axis = 0; axis < 3; ++axis) {
    // about axis: forces along the next one but one, at ± along the next
    const std::string plus = "p" + std::to_string(axis), minus = "m" + std::to_string(axis);
    const int along = (axis + 2) % 3;
    add(plus + "a", "plus_" + std::to_string((axis + 1) % 3), directions[along]);
    add(plus + "b", "minus_" + std::to_string((axis + 1) % 3), against[along]);
    add(minus + "a", "plus_" + std::to_string((axis + 1) % 3), against[along]);
    add(minus + "b", "minus_" + std::to_string((axis + 1) % 3), directions[along]);
  }
  return "  model:\n    name: craft\n    base: {name: bus, mass: 100, inertia: [18, 19, 20]}\n"
         "    reaction_wheels:\n"
         "      - {name: wx, body: bus, axis: [1, 0, 0], spin_inertia: 0.05}\n"
         "      - {name: wy, body: bus, axis: [0, 1, 0], spin_inertia: 0.05}\n"
         "      - {name: wz, body: bus, axis: [0, 0, 1], spin_inertia: 0.05}\n"
         "    frames:\n"
         "      - {name: plus_0, link: bus, xyz: [1, 0, 0]}\n"
         "      - {name: minus_0, link: bus, xyz: [-1, 0, 0]}\n"
         "      - {name: plus_1, link: bus, xyz: [0, 1, 0]}\n"
         "      - {name: minus_1, link: bus, xyz: [0, -1, 0]}\n"
         "      - {name: plus_2, link: bus, xyz: [0, 0, 1]}\n"
         "      - {name: minus_2, link: bus, xyz: [0, 0, -1]}\n"
         "    thrusters:\n" +
         jets;
}

const std::string kAll = "[p0a, p0b, m0a, m0b, p1a, p1b, m1a, m1b, p2a, p2b, m2a, m2b]";

Scenario flight(const std::string& rest) {
  Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: dump\n  duration: 200\n" + rest + craft_model(),
      "dump.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-9);
  return scenario;
}

TEST(MomentumDumping, LetsWheelsRunDownExponentially) {
  const Scenario scenario = flight(
      "  initial: {joints: {wx: {velocity: 30}, wy: {velocity: -20}, wz: {velocity: 10}}}\n"
      "  control:\n    - {type: attitude, actuators: [wx, wy, wz], stiffness: 200, damping: "
      "200}\n    - {type: momentum_dumping, wheels: [wx, wy, wz], thrusters: " +
      kAll + ", gain: 0.02}\n");
  const double time = 60.0;
  const SimulationResult end = simulate(scenario.setup, scenario.initial, time);
  const double left = std::exp(-0.02 * time);
  // the attitude lags behind by its stiffness
  EXPECT_NEAR(end.state.qd(0) / (30.0 * left), 1.0, 0.01);
  EXPECT_NEAR(end.state.qd(1) / (-20.0 * left), 1.0, 0.01);
  EXPECT_NEAR(end.state.qd(2) / (10.0 * left), 1.0, 0.01);
  EXPECT_LE(end.audit.momentum_drift(), 1e-8);
  EXPECT_LE(end.audit.energy_residual(), 1e-8);
  // pairs push the centroid nowhere
  EXPECT_LE(end.state.v_0.norm(), 1e-7);
  // what torque needs: ∫ k h dt over an arm of 1 m, from exhaust at I_sp g_0
  const double impulse = 0.05 * (30.0 + 20.0 + 10.0) * (1.0 - left);
  EXPECT_NEAR(end.state.z.sum() / (impulse / (200.0 * kStandardGravity)), 1.0, 0.01);
}

TEST(ThrusterAttitude, TurnsTheBodyAsWheelsDo) {
  const std::string gains = ", stiffness: 2, damping: 9, reference: {rpy: [0.02, -0.03, 0.04]}";
  const Scenario jets = flight("  control: [{type: attitude, actuators: " + kAll + gains + "}]\n");
  const Scenario wheels =
      flight("  control: [{type: attitude, actuators: [wx, wy, wz]" + gains + "}]\n");
  const State a = simulate(jets.setup, jets.initial, 20.0).state;
  const State b = simulate(wheels.setup, wheels.initial, 20.0).state;
  EXPECT_LE((rpy_from_matrix(a.A_0) - rpy_from_matrix(b.A_0)).norm(), 2e-4);
  EXPECT_GT(rpy_from_matrix(a.A_0).norm(), 0.02);
}

TEST(ThrusterAttitude, RestsInsideOfItsDeadBand) {
  const Scenario scenario = flight(
      "  initial: {base: {rpy: [0.005, 0, 0]}}\n  control: [{type: attitude, actuators: " + kAll +
      ", stiffness: 2, damping: 9, dead_band: 0.01, reference: {rpy: [0, 0, 0]}}]\n");
  const State end = simulate(scenario.setup, scenario.initial, 50.0).state;
  EXPECT_NEAR(rpy_from_matrix(end.A_0).x(), 0.005, 1e-12);
  EXPECT_EQ(end.z.sum(), 0.0);
}

// a law and an allocation that no file combines
TEST(MomentumDumping, HandsMomentumOverToOtherWheels) {
  std::string wheels;
  for (const char* const name : {"wx", "wy", "wz", "vx", "vy", "vz"}) {
    const std::string axis = name[1] == 'x'   ? "[1, 0, 0]"
                             : name[1] == 'y' ? "[0, 1, 0]"
                                              : "[0, 0, 1]";
    wheels += std::string("      - {name: ") + name + ", body: bus, axis: " + axis +
              ", spin_inertia: 0.05}\n";
  }
  Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: hand\n  duration: 200\n"
      "  initial: {joints: {wx: {velocity: 30}, wy: {velocity: -20}}}\n"
      "  control: [{type: attitude, actuators: [wx, wy, wz], stiffness: 200, damping: 200}]\n"
      "  model:\n    name: craft\n    base: {name: bus, mass: 100, inertia: [18, 19, 20]}\n"
      "    reaction_wheels:\n" +
          wheels,
      "hand.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-9);
  const Model& model = *scenario.setup.model;
  scenario.setup.controllers.push_back(std::make_shared<MomentumDumping>(
      "hand", model, MomentumDumping::Settings{{1, 2, 3}, 0.02},
      std::make_shared<WheelAllocation>("", model, std::vector<int>{4, 5, 6})));
  const State end = simulate(scenario.setup, scenario.initial, 60.0).state;
  const double left = std::exp(-0.02 * 60.0);
  // the attitude lags behind by its stiffness
  EXPECT_NEAR(end.qd(0) / (30.0 * left), 1.0, 0.01);
  EXPECT_NEAR(end.qd(1) / (-20.0 * left), 1.0, 0.01);
  EXPECT_NEAR(end.qd(0) + end.qd(3), 30.0, 0.01);
  EXPECT_NEAR(end.qd(1) + end.qd(4), -20.0, 0.01);
}

TEST(MomentumDumping, RefusesJetsThatCannotTurnTheBody) {
  EXPECT_NE(message_of<ParseError>([] {
              flight(
                  "  control: [{type: momentum_dumping, wheels: [wx, wy, wz], thrusters: [p0a, "
                  "p0b, m0a, m0b], gain: 0.02}]\n");
            }).find("expected thrusters with torque in both directions about the y axis of 'bus'"),
            std::string::npos);
  EXPECT_NE(message_of<ParseError>([] {
              flight(
                  "  control: [{type: attitude, actuators: [p0a, p0b], stiffness: [1, 0, 0], "
                  "damping: [1, 0, 0]}]\n");
            }).find("expected thrusters with torque in both directions about the x axis of 'bus'"),
            std::string::npos);
}

TEST(MomentumDumping, RefusesJetsThatOpenInPulses) {
  const Scenario scenario = flight("");
  const Model& model = *scenario.setup.model;
  Thruster thruster;
  thruster.name = "t";
  thruster.drive.force = 1.0;
  EXPECT_NO_THROW(ThrusterAllocation("'c': ", model, {thruster}));
  const std::string expected =
      "'c': thruster 't' has a minimum on-time, a delay or a rise or fall time, but is opened "
      "continuously";
  thruster.drive.delay = 0.1;
  EXPECT_EQ(message_of<DomainError>([&] { ThrusterAllocation("'c': ", model, {thruster}); }),
            expected);
  thruster.drive.delay = 0.0;
  thruster.drive.minimum_on_time = 0.1;
  EXPECT_EQ(message_of<DomainError>([&] { ThrusterAllocation("'c': ", model, {thruster}); }),
            expected);
}

}  // namespace
}  // namespace spacedyn::testing::momentum_dumping_test
