// A start at which a modal appendage turns faster than its modes allow.
#include <gtest/gtest.h>

#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::modal_rates_test {
namespace {

std::string scenario_at(const std::string& rate) {
  return R"(spacedyn: 1
scenario:
  name: spin
  duration: 1
  model:
    name: sat
    base: {name: bus, mass: 100, inertia: [20, 20, 20]}
    modal_appendages:
      - name: panel
        parent: bus
        mass: 4
        center_of_mass: [1, 0, 0]
        inertia: [0.1, 1, 1]
        modes:
          - {frequency: 9, translation: [0, 0, 0.1]}
          - {frequency: 2, translation: [0, 0, 1.5], rotation: [0, -1.6, 0]}
  initial: {base: {angular_velocity: [0, 0, )" +
         rate + "]}}\n";
}

TEST(ModalRateAtTheStart, IsAWarningBeyondAFifthOfTheFirstFrequency) {
  EXPECT_TRUE(parse_scenario(scenario_at("0.4"), "spin.yaml").warnings.empty());
  const Scenario fast = parse_scenario(scenario_at("0.5"), "spin.yaml");
  ASSERT_EQ(fast.warnings.size(), 1u);
  EXPECT_EQ(to_string(fast.warnings[0]),
            "spin.yaml:6:5: warning: scenario.model: modal appendage 'panel' turns at 0.5 rad/s at "
            "t = 0 s, 25 % of its first frequency: beyond 20 % linear modes leave out too much of "
            "how rotation stiffens it");
  EXPECT_EQ(fast.warnings[0].hint, "give it as flexible_links, which stiffen");
  ASSERT_EQ(fast.modal_appendages.size(), 1u);
  EXPECT_EQ(fast.modal_appendages[0].body, 0);
  EXPECT_EQ(fast.modal_appendages[0].first_frequency, 2.0);
}

}  // namespace
}  // namespace spacedyn::modal_rates_test
