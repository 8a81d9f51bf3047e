// Stops, brakes and locks of scenario files.
#include <cmath>

#include <gtest/gtest.h>

#include "loading/temporary_folder.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/bushing.hpp"
#include "spacedyn/forces/joint_brake.hpp"
#include "spacedyn/forces/joint_stop.hpp"
#include "spacedyn/forces/spring_damper.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::joint_limits_file_test {
namespace {

const char* kRobot = R"(spacedyn: 1
model:
  name: robot
  base: {name: body, mass: 10, inertia: [5, 5, 5]}
  links:
    - {name: arm, parent: body, joint: {name: shoulder, type: revolute},
       mass: 2, inertia: [1, 1, 1]}
    - {name: slider, parent: arm, joint: {name: rail, type: prismatic, axis: [1, 0, 0],
       position_limits: [-1, 1]}, mass: 1, inertia: [1, 1, 1]}
    - {name: hand, parent: slider, joint: {name: wrist, type: revolute}, mass: 1, inertia: [1, 1, 1]}
)";

class JointLimitsInAFile : public ::testing::Test {
 protected:
  JointLimitsInAFile() { folder_.write("robot.yaml", kRobot); }

  /// A scenario of the robot with some further lines.
  Scenario load_lines(const std::string& lines) const {
    return load_scenario(folder_.write(
        "scenario.yaml",
        "spacedyn: 1\nscenario:\n  name: a\n  model: robot.yaml\n  duration: 10\n" + lines));
  }

  testing::TemporaryFolder folder_;
};

TEST_F(JointLimitsInAFile, ReadsStopsAndBrakes) {
  const Scenario scenario = load_lines(R"(
  forces:
    - {type: joint_stop, name: end, joint: shoulder, limits: [-90 deg, 90 deg],
       stiffness: 300 N*m/rad, damping: 5}
    - {type: brake, joint: rail, torque: 20, from: 2, until: 3}
  events:
    - {type: joint_limit, name: bump, joint: wrist, limits: [-1, .inf], restitution: 0.5}
    - {type: joint_position, name: from below, joint: wrist, position: 2, direction: rising,
       actions: [{type: bounce, joint: wrist, restitution: 0.2}]}
    - {type: joint_position, name: both sides, joint: wrist, position: 3,
       actions: [{type: bounce, joint: wrist, restitution: 0.2}]}
    - {type: joint_position, name: of another, joint: wrist, position: 3, direction: rising,
       actions: [{type: bounce, joint: rail, restitution: 0.2}]}
)");
  ASSERT_EQ(scenario.setup.forces.size(), 2U);
  const auto& stop = dynamic_cast<const JointStop&>(*scenario.setup.forces[0]).settings();
  EXPECT_EQ(stop.joint, 1);
  EXPECT_DOUBLE_EQ(stop.upper, 0.5 * M_PI);
  EXPECT_EQ(stop.stiffness, 300.0);
  EXPECT_EQ(stop.damping, 5.0);
  const auto& brake = dynamic_cast<const JointBrake&>(*scenario.setup.forces[1]).settings();
  EXPECT_EQ(brake.joint, 2);
  EXPECT_EQ(brake.torque, 20.0);
  EXPECT_EQ(brake.from, 2.0);
  EXPECT_EQ(brake.until, 3.0);
  std::vector<std::string> names;
  const std::vector<Event> events = all_events(scenario.setup);
  for (const Event& event : events) names.push_back(event.name);
  EXPECT_EQ(names, (std::vector<std::string>{"end lower", "end upper", "bump lower", "from below",
                                             "both sides", "of another"}));
  for (std::size_t i = 2; i < names.size(); ++i) {
    const auto& bounce = std::get<BounceAction>(events[i].actions[0]);
    EXPECT_EQ(bounce.rests, i < 4) << names[i];
  }
  EXPECT_EQ(std::get<BounceAction>(events[2].actions[0]).restitution, 0.5);
  EXPECT_EQ(events[2].direction, CrossingDirection::falling);
}

TEST_F(JointLimitsInAFile, RefusesStopsWithoutLimits) {
  try {
    load_lines("  forces:\n    - {type: joint_stop, joint: wrist, stiffness: 3}\n");
    FAIL();
  } catch (const ParseError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr(
                                  "scenario.forces.0.limits: expected 'limits', for joint 'wrist' "
                                  "has no position_limits of its own"));
  }
}

TEST_F(JointLimitsInAFile, ReadsLockedJoints) {
  const Scenario scenario = load_lines(R"(
  initial: {joints: {wrist: {position: 0.3}, shoulder: {velocity: 0}}}
  locked: [wrist, shoulder]
)");
  EXPECT_EQ(scenario.setup.locked_joints, (std::vector<int>{3, 1}));
  EXPECT_EQ(start_mobility(scenario.setup).prescribed(), (std::vector<int>{6, 8}));
}

TEST_F(JointLimitsInAFile, WarnsOfPositionLimitsUnlessItIsToldNotTo) {
  EXPECT_TRUE(load_lines("").setup.warn_at_position_limits);
  EXPECT_TRUE(load_lines("  position_limits: {action: warn}\n").setup.warn_at_position_limits);
  EXPECT_FALSE(load_lines("  position_limits: {action: ignore}\n").setup.warn_at_position_limits);
}

TEST_F(JointLimitsInAFile, PutsStopsAtAllPositionLimits) {
  const Scenario compliant =
      load_lines("  position_limits: {action: stop, stiffness: 500 N/m, damping: 3}\n");
  ASSERT_EQ(compliant.setup.forces.size(), 1u);
  const auto& stop = dynamic_cast<const JointStop&>(*compliant.setup.forces[0]).settings();
  EXPECT_EQ(compliant.setup.forces[0]->name(), "rail limit");
  EXPECT_EQ(stop.joint, 2);
  EXPECT_EQ(stop.lower, -1.0);
  EXPECT_EQ(stop.upper, 1.0);
  EXPECT_EQ(stop.stiffness, 500.0);
  EXPECT_EQ(stop.damping, 3.0);
  EXPECT_EQ(all_events(compliant.setup).size(), 2u);

  const Scenario rigid = load_lines("  position_limits: {action: stop, restitution: 0.2}\n");
  EXPECT_TRUE(rigid.setup.forces.empty());
  ASSERT_EQ(rigid.setup.events.size(), 2u);
  EXPECT_EQ(rigid.setup.events[0].name, "rail limit lower");
  EXPECT_EQ(rigid.setup.events[1].name, "rail limit upper");
  const auto& bounce = std::get<BounceAction>(rigid.setup.events[1].actions.at(0));
  EXPECT_EQ(bounce.restitution, 0.2);
  EXPECT_TRUE(bounce.rests);

  // a stop of its own is enough
  const Scenario own = load_lines(
      "  position_limits: {action: stop, restitution: 0.2}\n"
      "  forces: [{type: joint_stop, joint: rail, stiffness: 7}]\n");
  EXPECT_EQ(own.setup.forces.size(), 1u);
  EXPECT_EQ(all_events(own.setup).size(), 2u);
}

TEST_F(JointLimitsInAFile, RefusesStopsAroundAStartOutside) {
  try {
    load_lines(
        "  initial: {joints: {rail: {position: 2}}}\n"
        "  position_limits: {action: stop, restitution: 0}\n");
    FAIL() << "accepted";
  } catch (const ParseError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("expected a start within all position limits, got "
                        "joint 'rail' at 2 m outside [-1, 1] m"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(JointLimitsInAFile, ReadsForcesBetweenFrames) {
  const Scenario scenario = load_lines(R"(  initial: {joints: {rail: {position: 0.4}}}
  forces:
    - {type: bushing, name: cut, from: body, to: hand, stiffness: [1 N/m, 2, 3, 4 N*m/rad, 5, 6], damping: [6, 5, 4, 3, 2, 1]}
    - {type: spring_damper, from: body, to: slider.com, stiffness: 30, damping: 2, rest_length: 10 cm}
    - {type: spring_damper, from: body, to: slider, stiffness: 30}
)");
  const auto& cut = dynamic_cast<const Bushing&>(*scenario.setup.forces[0]).settings();
  EXPECT_EQ(cut.from.body, 0);
  EXPECT_EQ(cut.to.body, 3);
  EXPECT_EQ(cut.stiffness, (Vector6() << 1, 2, 3, 4, 5, 6).finished());
  EXPECT_EQ(cut.damping, (Vector6() << 6, 5, 4, 3, 2, 1).finished());
  const auto& line = dynamic_cast<const SpringDamper&>(*scenario.setup.forces[1]).settings();
  EXPECT_EQ(line.stiffness, 30.0);
  EXPECT_EQ(line.damping, 2.0);
  EXPECT_EQ(line.rest_length, 0.1);
  // without a length it is at rest where it starts
  const auto& slack = dynamic_cast<const SpringDamper&>(*scenario.setup.forces[2]).settings();
  EXPECT_NEAR(slack.rest_length, 0.4, 1e-15);
}

}  // namespace
}  // namespace spacedyn::joint_limits_file_test
