// Every file of models/scenarios loads cleanly, runs through and keeps its own checks with margin.
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
  EXPECT_NE(scenario.notes.source.find("rust"), std::string::npos)
      << "source: should give the trust of the numbers";
  EXPECT_TRUE(scenario.warnings.empty());
}

TEST_P(ShippedScenario, KeepsItsChecks) {
  const SimulationResult result = fly(scenario.setup, scenario.initial, scenario.duration);
  EXPECT_EQ(result.time, scenario.duration);
  EXPECT_FALSE(result.interrupted);
  const ScenarioChecks& checks = scenario.checks;
  ASSERT_TRUE(checks.momentum_drift || checks.energy_residual);
  // another processor or compiler may round differently: half of the limit stays free
  if (checks.momentum_drift) {
    EXPECT_LT(result.audit.momentum_drift(), 0.5 * *checks.momentum_drift);
  }
  if (checks.energy_residual) {
    EXPECT_LT(result.audit.energy_residual(), 0.5 * *checks.energy_residual);
  }
  // and something has happened
  const State& end = result.state;
  const double moved = (end.A_0 - scenario.initial.A_0).norm() +
                       (end.r_0 - scenario.initial.r_0).norm() +
                       (end.q - scenario.initial.q).norm();
  EXPECT_GT(moved, 0.05);
}

INSTANTIATE_TEST_SUITE_P(Models, ShippedScenario, ::testing::ValuesIn(shipped_names("scenarios")),
                         [](const auto& scenario) { return scenario.param; });

}  // namespace
}  // namespace spacedyn::testing::shipped_scenarios_test
