#include <cmath>

#include "analysis/arms.hpp"
#include "spacedyn/analysis/inverse_kinematics.hpp"
#include "spacedyn/kinematics/jacobians.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing::inverse_kinematics_limits_test {
namespace {

using ::testing::ElementsAre;
using Matrix2X = Eigen::Matrix<double, 2, Eigen::Dynamic>;

/// Of independent rows.
MatrixX pseudo_inverse(const Matrix2X& J) {
  return J.transpose() * Eigen::Matrix2d(J * J.transpose()).inverse();
}

ModelDescription limited_arm(int links, double lower, double upper) {
  ModelDescription arm = planar_arm(links);
  for (LinkDescription& link : arm.links) {
    link.joint.position_lower = lower;
    link.joint.position_upper = upper;
  }
  return arm;
}

Vector3 tip_of(const Model& model, const VectorX& q) {
  State state(model);
  state.q = q;
  return goal_at(model, state, "tip").pose.position;
}

TEST(InverseKinematicsLimits, AreKeptAtEveryIterate) {
  RandomModels random(211);
  for (int trial = 0; trial < 200; ++trial) {
    ModelDescription description = random.description(TreeShape{7, 1, 0.2, true});
    for (LinkDescription& link : description.links) {
      link.joint.position_lower = random.number(-1.0, -0.1);
      link.joint.position_upper = random.number(0.1, 1.0);
    }
    const Model model = build(description);
    FrameGoal goal;
    goal.frame = model.frame("hand");
    goal.pose.position = random.vector(3, 1.0);
    goal.pose.rotation = random.rotation();
    InverseKinematicsOptions options;
    options.restarts = 3;
    int iterates = 0;
    options.on_iterate = [&](const VectorX& q, double) {
      ++iterates;
      for (int i = 1; i <= 7; ++i) {
        EXPECT_GE(q(i - 1), model.joint(i).position_lower);
        EXPECT_LE(q(i - 1), model.joint(i).position_upper);
      }
    };
    State state(model);
    state.q = random.vector(7, 2.0);  // outside, too
    const auto result = solve_inverse_kinematics(model, state, {goal}, options);
    EXPECT_GT(iterates, 1);
    for (int i = 1; i <= 7; ++i) {
      EXPECT_GE(result.q(i - 1), model.joint(i).position_lower);
      EXPECT_LE(result.q(i - 1), model.joint(i).position_upper);
    }
  }
}

TEST(InverseKinematicsLimits, AReachableGoalOnALimitIsReached) {
  const Model model = build(limited_arm(3, -1.0, 1.0));
  State state(model);
  state.q << 0.1, 0.2, 0.3;
  VectorX target(3);
  target << 1.0, 0.4, -1.0;
  FrameGoal goal = position_goal(model, "tip", tip_of(model, target));
  const auto result = solve_inverse_kinematics(model, state, {goal});
  EXPECT_TRUE(result.report.converged());
}

TEST(InverseKinematicsLimits, TheBestWithinLimitsIsAMinimum) {
  // the shoulder cannot turn towards the goal, the elbow can point at it: its distance from the
  // elbow less the length of the forearm
  ModelDescription arm = limited_arm(2, -2.5, 2.5);
  arm.links[0].joint.position_lower = 0.2;
  const Model model = build(arm);
  State state(model);
  state.q << 0.5, -0.5;
  const Vector3 elbow(0.5 + std::cos(0.2), std::sin(0.2), 0.0);
  const Vector3 target(1.0, -1.3, 0.0);
  const auto result = solve_inverse_kinematics(model, state, {position_goal(model, "tip", target)});
  EXPECT_EQ(result.report.status, InverseKinematicsStatus::best_found);
  EXPECT_THAT(result.report.at_limit, ElementsAre(1));
  EXPECT_EQ(result.q(0), 0.2);
  EXPECT_NEAR(result.report.residuals[0].position, (target - elbow).norm() - 1.0, 1e-12);
}

TEST(InverseKinematicsLimits, CanBeSetAside) {
  const Model model = build(limited_arm(2, 0.2, 0.9));
  State state(model);
  state.q << 0.5, 0.5;
  InverseKinematicsOptions options;
  options.respect_limits = false;
  const auto result = solve_inverse_kinematics(
      model, state, {position_goal(model, "tip", {0.5, -1.5, 0.0})}, options);
  EXPECT_TRUE(result.report.converged());
  EXPECT_TRUE(result.report.at_limit.empty());
}

TEST(InverseKinematicsLimits, AJointWithoutRoomStays) {
  ModelDescription description = limited_arm(3, -2.0, 2.0);
  description.links[1].joint.position_lower = 0.5;
  description.links[1].joint.position_upper = 0.5;
  const Model model = build(description);
  State state(model);
  state.q << 0.1, 0.5, 0.3;
  const auto result =
      solve_inverse_kinematics(model, state, {position_goal(model, "tip", {1.5, 2.0, 0.0})});
  EXPECT_TRUE(result.report.converged());
  EXPECT_EQ(result.q(1), 0.5);
}

TEST(InverseKinematicsRedundancy, StepsAreThoseOfLeastNorm) {
  // a small displacement of a 5-joint arm: q moves by J⁺ Δx, to second order
  const Model model = build(planar_arm(5));
  State state(model);
  state.q << 0.3, 0.5, -0.7, 0.4, 0.6;
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  Matrix6X J(6, 5);
  frame_jacobian(model, frames, model.frame("tip"), J);
  const Vector3 dx(1e-5, -2e-5, 0.0);
  const VectorX expected = pseudo_inverse(J.topRows<2>()) * dx.head<2>();
  const auto result = solve_inverse_kinematics(
      model, state, {position_goal(model, "tip", tip_of(model, state.q) + dx)});
  ASSERT_TRUE(result.report.converged());
  EXPECT_LE((result.q - state.q - expected).norm(), 1e-8);
}

TEST(InverseKinematicsRedundancy, TheNearestToAPostureIsChosen) {
  const Model model = build(planar_arm(5));
  State state(model);
  state.q << 0.3, 0.5, -0.7, 0.4, 0.6;
  const FrameGoal goal = position_goal(model, "tip", {1.5, 2.0, 0.0});
  InverseKinematicsOptions options;
  const auto plain = solve_inverse_kinematics(model, state, {goal}, options);
  options.posture = (VectorX(5) << 1.0, -0.2, 0.5, 0.5, 0.1).finished();
  const auto near = solve_inverse_kinematics(model, state, {goal}, options);
  ASSERT_TRUE(near.report.converged());
  EXPECT_LT((near.q - *options.posture).norm(), (plain.q - *options.posture).norm());
  // optimal: what is left of the way to the posture lies in the row space of J
  State end(model);
  end.q = near.q;
  LinkFrames frames(model);
  compute_link_frames(model, end, frames);
  Matrix6X J(6, 5);
  frame_jacobian(model, frames, model.frame("tip"), J);
  const Matrix2X J_p = J.topRows<2>();
  const VectorX left = *options.posture - near.q;
  const VectorX tangential = left - pseudo_inverse(J_p) * (J_p * left);
  EXPECT_LE(tangential.norm(), 1e-7);
}

TEST(InverseKinematicsRedundancy, ThePostureIsApproachedWithinLimits) {
  const Model model = build(limited_arm(5, -0.9, 0.9));
  State state(model);
  state.q << 0.3, 0.5, -0.7, 0.4, 0.6;
  InverseKinematicsOptions options;
  options.posture = (VectorX(5) << 3.0, -3.0, 3.0, -3.0, 3.0).finished();
  const auto result = solve_inverse_kinematics(
      model, state, {position_goal(model, "tip", {2.5, 2.5, 0.0})}, options);
  EXPECT_TRUE(result.report.converged());
  EXPECT_LE(result.q.lpNorm<Eigen::Infinity>(), 0.9);
  EXPECT_FALSE(result.report.at_limit.empty());
}

}  // namespace
}  // namespace spacedyn::testing::inverse_kinematics_limits_test
