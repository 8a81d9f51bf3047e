// Inverse kinematics of robots whose joints turn freely: poses that are known to be within reach.
#include <gtest/gtest.h>

#include "spacedyn/analysis/inverse_kinematics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/joint_traits.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/state/configuration.hpp"
#include "support/random_models.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::spherical_goals_test {
namespace {

/// Shoulder and wrist are balls, the elbow a hinge: seven coordinates, two of them redundant.
Model arm(JointType root) {
  ModelBuilder builder("arm");
  builder.set_base(base_body(10.0, {1, 1, 1}));
  const auto add = [&](const std::string& name, const std::string& parent, JointType type,
                       double length) {
    LinkDescription link =
        link_body(name, parent, 1.0, {0.1, 0.1, 0.1}, {0, 0, length}, {0, 0, 0.2});
    link.joint.type = type;
    link.joint.axis = Vector3::UnitY();
    link.joint.second_axis = Vector3::UnitX();
    if (type == JointType::screw) link.joint.pitch = 0.2;
    builder.add_link(link);
  };
  add("upper", "base", root, 0.3);
  add("lower", "upper", JointType::revolute, 0.5);
  add("hand", "lower", JointType::spherical, 0.4);
  return builder.build();
}

class SphericalGoals : public ::testing::TestWithParam<JointType> {};

TEST_P(SphericalGoals, PosesWithinReachAreReached) {
  const Model model = arm(GetParam());
  RandomModels random(17);
  LinkFrames frames(model);
  const Frame hand = model.frame("hand");
  for (int i = 0; i < 30; ++i) {
    const auto posture = [&] {
      State state(model);
      VectorX turn(model.joint_count());
      for (Eigen::Index k = 0; k < turn.size(); ++k) turn(k) = random.number(-1.2, 1.2);
      displace_joints(model, turn, state.q);
      return state;
    };
    const State wanted = posture();
    compute_link_frames(model, wanted, frames);
    FrameGoal goal;
    goal.frame = hand;
    goal.pose = {frame_position(frames, hand), frame_orientation(frames, hand)};
    const InverseKinematicsResult found = solve_inverse_kinematics(model, posture(), {goal});
    ASSERT_TRUE(found.report.converged()) << i;
    State reached(model);
    reached.q = found.q;
    compute_link_frames(model, reached, frames);
    EXPECT_LT((frame_position(frames, hand) - goal.pose.position).norm(), 1e-9);
    EXPECT_LT(log_so3(frame_orientation(frames, hand) * goal.pose.rotation.transpose()).norm(),
              1e-9);
    for (const int first : model.spherical_joints()) {
      EXPECT_LE(found.q.segment<3>(first - 1).norm(), kPi * (1.0 + 1e-15));
    }
  }
}

TEST_P(SphericalGoals, APostureIsApproached) {
  // of all solutions the one nearest to a posture that is itself a solution
  const Model model = arm(GetParam());
  RandomModels random(23);
  State wanted(model);
  VectorX turn(model.joint_count());
  for (Eigen::Index k = 0; k < turn.size(); ++k) turn(k) = random.number(-0.8, 0.8);
  displace_joints(model, turn, wanted.q);
  LinkFrames frames(model);
  compute_link_frames(model, wanted, frames);
  const Frame hand = model.frame("hand");
  FrameGoal goal;
  goal.frame = hand;
  goal.pose = {frame_position(frames, hand), frame_orientation(frames, hand)};
  InverseKinematicsOptions options;
  options.posture = wanted.q;
  State start = wanted;
  displace_joints(model, VectorX::Constant(model.joint_count(), 0.2), start.q);
  const InverseKinematicsResult found = solve_inverse_kinematics(model, start, {goal}, options);
  ASSERT_TRUE(found.report.converged());
  EXPECT_LT(joint_difference(model, found.q, wanted.q).norm(), 1e-6);
}

TEST(SphericalLimits, AreKeptBySearches) {
  ModelDescription robot = arm(JointType::spherical).description();
  robot.links[0].joint.angle_limit = 0.6;
  const Model model = ModelBuilder(robot).build();
  RandomModels random(29);
  LinkFrames frames(model);
  const Frame hand = model.frame("hand");
  int reached = 0;
  for (int i = 0; i < 10; ++i) {
    State wanted(model);
    VectorX turn(model.joint_count());
    for (Eigen::Index k = 0; k < turn.size(); ++k) turn(k) = random.number(-0.3, 0.3);
    displace_joints(model, turn, wanted.q);
    compute_link_frames(model, wanted, frames);
    FrameGoal goal;
    goal.frame = hand;
    goal.pose = {frame_position(frames, hand), frame_orientation(frames, hand)};
    const InverseKinematicsResult found = solve_inverse_kinematics(model, State(model), {goal});
    EXPECT_LE(found.q.head<3>().norm(), 0.6 * (1.0 + 1e-15));
    reached += found.report.converged() ? 1 : 0;
  }
  EXPECT_EQ(reached, 10);
  // a goal beyond the limit is not reached, and the joint that is at its limit is named
  State beyond(model);
  beyond.q.head<3>() = Vector3(1.4, 0.0, 0.0);
  compute_link_frames(model, beyond, frames);
  FrameGoal goal;
  goal.frame = model.frame("upper");
  goal.pose = {frame_position(frames, goal.frame), frame_orientation(frames, goal.frame)};
  const InverseKinematicsResult found = solve_inverse_kinematics(model, State(model), {goal});
  EXPECT_FALSE(found.report.converged());
  EXPECT_NEAR(found.q.head<3>().norm(), 0.6, 1e-12);
  EXPECT_EQ(found.report.at_limit.front(), 1);
  InverseKinematicsOptions unlimited;
  unlimited.respect_limits = false;
  EXPECT_TRUE(solve_inverse_kinematics(model, State(model), {goal}, unlimited).report.converged());
}

TEST(SphericalPaths, AreNotForPathsOfAFloatingBase) {
  const Model model = arm(JointType::spherical);
  FreeFloatingPath path;
  path.time = {0.0};
  path.states = {State(model)};
  FrameGoal goal;
  goal.frame = model.frame("hand");
  EXPECT_THROW(solve_free_floating_inverse_kinematics(model, path, {goal}, {}), DomainError);
}

INSTANTIATE_TEST_SUITE_P(Roots, SphericalGoals,
                         ::testing::Values(JointType::spherical, JointType::free, JointType::screw,
                                           JointType::universal, JointType::cylindrical,
                                           JointType::planar),
                         [](const auto& instance) {
                           return std::string(joint_traits(instance.param).name);
                         });

}  // namespace
}  // namespace spacedyn::testing::spherical_goals_test
