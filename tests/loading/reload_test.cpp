// Scenarios read again from the texts that a first load kept.
#include <filesystem>

#include <gmock/gmock.h>

#include "loading/temporary_folder.hpp"
#include "spacedyn/forces/tyre_force.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::reload_test {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFolder;

const char* kScenario = R"(spacedyn: 1
scenario:
  name: drift
  model: robots/two.yaml
  duration: 5
  output: {interval: 0.5}
  integrator: {method: rk4, step: 0.1}
)";
const char* kRobot = R"(spacedyn: 1
model:
  name: two
  base: {name: body, mass: 10, inertia: [5, 5, 5]}
  include:
    - {file: ../parts/arm.yaml, parent: body}
)";
const char* kArm = R"(spacedyn: 1
model:
  name: arm
  base: {name: mount, fixed: true}
  links:
    - {name: arm, parent: mount, joint: {type: revolute}, mass: 2, inertia: [1, 1, 1]}
)";

template <typename Function>
std::string message_of(Function function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  return "no exception";
}

TEST(ReloadScenario, NeedsNoFile) {
  const std::vector<Override> overrides{{"duration", "7"}, {"model.base.mass", "12"}};
  Scenario first;
  {
    const TemporaryFolder folder;
    folder.write("robots/two.yaml", kRobot);
    folder.write("parts/arm.yaml", kArm);
    first = load_scenario(folder.write("drift.yaml", kScenario), overrides);
  }
  ASSERT_FALSE(std::filesystem::exists(first.file));
  const Scenario again = reload_scenario(first.sources, overrides);
  EXPECT_EQ(again.name, "drift");
  EXPECT_EQ(again.duration, 7.0);
  EXPECT_EQ(again.setup.model->body(0).mass, 12.0);
  EXPECT_EQ(write_model(*again.setup.model), write_model(*first.setup.model));
  EXPECT_EQ(again.sources, first.sources);
}

TEST(ReloadScenario, LooksAtNoFileThatHasChanged) {
  const TemporaryFolder folder;
  folder.write("robots/two.yaml", kRobot);
  folder.write("parts/arm.yaml", kArm);
  const Scenario first = load_scenario(folder.write("drift.yaml", kScenario));
  folder.write("parts/arm.yaml", "not a model any more");
  EXPECT_EQ(reload_scenario(first.sources).setup.model->joint_count(), 1);
}

const char* kWheel = R"(spacedyn: 1
scenario:
  name: roll
  model:
    name: wheel
    base: {name: axle, mass: 5, inertia: [1, 1, 1]}
    links:
      - {name: wheel, parent: axle, joint: {type: revolute, axis: [0, 1, 0]}, mass: 2, inertia: [1, 1, 1]}
  duration: 5
  initial: {base: {position: [0.5, 0, 1.35]}}
  environment: {terrain: {type: height_field, file: ground/ramp.csv, spacing: 1}}
  forces:
    - {type: tyre, link: wheel, radius: 0.3, width: 0.1, stiffness: 1.0e4, friction: 1, slip_stiffness: 8, cornering_stiffness: 6}
)";

TEST(ReloadScenario, KeepsHeightFields) {
  Scenario first;
  std::string ground;
  {
    const TemporaryFolder folder;
    ground = folder.write("ground/ramp.csv", "# a scenario of heights\n0, 1, 2\n0, 1, 2\n");
    first = load_scenario(folder.write("roll.yaml", kWheel));
  }
  ASSERT_EQ(first.sources.count(ground), 1u);
  EXPECT_THAT(first.sources.at(ground), HasSubstr("0, 1, 2"));
  const Scenario again = reload_scenario(first.sources);
  const auto& wheel = dynamic_cast<const TyreForce&>(*again.setup.forces.at(0));
  EXPECT_NEAR(wheel.settings().terrain->height(0.5, 0.5), 0.5, 1e-15);
  EXPECT_EQ(again.sources, first.sources);
}

TEST(ReloadScenario, SaysWhichHeightFieldIsMissing) {
  EXPECT_THAT(message_of([] {
                reload_scenario({{"roll.yaml", kWheel}});
              }),
              HasSubstr("'ground/ramp.csv' is not among the texts that were kept"));
}

TEST(ReloadScenario, SaysWhatIsMissing) {
  EXPECT_EQ(message_of([] { reload_scenario({}); }),
            "no scenario is among the texts that were kept");
  EXPECT_EQ(message_of([] {
              reload_scenario({{"parts/arm.yaml", kArm}});
            }),
            "no scenario is among the texts that were kept");
  EXPECT_THAT(message_of([] {
                reload_scenario({{"drift.yaml", kScenario}});
              }),
              HasSubstr("'robots/two.yaml' is not among the texts that were kept"));
}

}  // namespace
}  // namespace spacedyn::reload_test
