// Accelerations and loop forces against Simbody, with its own joints and constraints.
#include <gtest/gtest.h>

#include "bench/loops/loop_peer.hpp"
#include "bench/loops/mechanisms.hpp"
#include "spacedyn/constraints/constrained_dynamics.hpp"
#include "spacedyn/constraints/loop_assembly.hpp"
#include "support/case_name.hpp"

namespace spacedyn::testing::simbody_loops_test {
namespace {

using bench::PinRows;

struct Case {
  const char* name;
  bench::Mechanism (*make)();
  PinRows pins;
  int rank;

  friend std::ostream& operator<<(std::ostream& out, const Case& given) {
    return out << given.name;
  }
};

bench::Mechanism floating_row() { return bench::moving_row(6, false); }
bench::Mechanism fixed_row() { return bench::moving_row(6, true); }

class SimbodyLoops : public ::testing::TestWithParam<Case> {};

TEST_P(SimbodyLoops, SameAccelerations) {
  const bench::Mechanism its = GetParam().make();
  // Both sides solve K u̇ = −K̇ u, and Simbody adds nothing for loops that are open.
  ASSERT_LT(position_residual(its.model, its.state).value, 1e-13);
  ASSERT_LT(velocity_residual(its.model, its.state).value, 1e-13);
  const ConstrainedMotion ours = constrained_motion(its.model, its.state, its.loads);
  EXPECT_EQ(ours.rank, GetParam().rank);

  const auto peer = bench::make_simbody_loops(its.model, GetParam().pins);
  peer->place(its.state, its.loads);
  peer->evaluate();
  // The condition of K H⁻¹ Kᵀ is 400 at most here, so that 13 of 16 digits are left; the rest is
  // for other processors.
  const double size = ours.acceleration.norm();
  EXPECT_GT(size, 1.0);
  EXPECT_LT((peer->acceleration() - ours.acceleration).norm(), 1e-10 * size);
}

/// In a plane four-bar this is the force in the plane; the part along the pin, of which both sides
/// take the least, is zero.
TEST_P(SimbodyLoops, SameForces) {
  const bench::Mechanism its = GetParam().make();
  const ConstrainedMotion ours = constrained_motion(its.model, its.state, its.loads);
  const auto peer = bench::make_simbody_loops(its.model, GetParam().pins);
  peer->place(its.state, its.loads);
  peer->evaluate();
  const LoopEquations equations(its.model);
  LinkFrames frames(its.model);
  compute_link_frames(its.model, its.state, frames);
  for (std::size_t i = 0; i < equations.loops().size(); ++i) {
    const int loop = static_cast<int>(i);
    const Vector6 wrench = equations.wrench(loop, frames, ours.multipliers);
    const Vector3 force = frame_orientation(frames, equations.loops()[i].from) * wrench.head<3>();
    EXPECT_LT((peer->force(loop) - force).norm(), 1e-9 * ours.multipliers.norm());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Loops, SimbodyLoops,
    ::testing::Values(Case{"four_bar", bench::floating_four_bar, PinRows::joint, 2},
                      Case{"four_bar_point", bench::floating_four_bar, PinRows::point, 2},
                      Case{"row_of_four_bars", floating_row, PinRows::plane, 12},
                      Case{"row_on_the_ground", fixed_row, PinRows::plane, 12},
                      Case{"dual_arm_grasp", bench::dual_arm_grasp, PinRows::joint, 6},
                      Case{"stewart_platform", bench::stewart_platform, PinRows::joint, 15}),
    NamedByValue());

}  // namespace
}  // namespace spacedyn::testing::simbody_loops_test
