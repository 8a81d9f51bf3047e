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
                         ::testing::Values(JointType::spherical, JointType::free),
                         [](const auto& instance) {
                           return std::string(joint_traits(instance.param).name);
                         });

}  // namespace
}  // namespace spacedyn::testing::spherical_goals_test
