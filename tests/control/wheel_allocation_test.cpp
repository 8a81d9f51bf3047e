// The null space of four wheels: their speeds there follow a gain, the body feels nothing of it.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/control/wheel_allocation.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::wheel_allocation_test {
namespace {

constexpr double kInertia = 0.05;

/// A pyramid, whose null space is along (1, −1, 1, −1).
Scenario flight(const std::string& null_space, const std::string& speeds, const std::string& goal) {
  std::string start;
  for (int i = 0; i < 4; ++i) {
    start +=
        "w" + std::to_string(i + 1) + ": {velocity: " + (i % 2 == 0 ? "" : "-") + speeds + "}, ";
  }
  Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: share\n  duration: 100\n  initial: {joints: {" + start +
          "}}\n  control: [{type: attitude, actuators: [w1, w2, w3, w4], stiffness: 2, damping: 9, "
          "reference: {rpy: " +
          goal + "}" + null_space + "}]\n" +
          "  model:\n    name: craft\n    base: {name: bus, mass: 100, inertia: [18, 19, 20]}\n"
          "    reaction_wheels:\n"
          "      - {name: w1, body: bus, axis: [1, 0, 0.7], spin_inertia: 0.05}\n"
          "      - {name: w2, body: bus, axis: [0, 1, 0.7], spin_inertia: 0.05}\n"
          "      - {name: w3, body: bus, axis: [-1, 0, 0.7], spin_inertia: 0.05}\n"
          "      - {name: w4, body: bus, axis: [0, -1, 0.7], spin_inertia: 0.05}\n",
      "share.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  return scenario;
}

/// The speed that all wheels have with the signs of the null space.
double common_speed(const State& state) {
  return 0.25 * (state.qd(0) - state.qd(1) + state.qd(2) - state.qd(3));
}

TEST(WheelNullSpace, LetsCommonSpeedsDecayWithItsGain) {
  const Scenario scenario = flight(", null_space: {gain: 0.05}", "80", "[0, 0, 0]");
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 30.0);
  // relative to 80 rad/s and the integrator's 1e-12
  EXPECT_NEAR(common_speed(result.state), 80.0 * std::exp(-0.05 * 30.0), 1e-9);
  EXPECT_LE((result.state.A_0 - Matrix3::Identity()).norm(), 1e-13) << "the body should rest";
}

TEST(WheelNullSpace, KeepsWheelsOffZeroDuringASlew) {
  const std::string wanted = ", null_space: {gain: 0.2, speeds: [90, -90, 90, -90]}";
  const std::string goal = "[20 deg, -10 deg, 40 deg]";
  const Scenario with = flight(wanted, "90", goal), without = flight("", "0", goal);
  Trajectory shared, plain;
  Simulator(with.setup).run(with.initial, 40.0, 0.5, shared);
  Simulator(without.setup).run(without.initial, 40.0, 0.5, plain);
  double least = 1e9, largest = 0.0;
  for (std::size_t i = 0; i < shared.points.size(); ++i) {
    const State& state = shared.points[i].state;
    for (int k = 0; k < 4; ++k) {
      least = std::min(least, state.qd(k) * (k % 2 == 0 ? 1.0 : -1.0));
      largest = std::max(largest, std::abs(plain.points[i].state.qd(k)));
    }
    // momentum of the common speed is none of the body's: it turns alike
    EXPECT_LE((state.A_0 - plain.points[i].state.A_0).norm(), 1e-10);
    EXPECT_NEAR(common_speed(state), 90.0, 1e-8);
  }
  EXPECT_GT(least, 30.0);
  EXPECT_GT(largest, 20.0) << "the slew should need the wheels";
}

TEST(WheelNullSpace, RefusesWhatMakesNoSense) {
  const Scenario scenario = flight("", "0", "[0, 0, 0]");
  const Model& model = *scenario.setup.model;
  const auto refusal = [&](const std::vector<int>& wheels, double gain, const VectorX& speeds) {
    return message_of<Error>([&] { WheelAllocation("'hold': ", model, wheels, {gain, speeds}); });
  };
  EXPECT_EQ(refusal({1, 2, 3}, 0.1, {}), "'hold': its wheels have no null space");
  EXPECT_EQ(refusal({1, 2, 3, 4}, -0.1, {}),
            "'hold': the gain of the null space must be finite and positive");
  EXPECT_EQ(refusal({1, 2, 3, 4}, 0.1, VectorX::Zero(3)),
            "'hold': the speeds of the null space has 3 components, expected 4");
}

}  // namespace
}  // namespace spacedyn::testing::wheel_allocation_test
