// What force_torque sensors read among loops: that of the same robot without loops.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/diagnostics.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::loop_reading_test {
namespace {

class Readings final : public SimulationObserver {
 public:
  void on_output(const SimulationPoint& point) override {
    times.push_back(point.time);
    of.push_back(point.discrete.sensors.at(0).reading);
  }
  std::vector<double> times;
  std::vector<VectorX> of;
};

/// A base that tumbles with an arm of two links, the second of which has a drive.
/// @param second  how the second link hangs on the first
/// @param rate    of the first, rad/s
Readings fly(const std::string& second, const std::string& loops, const std::string& rate = "0.5") {
  const Scenario scenario =
      parse_scenario(R"(
spacedyn: 1
scenario:
  name: arm
  model:
    name: arm
    base: {name: base, mass: 20, inertia: [2, 3, 4]}
    links:
      - {name: upper, parent: base, mass: 2, center_of_mass: [0.3, 0.02, 0], inertia: [0.02, 0.1, 0.1], joint: {name: shoulder, type: revolute, axis: [0, 0, 1], origin: {xyz: [0.5, 0, 0]}}}
      - {name: lower, mass: 1.5, center_of_mass: [0.25, 0, 0.03], inertia: [0.01, 0.06, 0.05], )" +
                         second +
                         R"(}
    frames: [{name: tip, link: upper, xyz: [0.6, 0, 0]}, {name: hook, link: base, xyz: [1.6, 0, 0]}, {name: lower_end, link: lower, xyz: [0.5, 0, 0]}]
)" + loops + R"(
  initial: {base: {angular_velocity: [0.1, -0.2, 0.3]}, joints: {shoulder: {velocity: )" +
                         rate + R"(}})" + (loops.empty() ? "" : ", assemble: true") + R"(}
  forces:
    - {type: wrench, name: push, at: base, force: [3, -2, 1]}
    - {type: wrench, name: tug, at: lower.com, force: [0, 2, 1]}
  sensors: [{type: force_torque, name: wrist, joint: shoulder, sample_period: 0.05}]
  duration: 1
  integrator: {method: dop853, relative_tolerance: 1.0e-12, absolute_tolerance: 1.0e-12}
)",
                     "arm.yaml");
  Readings readings;
  Simulator(scenario.setup).run(scenario.initial, 1.0, 0.1, readings);
  return readings;
}

const char* const kTree =
    "parent: upper, joint: {name: elbow, type: revolute, axis: [0, 1, 0], origin: {xyz: [0.6, 0, "
    "0]}}";
const char* const kFree =
    "parent: base, joint: {name: elbow, type: free, origin: {xyz: [1.1, 0, 0]}}";

std::string loop(const std::string& type) {
  return "    loops: [{name: pin, type: " + type + ", from: tip, to: lower}]\n";
}

TEST(SensorAmongLoops, ForceTorqueIsThatOfTheSameTree) {
  const Readings tree = fly(kTree, "");
  const Readings looped = fly(kFree, loop("revolute, axis: [0, 1, 0]"));
  ASSERT_EQ(looped.of.size(), tree.of.size());
  for (std::size_t i = 0; i < tree.of.size(); ++i) {
    EXPECT_GT(tree.of[i].norm(), 0.5);
    // loops are kept closed to 1e-10
    EXPECT_LT((looped.of[i] - tree.of[i]).norm(), 1e-8) << i;
  }
}

TEST(SensorAmongLoops, ReactionsThatLoopsLeaveOpenAreRefused) {
  // two pins side by side load the first link together as one, a rod back to the base does not
  const std::string weld = "{name: pin, type: weld, from: tip, to: lower}, ";
  const std::string beside = "{name: again, type: spherical, from: tip, to: lower}";
  const std::string back = "{name: back, type: spherical, from: hook, to: lower_end}";
  const Readings one = fly(kFree, loop("weld"));
  const Readings two = fly(kFree, "    loops: [" + weld + beside + "]\n");
  EXPECT_LT((one.of.back() - two.of.back()).norm(), 1e-8);
  try {
    fly(kFree, "    loops: [" + weld + back + "]\n", "0");
    ADD_FAILURE() << "was read";
  } catch (const ParseError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("sensors.0.joint: expected a joint whose reaction is unique"),
              std::string::npos)
        << text;
  }
}

// fingers of 0.5 and 0.7 kg, the second of which moves against the first: both are accelerated by
// F/1.2 kg
TEST(SensorAmongLoops, ForceTorqueOfAJointThatFollowsIsItsOwn) {
  const Scenario scenario = parse_scenario(R"(
spacedyn: 1
scenario:
  name: gripper
  model:
    name: gripper
    base: {name: palm, fixed: true, mass: 1, inertia: [1, 1, 1]}
    links:
      - {name: left, parent: palm, mass: 0.5, inertia: [0.01, 0.01, 0.01], joint: {name: grip, type: prismatic, axis: [1, 0, 0]}}
      - {name: right, parent: palm, mass: 0.7, inertia: [0.01, 0.01, 0.01], joint: {name: follows, type: prismatic, axis: [1, 0, 0], mimic: {joint: grip, ratio: -1}}}
  forces: [{type: joint_torque, name: drive, joint: grip, torque: 2.4}]
  sensors:
    - {type: force_torque, name: one, joint: grip, sample_period: 0.1}
    - {type: force_torque, name: other, joint: follows, sample_period: 0.1}
  duration: 0.5
)",
                                           "gripper.yaml");
  SimulationSetup setup = scenario.setup;
  Readings readings;
  Simulator(setup).run(scenario.initial, 0.5, 0.1, readings);
  // 2 m/s² in the closed form; rounding of the sums of a few forces of 1 N
  EXPECT_NEAR(readings.of.back()(0), 1.0, 1e-12);
  std::swap(setup.sensors[0], setup.sensors[1]);
  Readings others;
  Simulator(setup).run(scenario.initial, 0.5, 0.1, others);
  EXPECT_NEAR(others.of.back()(0), -1.4, 1e-12);
}

}  // namespace
}  // namespace spacedyn::testing::loop_reading_test
