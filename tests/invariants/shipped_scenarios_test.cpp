// Every file of models/scenarios loads cleanly, runs through and keeps its own checks with margin.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/shipped.hpp"

namespace spacedyn::testing::shipped_scenarios_test {
namespace {

/// How far outputs are from the start: a mechanism may be back there at the end.
class Farthest final : public SimulationObserver {
 public:
  explicit Farthest(const State& start) : start_(start) {}
  void on_output(const SimulationPoint& point) override {
    const State& now = point.state;
    moved = std::max(moved, (now.A_0 - start_.A_0).norm() + (now.r_0 - start_.r_0).norm() +
                                (now.q - start_.q).norm());
  }
  double moved = 0.0;

 private:
  const State& start_;
};

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

TEST_P(ShippedScenario, KeepsItsChecks) {
  Farthest farthest(scenario.initial);
  const SimulationResult result =
      Simulator(scenario.setup)
          .run(scenario.initial, scenario.duration, 0.25 * scenario.duration, farthest);
  if (result.stopped_by.empty()) {
    EXPECT_EQ(result.time, scenario.duration);
  }
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
  // and something has happened: attitudes that are held by jets move by a hundredth of a radian
  EXPECT_GT(farthest.moved, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Models, ShippedScenario, ::testing::ValuesIn(shipped_names("scenarios")),
                         [](const auto& scenario) { return scenario.param; });

}  // namespace
}  // namespace spacedyn::testing::shipped_scenarios_test
