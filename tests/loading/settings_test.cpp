// The numbers of a scenario that sliders may change.
#include <gmock/gmock.h>

#include "loading/temporary_folder.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/settings.hpp"

namespace spacedyn {
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

TEST(NumericSettings, FindsNoneInAModelFile) {
  EXPECT_THAT(texts_of("spacedyn: 1\nmodel: {name: a, base: {name: b, mass: 3}}\n"),
              ::testing::IsEmpty());
  EXPECT_THAT(texts_of("[1, 2"), ::testing::IsEmpty());
}

TEST(NumericSettings, RefusesAFileThatIsNotThere) {
  EXPECT_THROW(numeric_settings("no/such.yaml"), IoError);
}

}  // namespace
}  // namespace spacedyn
