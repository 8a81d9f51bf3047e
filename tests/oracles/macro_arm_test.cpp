// A long flexible arm with a small one on its end: free and clamped, as the shipped scenarios fly
// it.
#include <vector>

#include <gtest/gtest.h>

#include "spacedyn/analysis/modes.hpp"
#include "support/shipped.hpp"

namespace spacedyn::testing::macro_arm_test {
namespace {

/// Frequencies of the elastic modes, the small arm's joints held.
std::vector<double> frequencies(const Model& model, const State& state, bool base_free) {
  const std::vector<bool> all(static_cast<std::size_t>(model.joint_count()), true);
  const Mobility mobility = hold_unsprung_joints(model, Mobility(base_free, all));
  std::vector<double> found;
  for (const Mode& mode : compute_modes(model, state, mobility).modes) {
    if (!mode.is_rigid()) found.push_back(mode.frequency());
  }
  return found;
}

TEST(MacroArm, VibratesFasterOnAFreeOrbiterThanOnAHeldOne) {
  const Scenario scenario = shipped_scenario("srms_mini_arm");
  const Model& model = *scenario.setup.model;
  const auto free = frequencies(model, scenario.initial, true);
  const auto clamped = frequencies(model, scenario.initial, false);
  ASSERT_EQ(free.size(), 14u);
  ASSERT_EQ(clamped.size(), 14u);
  for (std::size_t k = 0; k < free.size(); ++k) EXPECT_GT(free[k], clamped[k]);
  // a few tenths of a hertz, as published for the real arm with light payloads
  EXPECT_GT(clamped[0], 0.1);
  EXPECT_LT(clamped[0], 0.9);
}

TEST(Telescope, ShapedSlewLeavesThePanelsAtRest) {
  const auto unrest = [](const char* name) {
    const Scenario scenario = shipped_scenario(name);
    const State end = fly(scenario.setup, scenario.initial, 30.0).state;
    return end.qd.norm() + end.omega_0.norm();
  };
  EXPECT_LT(unrest("telescope_slew_shaped"), 0.03 * unrest("telescope_slew"));
}

}  // namespace
}  // namespace spacedyn::testing::macro_arm_test
