// Links of 1e-9 to 1e9 kg side by side: forward dynamics against sixty digits.
#include <gtest/gtest.h>

#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "support/mixed_masses.hpp"

namespace spacedyn::testing::mass_ratio_test {
namespace {

class MassRatio : public ::testing::TestWithParam<InstructionSet> {
 protected:
  MassRatio() { use_instruction_set(GetParam()); }
  ~MassRatio() override { use_instruction_set(supported_instruction_sets().back()); }
};

TEST_P(MassRatio, ErrorsStayWithinTwentyEps) {
  constexpr double kEps = std::numeric_limits<double>::epsilon();
  int solved = 0;
  for (unsigned seed = 1; seed <= 25; ++seed) {
    const MixedCase mixed(seed, 9.0);
    TreeWorkspace workspace(mixed.model);
    VectorX acceleration(mixed.model.velocity_size()), forces(mixed.model.velocity_size());
    if (forward_dynamics(mixed.state, mixed.loads, workspace, acceleration, forces) !=
        DynamicsStatus::ok) {
      // a pivot below 64 eps of its diagonal element: no digit would be left
      EXPECT_GE(mixed.condition, 1.0 / (128.0 * kEps)) << "seed " << seed;
      continue;
    }
    ++solved;
    EXPECT_LE(mixed.relative_error(acceleration), 20.0 * kEps * mixed.condition) << "seed " << seed;
  }
  EXPECT_GE(solved, 15);
}

INSTANTIATE_TEST_SUITE_P(Sets, MassRatio, ::testing::ValuesIn(supported_instruction_sets()),
                         [](const auto& set) { return std::string(to_string(set.param)); });

}  // namespace
}  // namespace spacedyn::testing::mass_ratio_test
