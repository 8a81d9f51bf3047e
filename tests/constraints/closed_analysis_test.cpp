// Inverse kinematics, linear models and modes of mechanisms with loops, against closed forms.
#include <gtest/gtest.h>

#include "spacedyn/analysis/inverse_kinematics.hpp"
#include "spacedyn/analysis/linearization.hpp"
#include "spacedyn/analysis/modes.hpp"
#include "spacedyn/constraints/loop_assembly.hpp"
#include "support/loop_models.hpp"

namespace spacedyn::testing::closed_analysis_test {
namespace {

constexpr double kGravity = 9.81;

FourBar crank_rocker() {
  FourBar bar;
  bar.crank = 0.35;
  bar.coupler = 0.9;
  bar.rocker = 0.7;
  return bar;
}

TEST(ClosedInverseKinematics, MovesACouplerPointWithTheLoopClosed) {
  const FourBar bar = crank_rocker();
  ModelDescription description = bar.description();
  description.frames.push_back(point_on("pen", "coupler", {0.4, 0.2, 0.0}));
  const Model model = ModelBuilder(description).build();
  const Frame pen = model.frame("pen");
  const State wanted = bar.state(model, 1.3), start = bar.state(model, 0.6);
  LinkFrames frames(model);
  compute_link_frames(model, wanted, frames);
  FrameGoal goal;
  goal.frame = pen;
  goal.pose.position = frame_position(frames, pen);
  goal.kind = GoalKind::position;
  const InverseKinematicsResult found =
      solve_inverse_kinematics(model, start, {goal}, InverseKinematicsOptions());
  ASSERT_TRUE(found.report.converged());
  EXPECT_LT((found.q - wanted.q).norm(), 1e-7);
  State end = start;
  end.q = found.q;
  EXPECT_LT(position_residual(model, end).value, 1e-8);
}

/// A hanging parallelogram whose coupler does not turn: ω² = 6 g / 5 L, as a rod of 5 L / 4.
struct HangingParallelogram {
  static constexpr double kLength = 0.8;
  Model model;
  State rest;

  HangingParallelogram() : model(description()), rest(model) {
    constexpr double down = -1.5707963267948966;
    rest.q << down, -down, down;
  }
  static Model description() {
    FourBar bar;
    bar.crank = bar.rocker = kLength;
    return bar.model();
  }
};

TEST(ClosedLinearization, HasTheFrequencyOfAHangingParallelogram) {
  const HangingParallelogram hanging;
  ForcedSystem system;
  system.model = std::make_shared<const Model>(hanging.model);
  system.base_mode = BaseMode::fixed;
  system.gravity = {0.0, -kGravity, 0.0};
  const Linearization linear = linearize(system, hanging.rest);
  ASSERT_EQ(linear.A.rows(), 2);
  ASSERT_EQ(linear.state_names.size(), 2U);
  EXPECT_EQ(linear.position_count, 1);
  EXPECT_EQ(linear.B.cols(), 3);
  const double square = 1.2 * kGravity / HangingParallelogram::kLength;
  EXPECT_NEAR(linear.A(0, 1), 1.0, 1e-12);
  EXPECT_NEAR(linear.A(1, 0), -square, 1e-9 * square);
  EXPECT_NEAR(linear.A(1, 1), 0.0, 1e-10);
  EXPECT_LT(linear.rate.norm(), 1e-12);
}

TEST(ClosedModes, HaveTheFrequencyOfAHangingParallelogram) {
  const HangingParallelogram hanging;
  const Modes modes = compute_modes(hanging.model, hanging.rest, Mobility(hanging.model),
                                    {0.0, -kGravity, 0.0}, {});
  ASSERT_EQ(modes.modes.size(), 1U);
  const double omega = std::sqrt(1.2 * kGravity / HangingParallelogram::kLength);
  EXPECT_NEAR(modes.modes[0].omega, omega, 1e-9 * omega);
  // both rods turn alike, the coupler against them
  const VectorX shape = modes.modes[0].shape.tail(3);
  EXPECT_NEAR(shape(2) / shape(0), 1.0, 1e-10);
  EXPECT_NEAR(shape(1) / shape(0), -1.0, 1e-10);
}

TEST(ClosedModes, CountSixRigidOnesOfAFreeMechanism) {
  FourBar bar = crank_rocker();
  bar.fixed = false;
  ModelDescription description = bar.description();
  description.links[0].joint.stiffness = 40.0;
  const Model model = ModelBuilder(description).build();
  State rest = bar.state(model, 0.9);
  const Modes modes = compute_modes(model, rest, Mobility(model), Vector3::Zero(), {});
  EXPECT_EQ(modes.modes.size(), 7U);
  EXPECT_EQ(modes.rigid_count, 6);
}

}  // namespace
}  // namespace spacedyn::testing::closed_analysis_test
