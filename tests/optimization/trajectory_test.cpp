// Planned motions: closed forms, flights of the plans, limits between the rows, bad input.
#include "spacedyn/optimization/trajectory.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "spacedyn/control/computed_torque.hpp"
#include "spacedyn/control/spline_reference.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/state/followers.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"
#include "support/shipped.hpp"
#include "support/small_models.hpp"

namespace spacedyn::trajectory_test {
namespace {

using ::testing::HasSubstr;
using testing::message_of;

constexpr double kNone = std::numeric_limits<double>::infinity();

TrajectoryLimits no_limits(Eigen::Index n) {
  const VectorX none = VectorX::Constant(n, kNone);
  return {-none, none, none, none, kNone};
}

/// One link about z on a base that is fixed, J = 2 + 10 · 0.75².
constexpr double kInertia = 7.625;
Model hinge() {
  ModelDescription description = testing::one_link_description();
  description.base.fixed = true;
  return ModelBuilder(description).build();
}

TrajectoryGoal goal_of(std::vector<int> joints, const VectorX& to) {
  TrajectoryGoal goal;
  goal.joints = std::move(joints);
  goal.to = to;
  goal.limits = no_limits(to.size());
  return goal;
}

/// What a flight of a plan under computed torque shows.
struct Flight final : SimulationObserver {
  Flight(std::shared_ptr<const Model> model, const State& start, const JointTrajectory& plan)
      : joints(plan.joints) {
    SimulationSetup setup;
    setup.model = model;
    setup.base_mode = model->has_fixed_base() ? BaseMode::fixed : BaseMode::floating;
    ComputedTorque::Settings settings;
    const auto n = static_cast<Eigen::Index>(joints.size());
    settings.joints = joints;
    settings.stiffness = VectorX::Constant(n, 4.0);
    settings.damping = VectorX::Constant(n, 4.0);
    settings.effort_limit = VectorX::Constant(n, kNone);
    settings.reference = std::make_shared<SplineReference>(plan.time, plan.position);
    settings.surroundings.base_floats = !model->has_fixed_base();
    for (int joint = 1; joint <= model->joint_count(); ++joint) {
      if (std::count(joints.begin(), joints.end(), joint) == 0 && !model->follower(joint)) {
        setup.locked_joints.push_back(joint);
      }
    }
    settings.surroundings.locked = setup.locked_joints;
    effort = rate = VectorX::Zero(n);
    setup.controllers.push_back(std::make_shared<ComputedTorque>("plan", *model, settings));
    setup.integrator = testing::adaptive(IntegrationMethod::dop853, 1e-12);
    end = Simulator(setup).run(start, plan.duration(), plan.duration() / 1000.0, *this).state;
  }
  void on_output(const SimulationPoint& point) override {
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      effort(row) = std::max(effort(row), std::abs(point.forces(joints[i] + 5)));
      rate(row) = std::max(rate(row), std::abs(point.state.qd(joints[i] - 1)));
    }
    base_rate = std::max(base_rate, point.state.omega_0.norm());
  }

  std::vector<int> joints;
  VectorX effort, rate;
  double base_rate = 0.0;
  State end;
};

TEST(JointTrajectories, WithoutLimitsIsTheQuinticOfLeastJerk) {
  const auto model = testing::shipped_robot("dual_arm");
  VectorX to(3);
  to << 1.0, -0.5, 0.3;
  TrajectoryGoal goal = goal_of({1, 2, 4}, to);
  goal.duration = 8.0;
  const JointTrajectory plan = plan_trajectory(*model, State(*model), goal);
  EXPECT_TRUE(plan.feasible) << plan.message;
  EXPECT_EQ(plan.duration(), 8.0);
  for (std::size_t i = 0; i < plan.time.size(); ++i) {
    const double s = plan.time[i] / 8.0;
    const double part = s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
    const VectorX row = plan.position.col(static_cast<Eigen::Index>(i));
    EXPECT_LE((row - part * to).norm(), 1e-6) << i;
  }
}

TEST(JointTrajectories, NearsTheShortestTimeOfADoubleIntegrator) {
  const Model model = hinge();
  TrajectoryGoal goal = goal_of({1}, VectorX::Constant(1, 1.2));
  goal.limits->effort.setConstant(3.0);
  // bang–bang: 2 √(J Δq/τ), which no spline reaches
  const double least = 2.0 * std::sqrt(kInertia * 1.2 / 3.0);
  double longer = 1e9;
  for (const int knots : {3, 8, 20}) {
    goal.knots = knots;
    const JointTrajectory plan = plan_trajectory(model, State(model), goal);
    EXPECT_TRUE(plan.feasible) << plan.message;
    EXPECT_GE(plan.duration(), least);
    EXPECT_LT(plan.duration(), longer);
    longer = plan.duration();
  }
  EXPECT_LE(longer, 1.1 * least);
  // where the rate alone is limited the path has no shortest time below Δq/v
  goal = goal_of({1}, VectorX::Constant(1, 1.2));
  goal.limits->rate.setConstant(0.2);
  const JointTrajectory plan = plan_trajectory(model, State(model), goal);
  EXPECT_GE(plan.duration(), 6.0);
  EXPECT_LE(plan.duration(), 6.0 * 1.4);
}

TEST(JointTrajectories, KeepsItsLimitsInAFlight) {
  const auto model = testing::shipped_robot("dual_arm");
  State start(*model);
  start.q << 0.3, 0.5, -0.4, 0.2, 0.6, -0.2;
  VectorX to(6);
  to << -0.8, 1.2, 0.5, 0.9, -0.5, 0.6;
  TrajectoryGoal goal = goal_of({1, 2, 3, 4, 5, 6}, to);
  goal.limits->rate.setConstant(0.4);
  goal.limits->effort << 2.0, 1.5, 0.5, 2.0, 1.5, 0.5;
  const JointTrajectory fast = plan_trajectory(*model, start, goal);
  ASSERT_TRUE(fast.feasible) << fast.message;
  const Flight flight(model, start, fast);
  // the torques of an independent computation, at a thousand instants
  EXPECT_LE(flight.effort.cwiseQuotient(goal.limits->effort).maxCoeff(), 1.0 + 1e-6);
  EXPECT_LE(flight.rate.maxCoeff(), 0.4 * (1.0 + 1e-6));
  EXPECT_GE(std::max(fast.used.rate, fast.used.effort), 0.999);
  EXPECT_LE((flight.end.q - to).norm(), 1e-8);
  EXPECT_LE((log_so3(start.A_0.transpose() * flight.end.A_0) - fast.base_turn).norm(), 1e-7);
  EXPECT_NEAR(flight.base_rate, fast.base_rate, 1e-3 * fast.base_rate);

  goal.limits->base_rate = 0.3 * fast.base_rate;
  const JointTrajectory calm = plan_trajectory(*model, start, goal);
  ASSERT_TRUE(calm.feasible) << calm.message;
  EXPECT_GT(calm.duration(), fast.duration());
  EXPECT_LE(Flight(model, start, calm).base_rate, goal.limits->base_rate * (1.0 + 1e-6));

  goal.duration = 1.5 * calm.duration();
  const JointTrajectory smooth = plan_trajectory(*model, start, goal);
  EXPECT_TRUE(smooth.feasible) << smooth.message;
  goal.duration = 0.2 * fast.duration();
  const JointTrajectory vain = plan_trajectory(*model, start, goal);
  EXPECT_FALSE(vain.feasible);
  EXPECT_THAT(vain.message, HasSubstr("of its limit"));
}

TEST(JointTrajectories, LeadsJointsThatFollow) {
  ModelDescription robot = testing::shipped_robot("dual_arm")->description();
  // the elbow of one arm follows its shoulder, and has a spring
  robot.links[1].joint.mimic = MimicDescription{robot.links[0].joint.name, -1.5, 0.2};
  robot.links[1].joint.position_lower = -kNone;
  robot.links[1].joint.position_upper = kNone;
  robot.links[1].joint.velocity_limit = robot.links[1].joint.effort_limit = kNone;
  robot.links[1].joint.stiffness = 0.3;
  const auto model = std::make_shared<const Model>(ModelBuilder(robot).build());
  ASSERT_EQ(model->followers().size(), 1u);
  const Follower& follower = model->followers().front();
  State start(*model);
  start.q << 0.3, 0.5, -0.4, 0.2, 0.6, -0.2;
  follow(*model, start);
  VectorX to(2);
  to << -0.8, 0.9;
  TrajectoryGoal goal = goal_of({follower.followed, 4}, to);
  goal.limits->rate.setConstant(0.4);
  goal.limits->effort << 2.0, 1.5;
  const JointTrajectory plan = plan_trajectory(*model, start, goal);
  ASSERT_TRUE(plan.feasible) << plan.message;
  const Flight flight(model, start, plan);
  EXPECT_LE(flight.rate.maxCoeff(), 0.4 * (1.0 + 1e-6));
  EXPECT_NEAR(flight.end.q(follower.followed - 1), to(0), 1e-8);
  EXPECT_NEAR(flight.end.q(follower.joint - 1), -1.5 * to(0) + 0.2, 1e-8);
  EXPECT_LE((log_so3(start.A_0.transpose() * flight.end.A_0) - plan.base_turn).norm(), 1e-7);
  EXPECT_NEAR(flight.base_rate, plan.base_rate, 1e-3 * plan.base_rate);
  EXPECT_GE(std::max(plan.used.rate, plan.used.effort), 0.999);
  goal.joints = {follower.joint, 4};
  EXPECT_THAT(message_of<Error>([&] { (void)plan_trajectory(*model, start, goal); }),
              HasSubstr("follows '"));
}

TEST(JointTrajectories, HoldsWeightAndSpringsOnTheGround) {
  const Model model = hinge();
  TrajectoryGoal goal = goal_of({1}, VectorX::Constant(1, 1.5));
  goal.gravity = Vector3(0.0, -0.1, 0.0);
  // weight: 10 kg · 0.75 m · 0.1 m/s² = 0.75 N m at the start
  goal.limits->effort.setConstant(1.0);
  const JointTrajectory plan = plan_trajectory(model, State(model), goal);
  EXPECT_TRUE(plan.feasible) << plan.message;
  goal.limits->effort.setConstant(0.5);
  EXPECT_FALSE(plan_trajectory(model, State(model), goal).feasible);
}

TEST(JointTrajectories, TurnsTheBaseByALoopOfTheJoints) {
  const auto model = testing::shipped_robot("dual_arm");
  State start(*model);
  start.q << 0.3, 0.5, -0.4, 0.2, 0.6, -0.2;
  TrajectoryGoal goal = goal_of({1, 2, 3, 4, 5, 6}, start.q);
  goal.duration = 60.0;
  goal.base_turn = Vector3(0.004, -0.006, 0.01);
  const JointTrajectory plan = plan_trajectory(*model, start, goal);
  ASSERT_TRUE(plan.feasible) << plan.message;
  const Flight flight(model, start, plan);
  EXPECT_LE((flight.end.q - start.q).norm(), 1e-8);
  EXPECT_LE((log_so3(start.A_0.transpose() * flight.end.A_0) - *goal.base_turn).norm(), 2e-6);
}

TEST(JointTrajectories, WithoutReactionLeavesTheAttitudeAsItIs) {
  const auto model = testing::shipped_robot("dual_arm");
  State start(*model);
  start.q << 0.3, 0.5, -0.4, 0.2, 0.6, -0.2;
  VectorX to(6);
  to << 0.6, 0.2, 0.1, 0.5, 0.1, 0.4;
  TrajectoryGoal goal = goal_of({1, 2, 3, 4, 5, 6}, to);
  goal.duration = 20.0;
  const JointTrajectory plan = plan_reactionless_path(*model, start, goal);
  EXPECT_THAT(plan.message, HasSubstr("cannot be reached"));
  EXPECT_FALSE(plan.feasible);
  const VectorX end = plan.position.rightCols<1>();
  EXPECT_LT((end - to).norm(), (start.q - to).norm());
  const Flight flight(model, start, plan);
  const double ordinary = plan_trajectory(*model, start, goal).base_rate;
  EXPECT_LE(flight.base_rate, 1e-3 * ordinary);
  EXPECT_LE(log_so3(flight.end.A_0).norm(), 1e-5);

  // its own end is a goal that can be reached
  goal.to = end;
  const JointTrajectory again = plan_reactionless_path(*model, start, goal);
  EXPECT_LE((again.position.rightCols<1>() - start.q).norm(), (end - start.q).norm() + 1e-9);
}

TEST(JointTrajectories, WithoutReactionLeadsJointsThatFollow) {
  ModelDescription robot = testing::shipped_robot("dual_arm")->description();
  JointDescription& led = robot.links[1].joint;
  led.mimic = MimicDescription{robot.links[0].joint.name, -0.8, 0.2};
  led.position_lower = -kNone;
  led.position_upper = led.velocity_limit = led.effort_limit = kNone;
  const auto model = std::make_shared<const Model>(ModelBuilder(robot).build());
  const Follower& follower = model->followers().front();
  State start(*model);
  start.q << 0.3, 0.5, -0.4, 0.2, 0.6, -0.2;
  follow(*model, start);
  TrajectoryGoal goal;
  goal.joints = model->coordinates();
  goal.to = own_motion(*model, start.q) + VectorX::Constant(5, 0.3);
  goal.duration = 20.0;
  const JointTrajectory plan = plan_reactionless_path(*model, start, goal);
  const Flight flight(model, start, plan);
  EXPECT_EQ(flight.end.q(follower.joint - 1), -0.8 * flight.end.q(follower.followed - 1) + 0.2);
  EXPECT_GE((own_motion(*model, flight.end.q - start.q)).norm(), 0.1);
  EXPECT_LE(flight.base_rate, 1e-3 * plan_trajectory(*model, start, goal).base_rate);
  EXPECT_LE(log_so3(flight.end.A_0).norm(), 1e-5);
}

TEST(JointTrajectories, RefusesGoalsWithoutMeaning) {
  const auto model = testing::shipped_robot("dual_arm");
  const State start(*model);
  const auto message = [&](auto change) {
    TrajectoryGoal goal = goal_of({1, 2}, VectorX::Zero(2));
    goal.duration = 5.0;
    change(goal);
    return message_of<Error>([&] { (void)plan_trajectory(*model, start, goal); });
  };
  EXPECT_THAT(message([](TrajectoryGoal& g) { g.joints = {1, 9}; }), HasSubstr("no joint 9"));
  EXPECT_THAT(message([](TrajectoryGoal& g) { g.joints = {2, 2}; }), HasSubstr("named twice"));
  EXPECT_THAT(message([](TrajectoryGoal& g) { g.to = VectorX::Zero(3); }), HasSubstr("expected 2"));
  EXPECT_THAT(message([](TrajectoryGoal& g) { g.duration = -1.0; }), HasSubstr("duration"));
  EXPECT_THAT(message([](TrajectoryGoal& g) { g.duration.reset(); }),
              HasSubstr("needs limits of rates"));
  EXPECT_THAT(message([](TrajectoryGoal& g) { g.limits->upper.setConstant(-1.0); }),
              HasSubstr("outside of its limits"));
  EXPECT_THAT(message([](TrajectoryGoal& g) { g.gravity = Vector3::UnitX(); }),
              HasSubstr("without gravity"));
  EXPECT_THAT(message([](TrajectoryGoal& g) { g.knots = 0; }), HasSubstr("knots"));
  EXPECT_THAT(message([](TrajectoryGoal& g) { g.base_turn = Vector3(4, 0, 0); }),
              HasSubstr("less than"));
  TrajectoryGoal on_ground = goal_of({1}, VectorX::Zero(1));
  on_ground.duration = 1.0;
  const Model fixed = hinge();
  EXPECT_THAT(
      message_of<Error>([&] { (void)plan_reactionless_path(fixed, State(fixed), on_ground); }),
      HasSubstr("base that floats"));
}

}  // namespace
}  // namespace spacedyn::trajectory_test
