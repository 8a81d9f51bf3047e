// Batches whose states come as rows, against those in tiles and against single states.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "batch/batch_robots.hpp"
#include "spacedyn/batch/state_rows.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "support/allocation_guard.hpp"
#include "support/conditioning.hpp"
#include "support/message_of.hpp"

namespace spacedyn::testing::batch_rows_test {
namespace {

const Vector3 kGravity{0.3, -0.2, -9.81};

/// A random batch whose states are rows of a wider matrix.
struct RowBatch : RandomBatch {
  RowBatch(unsigned seed, const TreeShape& shape, int count)
      : RandomBatch(seed, shape, count),
        size(state_row_size(*model)),
        wide(RowMatrixX::Constant(count, size + 3, 7.0)),
        input(count, model->velocity_size()) {
    for (int k = 0; k < count; ++k) {
      wide.row(k).head(size) = state_row(batch_state(k)).transpose();
      input.row(k) = forces.get(k).transpose();
    }
  }
  State batch_state(int k) const { return states.get(k); }
  auto rows() const { return wide.leftCols(size); }
  RowMatrixX results() const { return RowMatrixX::Constant(input.rows(), input.cols(), 3.0); }

  int size;
  RowMatrixX wide, input;
};

class BatchRowsOn : public ::testing::TestWithParam<InstructionSet> {
 protected:
  void compare(unsigned seed, const TreeShape& shape, int count) {
    const UsedInstructionSet used(GetParam());
    const RowBatch batch(seed, shape, count);
    BatchDynamics dynamics(batch.model, {1, kGravity});
    RowMatrixX acceleration = batch.results(), forces = batch.results();
    dynamics.forward_dynamics(batch.rows(), batch.input, acceleration);
    dynamics.inverse_dynamics(batch.rows(), acceleration, forces);
    for (int k = 0; k < count; ++k) {
      const State state = state_from_row(*batch.model, batch.rows().row(k).transpose());
      Loads loads = batch.loads(k);
      loads.gravity = kGravity;
      const VectorX u_dot = acceleration.row(k).transpose();
      EXPECT_LE(relative_difference(u_dot, forward_dynamics(*batch.model, state, loads)),
                solution_tolerance(inertia_matrix(*batch.model, state)))
          << "seed " << seed << ", state " << k;
      // a recursion against a recursion
      EXPECT_LE(relative_difference(VectorX(forces.row(k).transpose()),
                                    inverse_dynamics(*batch.model, state, u_dot, loads)),
                1e-12)
          << "seed " << seed << ", state " << k;
    }
  }
};

TEST_P(BatchRowsOn, AgreeWithSingleStates) {
  // widths below, at and beyond what registers hold; counts with and without a part of a tile
  for (const int links : {0, 1, 2, 3, 4, 6, 7, 8, 11}) {
    compare(static_cast<unsigned>(links) + 1U, {links, 3, 0.3, true}, 8 + links);
  }
  compare(20, {5, 2, 0.3, true}, 1);
  compare(21, {5, 2, 0.3, true}, 0);
}

TEST_P(BatchRowsOn, TorquesAloneLeaveTheBaseAlone) {
  const UsedInstructionSet used(GetParam());
  for (const int links : {1, 3, 5, 9}) {
    RowBatch batch(3, {links, 2, 0.3, true}, 13);
    batch.input.leftCols<6>().setZero();
    BatchDynamics dynamics(batch.model);
    RowMatrixX wide = batch.results(), narrow = batch.results();
    dynamics.forward_dynamics(batch.rows(), batch.input, wide);
    dynamics.forward_dynamics(batch.rows(), batch.input.rightCols(links), narrow);
    EXPECT_EQ(wide, narrow) << links << " links";
  }
}

TEST_P(BatchRowsOn, BitsDependOnTheRowAlone) {
  const UsedInstructionSet used(GetParam());
  const RowBatch batch(4, {6, 2, 0.3, true}, 61);
  RowMatrixX all = batch.results();
  BatchDynamics(batch.model).forward_dynamics(batch.rows(), batch.input, all);
  RowMatrixX threaded = batch.results();
  BatchDynamics(batch.model, {3, Vector3::Zero()})
      .forward_dynamics(batch.rows(), batch.input, threaded);
  EXPECT_EQ(threaded, all);
  RowMatrixX some(9, batch.input.cols());
  BatchDynamics(batch.model)
      .forward_dynamics(batch.rows().middleRows(17, 9), batch.input.middleRows(17, 9), some);
  EXPECT_EQ(some, all.middleRows(17, 9));
}

TEST_P(BatchRowsOn, RolloutsAreIntegrations) {
  const UsedInstructionSet used(GetParam());
  RowBatch batch(5, {4, 2, 0.3, true}, 11);
  constexpr int kSteps = 3;
  const int width = batch.model->velocity_size();
  const RowMatrixX controls = batch.input.replicate(1, kSteps);
  RowMatrixX flights(11, (kSteps + 1) * batch.size);
  BatchDynamics dynamics(batch.model, {2, kGravity});
  dynamics.rollout(batch.rows(), controls, {0.02, kSteps, 2}, flights);
  for (int k = 0; k < 11; ++k) {
    const State start = state_from_row(*batch.model, batch.rows().row(k).transpose());
    batch.states.set(k, start);
    const State first = state_from_row(*batch.model, flights.row(k).head(batch.size).transpose());
    EXPECT_LE(relative_difference(first.A_0, start.A_0), 1e-15);
    EXPECT_EQ(first.q, start.q);
  }
  dynamics.integrate(batch.states, batch.forces, {0.0, 0.01, 2 * kSteps, nullptr});
  for (int k = 0; k < 11; ++k) {
    const VectorX end = flights.row(k).tail(batch.size).transpose();
    // attitudes have gone through a quaternion: rounding, which a few steps hardly amplify
    EXPECT_LE(relative_difference(end, state_row(batch.states.get(k))), 1e-12) << "state " << k;
  }
  EXPECT_EQ(controls.cols(), kSteps * width);
}

TEST_P(BatchRowsOn, AllocateNothing) {
  if (!counts_allocations()) GTEST_SKIP() << "the sanitizer owns malloc";
  const UsedInstructionSet used(GetParam());
  const RowBatch batch(6, {6, 2, 0.3, true}, 21);
  BatchDynamics dynamics(batch.model);
  RowMatrixX result = batch.results();
  const long before = allocation_count();
  dynamics.forward_dynamics(batch.rows(), batch.input, result);
  dynamics.inverse_dynamics(batch.rows(), batch.input, result);
  EXPECT_EQ(allocation_count(), before);
}

TEST_P(BatchRowsOn, NameTheFirstRowThatIsNoState) {
  const UsedInstructionSet used(GetParam());
  RowBatch batch(7, {3, 1, 0.0, true}, 40);
  BatchDynamics dynamics(batch.model, {2, Vector3::Zero()});
  RowMatrixX result = batch.results();
  const auto failure = [&] {
    return message_of<DomainError>(
        [&] { dynamics.forward_dynamics(batch.rows(), batch.input, result); });
  };
  batch.wide(33, 14) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(failure(), "states: row 33 holds a number that is not finite");
  batch.wide.row(18).segment<4>(3).setZero();
  EXPECT_EQ(failure(),
            "states: row 18 has a quaternion that cannot be normalized (columns 3 to 6, w first)");
  batch.wide(18, 3) = -1e-3;  // any length, either sign
  batch.wide(33, 14) = 0.0;
  batch.wide(33, 0) = batch.wide(33, 1) = 1e308;  // huge, but a number
  EXPECT_EQ(failure(), "no exception");
  EXPECT_TRUE(result.allFinite());
}

INSTANTIATE_TEST_SUITE_P(Sets, BatchRowsOn, ::testing::ValuesIn(supported_instruction_sets()),
                         [](const auto& of) { return std::string(to_string(of.param)); });

TEST(BatchRows, SaysWhatShapesItExpects) {
  const RowBatch batch(1, {3, 1, 0.0, true}, 4);
  BatchDynamics dynamics(batch.model);
  RowMatrixX result = batch.results();
  const auto failure = [&](const RowMatrixX& states, const RowMatrixX& forces, RowMatrixX& out) {
    return message_of<DimensionError>([&] { dynamics.forward_dynamics(states, forces, out); });
  };
  EXPECT_EQ(failure(batch.wide, batch.input, result),
            "states: expected 4 rows of 19 numbers, got 4 of 22");
  EXPECT_EQ(failure(batch.rows(), batch.input.leftCols(5), result),
            "forces: expected 4 rows of n = 3 joint torques or 6 + n = 9 forces, got 4 of 5");
  RowMatrixX few = result.topRows(3);
  EXPECT_EQ(failure(batch.rows(), batch.input, few),
            "acceleration: expected 4 rows of 9 numbers, got 3 of 9");
  RowMatrixX flights(4, 2 * batch.size);
  const auto refused = [&](const BatchRollout& run) {
    return message_of<DomainError>(
        [&] { dynamics.rollout(batch.rows(), batch.input, run, flights); });
  };
  EXPECT_EQ(refused({-0.1, 1, 1}), "step: expected a positive number of seconds, got -0.100000");
  EXPECT_EQ(refused({0.1, -1, 1}), "steps: expected 0 or more, got -1");
  EXPECT_EQ(refused({0.1, 1, 0}), "substeps: expected at least 1, got 0");
}

TEST(BatchRows, RowsAreStates) {
  RandomModels random(8);
  const Model model = random.model({5, 2, 0.3, true});
  const State state = random.state(model);
  const VectorX row = state_row(state);
  EXPECT_EQ(row.size(), 13 + 2 * 5);
  EXPECT_NEAR(row.segment<4>(3).norm(), 1.0, 1e-15);
  const State again = state_from_row(model, row);
  EXPECT_EQ(again.q, state.q);
  EXPECT_EQ(again.velocity(), state.velocity());
  EXPECT_LE(relative_difference(again.A_0, state.A_0), 1e-15);
  EXPECT_EQ(message_of<DimensionError>([&] { state_from_row(model, row.head(7)); }),
            "row: expected 13 + 2n = 23 numbers for model 'random', got 7");
  EXPECT_EQ(message_of<DomainError>([&] { state_from_row(model, VectorX::Zero(23)); }),
            "row: has a quaternion that cannot be normalized (columns 3 to 6, w first)");
}

}  // namespace
}  // namespace spacedyn::testing::batch_rows_test
