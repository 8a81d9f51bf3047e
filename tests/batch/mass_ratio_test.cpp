// Batches of links of 1e-6 to 1e6 kg side by side against sixty digits.
#include <gtest/gtest.h>

#include "batch/batch_robots.hpp"
#include "spacedyn/batch/state_rows.hpp"
#include "spacedyn/dynamics/derivatives.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "support/mixed_masses.hpp"

namespace spacedyn::testing::mass_ratio_test {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

class BatchMassRatio : public ::testing::TestWithParam<InstructionSet> {};

/// u̇ of a batch of one.
VectorX batched(const MixedCase& mixed) {
  const auto model = std::make_shared<const Model>(mixed.model);
  BatchStates states(*model, 1);
  TiledVectors forces(model->velocity_size(), 1), acceleration(model->velocity_size(), 1);
  VectorX given(model->velocity_size());
  given << mixed.loads.F_b, mixed.loads.tau;
  states.set(0, mixed.state);
  forces.set(0, given);
  BatchDynamics(model).forward_dynamics(states, forces, acceleration);
  return acceleration.get(0);
}

MatrixX batched_inverse(const MixedCase& mixed) {
  const auto model = std::make_shared<const Model>(mixed.model);
  const int size = model->velocity_size();
  RowMatrixX row(1, size * size);
  BatchDynamics(model).inverse_inertia(state_row(mixed.state).transpose(), row);
  return row.reshaped(size, size);
}

TEST_P(BatchMassRatio, KeepsTheDigitsOfASingleState) {
  const UsedInstructionSet used(GetParam());
  int solved = 0;
  for (unsigned seed = 1; seed <= 25; ++seed) {
    const MixedCase mixed(seed, 6.0);
    TreeWorkspace workspace(mixed.model);
    VectorX single(mixed.model.velocity_size()), forces(mixed.model.velocity_size());
    if (forward_dynamics(mixed.state, mixed.loads, workspace, single, forces) !=
        DynamicsStatus::ok) {
      continue;
    }
    ++solved;
    const VectorX batch = batched(mixed);
    ASSERT_TRUE(batch.allFinite()) << "seed " << seed;
    // up to 54 on sixty chains, single states 17: another order of elimination
    EXPECT_LE(mixed.relative_error(batch), 100.0 * kEps * mixed.condition) << "seed " << seed;
    EXPECT_LE((batch - single).norm(),
              120.0 * kEps * mixed.condition * std::max(1.0, single.norm()))
        << "seed " << seed;
    const MatrixX H_inverse = inverse_inertia(mixed.model, mixed.state);
    EXPECT_LE((batched_inverse(mixed) - H_inverse).norm(),
              120.0 * kEps * mixed.condition * H_inverse.norm())
        << "seed " << seed;
  }
  EXPECT_GE(solved, 20);
}

INSTANTIATE_TEST_SUITE_P(Sets, BatchMassRatio, ::testing::ValuesIn(supported_instruction_sets()),
                         [](const auto& set) { return std::string(to_string(set.param)); });

}  // namespace
}  // namespace spacedyn::testing::mass_ratio_test
