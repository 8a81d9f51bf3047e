// Model files made of other model files.
#include <gtest/gtest.h>

#include "loading/temporary_folder.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::include_test {
namespace {

using testing::TemporaryFolder;

const char* kArm = R"(spacedyn: 1
model:
  name: arm
  base: {name: root, fixed: true}
  links:
    - {name: boom, parent: root, joint: {type: revolute}, mass: 2, inertia: [1, 1, 1]}
    - {name: hand, parent: boom, joint: {name: wrist, type: revolute}, mass: 1, inertia: [1, 1, 1]}
  frames:
    - {name: tip, link: hand, xyz: [0, 0, 1]}
)";

const char* kTwoArms = R"(spacedyn: 1
model:
  name: robot
  base: {name: body, mass: 10, inertia: [5, 5, 5]}
  include:
    - {file: parts/arm.yaml, prefix: left_, parent: body, origin: {xyz: [0, 1, 0]}}
    - {file: parts/arm.yaml, prefix: right_, parent: left_hand, origin: {xyz: [0, 0, 3]}}
)";

TEST(Include, PlacesPartsUnderPrefixedNames) {
  const TemporaryFolder folder;
  folder.write("parts/arm.yaml", kArm);
  const auto model = load_model(folder.write("robot.yaml", kTwoArms)).model;
  EXPECT_EQ(model->joint_count(), 4);
  EXPECT_EQ(model->find_joint("left_boom"), 1);
  EXPECT_EQ(model->find_joint("left_wrist"), 2);
  EXPECT_EQ(model->topology().connection(), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(model->joint(1).origin, Vector3::UnitY());
  EXPECT_EQ(model->joint(3).origin, Vector3(0, 0, 3));
  EXPECT_EQ(model->frame("left_root").body, 0);
  EXPECT_EQ(model->frame("right_tip").body, 4);
  EXPECT_EQ(model->total_mass(), 16.0);
}

TEST(Include, NestsWithPrefixesOfPrefixes) {
  const TemporaryFolder folder;
  folder.write("parts/arm.yaml", kArm);
  folder.write("robot.yaml", kTwoArms);
  const auto model = load_model(folder.write("fleet.yaml", R"(spacedyn: 1
model:
  name: fleet
  base: {name: frame, mass: 1, inertia: [1, 1, 1]}
  include:
    - {file: robot.yaml, prefix: a_, parent: frame}
)"))
                         .model;
  EXPECT_TRUE(model->find_joint("a_left_wrist").has_value());
  EXPECT_TRUE(model->find_frame("a_body.com").has_value());
}

TEST(Include, ReportsProblemsInTheFileThatHasThem) {
  const TemporaryFolder folder;
  const std::string arm =
      folder.write("parts/arm.yaml",
                   "spacedyn: 1\nmodel:\n  name: arm\n  base: {name: root, mass: 1, "
                   "inertia: [1, 1, -1]}\n  typo: 1\n");
  std::string text = kTwoArms;
  text.erase(text.find("    - {file: parts/arm.yaml, prefix: right_"));
  const std::string robot = folder.write("robot.yaml", text);
  try {
    load_model(robot);
    FAIL();
  } catch (const ParseError& error) {
    EXPECT_EQ(
        std::string(error.what()),
        arm +
            ":4:40: error: model.base.inertia: expected a positive semidefinite tensor, "
            "got the eigenvalue -1 kg m²\n" +
            arm +
            ":5:3: error: model.typo: expected one of the keys base, "
            "control_moment_gyros, couplings, flexible_links, frames, include, links, loops, "
            "modal_appendages, name, reaction_wheels, slosh, tanks, thrusters or transmissions, "
            "got the unknown key 'typo'");
  }
}

TEST(Include, ReportsNamesThatAreTakenAtTheIncludedPart) {
  const TemporaryFolder folder;
  const std::string arm = folder.write("parts/arm.yaml", kArm);
  std::string text = kTwoArms;
  text.replace(text.find("right_"), 6, "left_");
  try {
    load_model(folder.write("robot.yaml", text));
    FAIL();
  } catch (const ParseError& error) {
    EXPECT_EQ(error.diagnostics().front().file, arm);
    EXPECT_EQ(error.diagnostics().front().message,
              "expected a name of its own, got 'left_root' like links.0.name");
  }
}

}  // namespace
}  // namespace spacedyn::include_test
