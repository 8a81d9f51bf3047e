// The numbers of a scenario that sliders may change.
#include <gmock/gmock.h>

#include "loading/temporary_folder.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::settings_test {
namespace {

using testing::TemporaryFolder;

std::vector<std::string> texts_of(const std::string& scenario) {
  const TemporaryFolder folder;
  std::vector<std::string> texts;
  for (const NumericSetting& one : numeric_settings(folder.write("scenario.yaml", scenario))) {
    texts.push_back(one.key + " = " + std::to_string(one.value) + ' ' + one.unit);
  }
  return texts;
}

TEST(NumericSettings, ListsTheNumbersOfAScenarioInOrderWithTheirUnits) {
  EXPECT_THAT(texts_of(R"(spacedyn: 1
scenario:
  name: "7"
  model: robot.yaml
  duration: 6.0e+1
  initial: {joints: {elbow: {position: -30 deg}}}
  control:
    - {type: joint_pd, joints: [elbow], stiffness: [600, 0x10], limit: .inf, note: 3 apples}
)"),
              ::testing::ElementsAre("duration = 60.000000 ",
                                     "initial.joints.elbow.position = -30.000000 deg",
                                     "control.0.stiffness.0 = 600.000000 "));
}

constexpr const char* kRobot = R"(spacedyn: 1
model:
  name: robot
  base: {name: base, mass: 100, inertia: [10, 10, 10]}
  links:
    - name: arm
      parent: base
      joint: {name: elbow, type: revolute, axis: [0, 0, 1]}
      mass: 2
      inertia: [1, 1, 1]
    - name: rod
      parent: arm
      joint: {name: slide, type: prismatic, axis: [1, 0, 0]}
      mass: 2
      inertia: [1, 1, 1]
  frames:
    - {name: tip, link: rod, xyz: [1, 0, 0]}
)";

/// Element, part, name and unit of each number.
std::vector<std::string> labels_of(const std::string& scenario) {
  const TemporaryFolder folder;
  folder.write("robot.yaml", kRobot);
  std::vector<std::string> texts;
  for (const NumericSetting& one : numeric_settings(folder.write("scenario.yaml", scenario))) {
    texts.push_back(one.element + " | " + one.part + " | " + one.name + " | " +
                    (one.unit.empty() ? one.plain_unit : one.unit));
  }
  return texts;
}

TEST(NumericSettings, AreNamedByElementJointKeyAndUnit) {
  EXPECT_THAT(labels_of(R"(spacedyn: 1
scenario:
  name: labels
  model: robot.yaml
  duration: 60
  environment: {gravity: [0, -9.81, 0]}
  initial:
    base: {velocity: [1, 2, 3]}
    joints: {slide: {position: 1 cm}}
  forces:
    - {type: joint_torque, joint: slide, torque: 3, until: 2 s}
    - {type: wrench, name: push, at: tip, force: [5, 0, 0], until: 1}
  control:
    - type: joint_pd
      name: hold
      joints: [slide, elbow]
      stiffness: [10, 20]
      damping: [1, 2]
      reference: {type: trapezoid, to: [0.5, 30 deg], velocity: [1, 2], acceleration: [3, 4]}
  events:
    - {type: time, time: 2, actions: [{type: impulse, at: tip, linear: [0, 0, 7]}]}
  integrator: {method: dop853, relative_tolerance: 1.0e-9}
)"),
              ::testing::ElementsAreArray({" |  | duration | s",
                                           " | x | gravity | m/s²",
                                           " | y | gravity | m/s²",
                                           " | z | gravity | m/s²",
                                           " | x | base velocity | m/s",
                                           " | y | base velocity | m/s",
                                           " | z | base velocity | m/s",
                                           " | slide | position | cm",
                                           "joint_torque 1 | slide | torque | N",
                                           "joint_torque 1 | slide | until | s",
                                           "push | x | force | N",
                                           "push | y | force | N",
                                           "push | z | force | N",
                                           "push |  | until | s",
                                           "hold | slide | stiffness | N/m",
                                           "hold | elbow | stiffness | N*m/rad",
                                           "hold | slide | damping | N*s/m",
                                           "hold | elbow | damping | N*m*s/rad",
                                           "hold | slide | reference to | m",
                                           "hold | elbow | reference to | deg",
                                           "hold | slide | reference velocity | m/s",
                                           "hold | elbow | reference velocity | rad/s",
                                           "hold | slide | reference acceleration | m/s²",
                                           "hold | elbow | reference acceleration | rad/s²",
                                           "time 1 |  | time | s",
                                           "time 1 | x | actions linear | N s",
                                           "time 1 | y | actions linear | N s",
                                           "time 1 | z | actions linear | N s",
                                           " |  | relative_tolerance | "}));
}

TEST(NumericSettings, AreNamedWithoutUnitsWhereTheScenarioIsWrong) {
  EXPECT_THAT(labels_of(R"(spacedyn: 1
scenario:
  name: wrong
  model: robot.yaml
  duration: -3
  control:
    - {type: joint_pd, name: hold, joints: [elbow], stiffness: [20], damping: [none]}
)"),
              ::testing::ElementsAre(" |  | duration | ", "hold | elbow | stiffness | "));
}

TEST(NumericSettings, FindsNoneInAModelFile) {
  EXPECT_THAT(texts_of("spacedyn: 1\nmodel: {name: a, base: {name: b, mass: 3}}\n"),
              ::testing::IsEmpty());
  EXPECT_THAT(texts_of("[1, 2"), ::testing::IsEmpty());
}

TEST(NumericSettings, RefusesAFileThatIsNotThere) {
  EXPECT_THROW(numeric_settings("no/such.yaml"), IoError);
}

}  // namespace
}  // namespace spacedyn::settings_test
