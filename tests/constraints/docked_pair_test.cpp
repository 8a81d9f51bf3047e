// A docked, spinning pair: momentum over many revolutions, memory in its steps.
#include <gtest/gtest.h>

#include <array>

#include "constraints/docked_pair.hpp"
#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/allocation_guard.hpp"

namespace spacedyn::testing::docked_pair_test {
namespace {

/// Notes allocations by the end of each step; does not allocate itself.
class StepMemory final : public SimulationObserver {
 public:
  void on_output(const SimulationPoint&) override {}
  bool on_step(double, const IntegratorStatistics&) override {
    if (steps < counts.size()) counts[steps++] = allocation_count();
    return true;
  }
  std::array<long, 4096> counts{};
  std::size_t steps = 0;
};

TEST(DockedPair, KeepsMomentumWhileItTurns) {
  const SimulationResult result = DockedPair(1e-13).turn(30.0);
  // the tolerance for each of some thousand steps; the latch itself takes nothing
  EXPECT_LT(result.audit.momentum_drift(), 1e-11);
  EXPECT_LT(result.audit.energy_residual(), 1e-11);
  EXPECT_LT(result.loops.position_residual, 1e-12);
  EXPECT_LT(result.loops.velocity_residual, 1e-11);
}

/// The pair turned and moved far away, where its places are rounded.
DockedPair far_away(double distance, double angle) {
  DockedPair pair(1e-10);
  const Matrix3 turn = exp_so3({0.3 * angle, -0.2, angle});
  for (const Robot& robot : pair.setup.model->robots()) {
    BaseMotion motion = base_motion(*pair.setup.model, robot, pair.start);
    motion.r_0 = turn * motion.r_0 + distance * Vector3(0.6, 0.8, 0.1);
    motion.A_0 = turn * motion.A_0;
    motion.v_0 = turn * motion.v_0;
    motion.omega_0 = turn * motion.omega_0;
    set_base_motion(*pair.setup.model, robot, motion, pair.start);
  }
  return pair;
}

// of a place 42,000 km away 7e-9 m are rounding: more than 1e-9 m, which were asked everywhere
TEST(DockedPair, BeginsWhereItsPlacesAreRounded) {
  for (const double distance : {7e6, 4.2164e7, 1e9}) {
    for (const double angle : {0.3, 0.7, 1.1, 2.3}) {
      SCOPED_TRACE(::testing::Message() << distance << " m, " << angle << " rad");
      const DockedPair pair = far_away(distance, angle);
      const std::vector<Loop> latch{pair.setup.connections.front().loop};
      EXPECT_TRUE(position_residual(*pair.setup.model, latch, pair.start).is_closed());
      EXPECT_TRUE(velocity_residual(*pair.setup.model, latch, pair.start).is_closed());
      EXPECT_NO_THROW(simulate(pair.setup, pair.start, 0.01));
      // searches from other places moved it by a metre
      const LoopAssembly same = assemble_loops(*pair.setup.model, latch, pair.start, {});
      EXPECT_TRUE(same.assembled);
      EXPECT_EQ(same.state.q, pair.start.q);
    }
  }
}

TEST(DockedPair, IsClosedByTheLeastMotionWhereverItIs) {
  for (const double distance : {0.0, 4.2164e7, 1e9}) {
    SCOPED_TRACE(distance);
    const DockedPair pair = far_away(distance, 0.7);
    const std::vector<Loop> latch{pair.setup.connections.front().loop};
    State apart = pair.start;
    apart.q(0) += 2e-3;
    const LoopAssembly closed = assemble_loops(*pair.setup.model, latch, apart, {});
    EXPECT_TRUE(closed.assembled) << closed.position.value;
    EXPECT_LE((closed.state.q - apart.q).norm(), 2e-3 + 1e-15 * distance);
  }
}

// an opening is no rounding: 1e-6 m are refused near and far, an angle of 1e-8 rad as well
TEST(DockedPair, IsRefusedWhereItIsOpen) {
  for (const double distance : {0.0, 4.2164e7}) {
    SCOPED_TRACE(distance);
    DockedPair pair = far_away(distance, 0.7);
    pair.start.q(1) += 1e-6;
    EXPECT_THROW(simulate(pair.setup, pair.start, 0.01), DomainError);
    pair = far_away(distance, 0.7);
    pair.start.q(3) += 1e-8;
    EXPECT_THROW(simulate(pair.setup, pair.start, 0.01), DomainError);
  }
}

TEST(DockedPair, AllocatesInNoStepAfterTheFirst) {
  if (!counts_allocations()) GTEST_SKIP() << "the sanitizer's allocator is in use";
  const DockedPair pair(1e-9);
  StepMemory memory;
  Simulator(pair.setup).run(pair.start, 20.0, 0.1, memory);
  ASSERT_GT(memory.steps, 20U);
  EXPECT_GT(memory.counts[0], 100);  // the guard does see allocations
  EXPECT_EQ(memory.counts[0], memory.counts[memory.steps - 1]);
}

}  // namespace
}  // namespace spacedyn::testing::docked_pair_test
