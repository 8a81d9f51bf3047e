// Every file of models/scenarios loads cleanly and says where its numbers come from. That each
// flies and keeps its checks with margin is a test of its page.
#include <gtest/gtest.h>

#include "support/shipped.hpp"

namespace spacedyn::testing::shipped_scenarios_test {
namespace {

class ShippedScenario : public ::testing::TestWithParam<std::string> {
 protected:
  const Scenario scenario = shipped_scenario(GetParam());
};

TEST_P(ShippedScenario, StatesProvenance) {
  EXPECT_EQ(scenario.name, GetParam());
  EXPECT_FALSE(scenario.notes.description.empty());
  EXPECT_THAT(scenario.notes.source, ::testing::ContainsRegex("[Pp]ublished|[Dd]erived|[Aa]ssumed"))
      << "source: should give the provenance of the numbers";
  EXPECT_TRUE(scenario.warnings.empty());
}

INSTANTIATE_TEST_SUITE_P(Models, ShippedScenario, ::testing::ValuesIn(shipped_names("scenarios")),
                         [](const auto& scenario) { return scenario.param; });

}  // namespace
}  // namespace spacedyn::testing::shipped_scenarios_test
