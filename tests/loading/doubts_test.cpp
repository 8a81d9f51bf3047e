// What a file says that is most likely a slip is a warning.
#include <gtest/gtest.h>

#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::testing::doubts_test {
namespace {

/// The warnings about an arm of two joints with some lines in its scenario.
std::vector<Diagnostic> warnings_of(const std::string& lines) {
  return parse_scenario(R"(spacedyn: 1
scenario:
  name: doubt
  duration: 1
  model:
    name: arm
    base: {name: bus, mass: 10, inertia: [1, 1, 1]}
    links:
      - {name: upper, parent: bus, mass: 1, inertia: [1, 1, 1], joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}}
      - {name: lower, parent: upper, mass: 1, inertia: [1, 1, 1], joint: {name: elbow, type: revolute, axis: [0, 0, 1]}}
  integrator: {method: dop853}
)" + lines,
                        "doubt.yaml")
      .warnings;
}

TEST(Doubts, PlainAnglesBeyondATurnAreMostLikelyDegrees) {
  const auto found = warnings_of("  initial: {base: {rpy: [0, 0, 90]}}\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(to_string(found[0]),
            "doubt.yaml:12:32: warning: scenario.initial.base.rpy.2: expected an angle within one "
            "turn or with its unit, got '90', which is in rad");
  EXPECT_EQ(found[0].hint, "write '90 deg' or '90 rad'");
  EXPECT_TRUE(warnings_of("  initial: {base: {rpy: [0, 0, 90 deg]}}\n").empty());
  EXPECT_TRUE(warnings_of("  initial: {joints: {elbow: {position: 90 rad}}}\n").empty());
  EXPECT_TRUE(warnings_of("  initial: {joints: {elbow: {position: -6.28319}}}\n").empty());
}

TEST(Doubts, JointsThatNothingHoldsBesideControlledOnes) {
  const std::string control =
      "  control: [{type: joint_pd, joints: [shoulder], stiffness: 1, damping: 1, reference: "
      "{type: constant, position: 0}}]\n";
  const auto found = warnings_of(control);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message,
            "expected a drive, a spring or a lock for each joint beside those that are "
            "controlled: nothing holds 'elbow'");
  EXPECT_TRUE(warnings_of(control + "  locked: [elbow]\n").empty());
  EXPECT_TRUE(
      warnings_of(control + "  forces: [{type: joint_torque, joint: elbow, torque: 1}]\n").empty());
  // by default it drives both
  EXPECT_TRUE(
      warnings_of("  control: [{type: whole_body, rate_gain: 5, tasks: [{type: posture, "
                  "joints: [elbow], gain: 1, reference: {type: constant, position: 0}}]}]\n")
          .empty());
  EXPECT_TRUE(warnings_of("").empty());  // nothing is controlled: all swing as they are to
}

}  // namespace
}  // namespace spacedyn::testing::doubts_test
