// A docked, spinning pair: momentum over many revolutions, memory in its steps.
#include <gtest/gtest.h>

#include <array>

#include "constraints/docked_pair.hpp"
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
