#include "spacedyn/analysis/inverse_kinematics.hpp"

#include <cmath>

#include "analysis/arms.hpp"
#include "analysis/flights.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/property.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing::free_floating_inverse_kinematics_test {
namespace {

/// Distance of a frame from its goal, m and rad together.
double error_at(const Model& model, const State& state, const FrameGoal& goal) {
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  double error = 0.0;
  if (goal.kind != GoalKind::orientation) {
    error += (frame_position(frames, goal.frame) - goal.pose.position).norm();
  }
  if (goal.kind != GoalKind::position) {
    error += orientation_error(goal.pose.rotation, frame_orientation(frames, goal.frame)).norm();
  }
  return error;
}

/// A pose of the hand that the robot can fly to: where some joint motion brings it.
FrameGoal reachable_goal(const Model& model, const State& start, const VectorX& q,
                         const FlightOptions& options = {}) {
  const auto path =
      continue_free_floating_path(model, FreeFloatingPath(start), {{1.0, q}}, options);
  return goal_at(model, path.states.back(), "hand");
}

TEST(FreeFloatingInverseKinematics, TheSimulatorArrivesAtTheGoal) {
  RandomModels random(231);
  for (int trial = 0; trial < 10; ++trial) {
    const Model model = random.model(TreeShape{7, 1, 0.2, true});
    const State start = random.state(model);
    const FrameGoal goal = reachable_goal(model, start, start.q + random.vector(7, 0.8));
    FreeFloatingOptions options;
    options.flight.largest_joint_step = 10.0;  // one sample a piece: fewer flights
    const auto result =
        solve_free_floating_inverse_kinematics(model, FreeFloatingPath(start), {goal}, options);
    ASSERT_TRUE(result.report.converged());
    const State& end = result.path.states.back();
    EXPECT_LE(error_at(model, end, goal), 2e-9);
    const State flown = flown_end(model, result.path);
    EXPECT_LE(error_at(model, flown, goal), 1e-7);
    EXPECT_LE((flown.A_0 - end.A_0).norm(), 1e-8);
    EXPECT_LE((flown.r_0 - end.r_0).norm(), 1e-8);
  }
}

TEST(FreeFloatingInverseKinematics, DiffersFromThatOfABaseAtRest) {
  const Model model = build(planar_arm(2));
  State start(model);
  start.q << 0.3, 0.9;
  const FrameGoal goal = position_goal(model, "tip", {1.2, 1.4, 0.0});
  const auto result =
      solve_free_floating_inverse_kinematics(model, FreeFloatingPath(start), {goal});
  ASSERT_TRUE(result.report.converged());
  State at_rest = start;
  at_rest.q = result.path.states.back().q;
  EXPECT_GT(error_at(model, at_rest, goal), 0.1);
}

TEST(FreeFloatingInverseKinematics, RepeatedTasksDoNotRepeatTheJoints) {
  // the hand goes round a square and comes back, the joints and the base do not
  const Model model = build(planar_arm(2));
  State start(model);
  start.q << 0.3, 0.9;
  const Vector3 corner = goal_at(model, start, "tip").pose.position;
  FreeFloatingPath path(start);
  for (const Vector3& offset : {Vector3(-0.4, 0.0, 0.0), Vector3(-0.4, -0.4, 0.0),
                                Vector3(0.0, -0.4, 0.0), Vector3(0.0, 0.0, 0.0)}) {
    auto result = solve_free_floating_inverse_kinematics(
        model, path, {position_goal(model, "tip", corner + offset)});
    ASSERT_TRUE(result.report.converged());
    path = std::move(result.path);
  }
  EXPECT_GT((path.states.back().q - start.q).norm(), 1e-3);
  EXPECT_LE(error_at(model, flown_end(model, path), position_goal(model, "tip", corner)), 1e-7);
}

TEST(FreeFloatingInverseKinematics, ContinuesTheGivenPath) {
  const Model model = build(planar_arm(3));
  const State start(model);
  const auto before = continue_free_floating_path(
      model, FreeFloatingPath(start), {{1.0, (VectorX(3) << 0.3, 0.9, 0.2).finished()}});
  const auto result = solve_free_floating_inverse_kinematics(
      model, before, {position_goal(model, "tip", {1.2, 1.6, 0.0})});
  ASSERT_GT(result.path.states.size(), before.states.size());
  for (std::size_t k = 0; k < before.states.size(); ++k) {
    EXPECT_EQ(result.path.time[k], before.time[k]);
    EXPECT_EQ(result.path.states[k].A_0, before.states[k].A_0);
  }
  for (std::size_t k = 1; k < result.path.time.size(); ++k) {
    EXPECT_GT(result.path.time[k], result.path.time[k - 1]);
  }
}

TEST(FreeFloatingInverseKinematics, AGoalAlreadyReachedNeedsNoMotion) {
  const Model model = build(planar_arm(2));
  State start(model);
  start.q << 0.3, 0.9;
  const auto result = solve_free_floating_inverse_kinematics(model, FreeFloatingPath(start),
                                                             {goal_at(model, start, "tip")});
  EXPECT_TRUE(result.report.converged());
  EXPECT_EQ(result.path.states.size(), 1u);
}

TEST(FreeFloatingInverseKinematics, ASingularStartIsLeft) {
  const Model model = build(planar_arm(2));
  const State start(model);
  const FrameGoal goal = position_goal(model, "tip", {1.7, 0.0, 0.0});
  const auto result =
      solve_free_floating_inverse_kinematics(model, FreeFloatingPath(start), {goal});
  EXPECT_TRUE(result.report.converged());
  EXPECT_LE(error_at(model, flown_end(model, result.path), goal), 1e-7);
}

TEST(FreeFloatingInverseKinematics, OutOfReachGivesTheBestFound) {
  const Model model = build(planar_arm(2));
  State start(model);
  start.q << 0.3, 0.9;
  const Vector3 target(10.0, 5.0, 0.0);
  const FrameGoal goal = position_goal(model, "tip", target);
  FreeFloatingOptions options;
  options.restarts = 3;
  const auto result =
      solve_free_floating_inverse_kinematics(model, FreeFloatingPath(start), {goal}, options);
  EXPECT_EQ(result.report.status, InverseKinematicsStatus::best_found);
  // no joint rate brings the tip nearer: J*ᵀ e = 0, up to where the error is flat to rounding
  const State& end = result.path.states.back();
  const Vector3 left = target - goal_at(model, end, "tip").pose.position;
  const Matrix6X J_star = generalized_jacobian(model, end, goal.frame);
  EXPECT_LE((J_star.topRows<3>().transpose() * left).norm(), 1e-7 * left.norm());
  EXPECT_NEAR(result.report.residuals[0].position, left.norm(), 1e-12);
  // nothing moves the system centroid, from which the stretched robot reaches 2.5 − 30/120 m
  LinkFrames frames(model);
  compute_link_frames(model, start, frames);
  const Vector3 r_g = (10.0 * frames.r[1] + 10.0 * frames.r[2]) / 120.0;
  EXPECT_GE(left.norm(), (target - r_g).norm() - 2.25);
  EXPECT_LE(left.norm(), (target - r_g).norm() - 2.0);
}

TEST(FreeFloatingInverseKinematics, KeepsLimitsAllTheWay) {
  RandomModels random(232);
  for (int trial = 0; trial < 20; ++trial) {
    ModelDescription description = random.description(TreeShape{7, 1, 0.2, true});
    for (LinkDescription& link : description.links) {
      link.joint.position_lower = random.number(-1.0, -0.1);
      link.joint.position_upper = random.number(0.1, 1.0);
    }
    const Model model = build(description);
    State start = random.state(model);
    start.q.setZero();
    const FrameGoal goal = reachable_goal(model, start, random.vector(7, 0.5));
    FreeFloatingOptions options;
    options.restarts = 2;
    const auto result =
        solve_free_floating_inverse_kinematics(model, FreeFloatingPath(start), {goal}, options);
    for (const State& state : result.path.states) {
      for (int i = 1; i <= 7; ++i) {
        EXPECT_GE(state.q(i - 1), model.joint(i).position_lower);
        EXPECT_LE(state.q(i - 1), model.joint(i).position_upper);
      }
    }
  }
}

TEST(FreeFloatingInverseKinematics, CatchesUpWithASlowDrift) {
  RandomModels random(233);
  int moved = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const Model model = random.model(TreeShape{7, 1, 0.0, true});
    const State start = random.state(model);
    FreeFloatingOptions options;
    options.flight.momentum = random.vector(6, 0.1);
    options.flight.momentum_point = MomentumPoint::system_centroid;
    options.joint_speed = 0.5;
    const FrameGoal goal =
        reachable_goal(model, start, start.q + random.vector(7, 0.5), options.flight);
    const auto result =
        solve_free_floating_inverse_kinematics(model, FreeFloatingPath(start), {goal}, options);
    EXPECT_TRUE(result.report.converged()) << trial;
    EXPECT_LE(error_at(model, result.path.states.back(), goal), 2e-9);
    // the same motion without momentum misses the goal: the drift was there
    std::vector<JointKnot> knots;
    for (std::size_t k = 1; k < result.path.states.size(); ++k) {
      knots.push_back({result.path.time[k], result.path.states[k].q});
    }
    const auto still = continue_free_floating_path(model, FreeFloatingPath(start), knots);
    moved += error_at(model, still.states.back(), goal) > 1e-3 ? 1 : 0;
    const auto again =
        continue_free_floating_path(model, FreeFloatingPath(start), knots, options.flight);
    EXPECT_LE(error_at(model, again.states.back(), goal), 1e-8);
  }
  EXPECT_GE(moved, 15);
}

TEST(FreeFloatingInverseKinematics, ReportsADriftThatOutrunsJoints) {
  const Model model = build(planar_arm(2));
  State start(model);
  start.q << 0.3, 0.9;
  FreeFloatingOptions options;
  options.restarts = 2;
  options.flight.momentum(0) = -1200.0;  // 10 m/s away
  const auto result = solve_free_floating_inverse_kinematics(
      model, FreeFloatingPath(start), {position_goal(model, "tip", {1.2, 1.4, 0.0})}, options);
  EXPECT_NE(result.report.status, InverseKinematicsStatus::converged);
}

TEST(FreeFloatingInverseKinematics, NoJointIsFasterThanItMay) {
  ModelDescription arm = planar_arm(2);
  arm.links[0].joint.velocity_limit = 0.05;
  const Model model = build(arm);
  State start(model);
  start.q << 0.3, 0.9;
  FreeFloatingOptions options;
  options.joint_speed = 0.2;
  const auto result = solve_free_floating_inverse_kinematics(
      model, FreeFloatingPath(start), {position_goal(model, "tip", {1.2, 1.4, 0.0})}, options);
  ASSERT_TRUE(result.report.converged());
  for (std::size_t k = 1; k < result.path.states.size(); ++k) {
    EXPECT_LE(std::abs(result.path.states[k].qd(0)), 0.05 * (1.0 + 1e-9));
    EXPECT_LE(std::abs(result.path.states[k].qd(1)), 0.2 * (1.0 + 1e-9));
  }
}

TEST(FreeFloatingInverseKinematicsProperties, PlacesFlownToAreFound) {
  check_property([] {
    RandomModels random(*rc::gen::resize(100, rc::gen::arbitrary<unsigned>()));
    TreeShape shape;
    shape.links = *rc::gen::resize(100, rc::gen::inRange(7, 10));
    shape.window = 1;
    shape.prismatic_fraction = 0.2;
    const Model model = random.model(shape);
    const State start = random.state(model);
    const FrameGoal goal = reachable_goal(model, start, start.q + random.vector(shape.links, 1.0));
    const auto result =
        solve_free_floating_inverse_kinematics(model, FreeFloatingPath(start), {goal});
    RC_ASSERT(result.report.converged());
    RC_ASSERT(error_at(model, result.path.states.back(), goal) <= 2e-9);
  });
}

}  // namespace
}  // namespace spacedyn::testing::free_floating_inverse_kinematics_test
