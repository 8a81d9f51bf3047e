// Joints that follow others: projection by hand, Lagrange's equation of a pair, every method.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "random_mimic.hpp"
#include "spacedyn/analysis/inverse_kinematics.hpp"
#include "spacedyn/analysis/linearization.hpp"
#include "spacedyn/analysis/modes.hpp"
#include "spacedyn/constraints/constrained_dynamics.hpp"
#include "spacedyn/control/computed_torque.hpp"
#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/state/followers.hpp"
#include "support/message_of.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::mimic_joint_test {
namespace {

using ::testing::HasSubstr;

TEST(MimicJoint, MovesRandomTreesAsTheirProjection) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const RandomMimic robot(seed);
    RandomModels random(seed + 100);
    const State state = robot.state(random);
    const Loads loads = random.loads(*robot.tree);
    const int n = robot.tree->joint_count();
    // GᵀHG ÿ = Gᵀ (τ − c), u̇ = G ÿ
    const MatrixX H = inertia_matrix(*robot.tree, state);
    const VectorX bias = inverse_dynamics(*robot.tree, state, VectorX::Zero(6 + n), loads);
    VectorX tau(6 + n);
    tau << loads.F_b, loads.tau;
    const Eigen::LLT<MatrixX> factors(robot.G.transpose() * H * robot.G);
    const VectorX rate = factors.solve(robot.G.transpose() * (tau - bias));
    const ConstrainedMotion motion = constrained_motion(*robot.model, state, loads);
    const double size = 1.0 + rate.norm();
    // the condition of H times rounding
    EXPECT_LT((motion.acceleration - robot.G * rate).norm(), 2e-12 * size) << "seed " << seed;
    EXPECT_LT((own_motion(*robot.model, motion.acceleration) - rate).norm(), 2e-12 * size);
    EXPECT_EQ(motion.degrees_of_freedom, 6 + n - 4);
    // the same maps
    EXPECT_LT((own_matrix(*robot.model, H) - robot.G.transpose() * H * robot.G).norm(),
              1e-13 * H.norm());
    EXPECT_LT((own_force(*robot.model, tau) - robot.G.transpose() * tau).norm(),
              1e-14 * tau.norm());
    EXPECT_LT((own_columns(*robot.model, H) - H * robot.G).norm(), 1e-14 * H.norm());
    for (const int joint : robot.model->coordinates()) {
      const Eigen::Index row =
          std::find(robot.model->coordinates().begin(), robot.model->coordinates().end(), joint) -
          robot.model->coordinates().begin();
      EXPECT_NEAR(own_force(*robot.model, loads.tau, joint), (robot.G.transpose() * tau)(6 + row),
                  1e-14 * tau.norm());
    }
  }
}

TEST(MimicJoint, FollowsToTheLastBitAndKeepsEnergyAndMomentum) {
  const RandomMimic robot(3);
  RandomModels random(5);
  SimulationSetup setup;
  setup.model = robot.model;
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  const Trajectory flight = simulate(setup, robot.state(random), 5.0, 0.05);
  for (const TrajectoryPoint& point : flight.points) {
    for (const Follower& each : robot.model->followers()) {
      EXPECT_EQ(point.state.q(each.joint - 1),
                each.ratio * point.state.q(each.followed - 1) + each.offset);
      EXPECT_EQ(point.state.qd(each.joint - 1), each.ratio * point.state.qd(each.followed - 1));
      EXPECT_NEAR(point.acceleration(each.joint + 5),
                  each.ratio * point.acceleration(each.followed + 5),
                  1e-14 * point.acceleration.norm());
    }
  }
  EXPECT_LT(flight.result.audit.momentum_drift(), 1e-10);
  EXPECT_LT(flight.result.audit.energy_residual(), 1e-10);
  EXPECT_EQ(flight.result.loops.rows, 0);
  EXPECT_EQ(flight.result.loops.rank, 0);
}

/// Two links about z on a fixed base, their centroids on x; b follows a.
constexpr double kRatio = -0.7, kOffset = 0.3;
constexpr double kMass[] = {2.0, 1.5}, kInertia[] = {0.4, 0.3}, kArm[] = {0.5, -0.3};
constexpr double kStiffness[] = {3.0, 5.0}, kRest[] = {0.2, -0.4}, kDamping[] = {0.1, 0.25};
constexpr double kRotor = 0.02, kTurns = 4.0, kGravity = 9.0;

ModelDescription pair_description() {
  BaseDescription base = base_body(1.0, {1, 1, 1});
  base.fixed = true;
  ModelBuilder builder("pair");
  builder.set_base(base);
  for (int i = 0; i < 2; ++i) {
    LinkDescription link = link_body(i == 0 ? "a" : "b", "base", kMass[i], {1, 1, kInertia[i]},
                                     {0.3 * i, 0.1, 0.2 * i}, {kArm[i], 0, 0});
    link.joint.stiffness = kStiffness[i];
    link.joint.rest_position = kRest[i];
    link.joint.damping = kDamping[i];
    if (i == 1) {
      link.joint.mimic = MimicDescription{"a", kRatio, kOffset};
      link.joint.rotor_inertia = kRotor;
      link.joint.gear_ratio = kTurns;
    }
    builder.add_link(link);
  }
  return builder.description();
}

std::shared_ptr<const Model> pair() {
  return std::make_shared<const Model>(ModelBuilder(pair_description()).build());
}

/// Reflected to joint a.
double pair_inertia() {
  const double I_a = kInertia[0] + kMass[0] * kArm[0] * kArm[0];
  const double I_b = kInertia[1] + kMass[1] * kArm[1] * kArm[1] + kTurns * kTurns * kRotor;
  return I_a + kRatio * kRatio * I_b;
}

/// Springs and dampers of both.
double passive(double q, double qd) {
  const double f_a = -kStiffness[0] * (q - kRest[0]) - kDamping[0] * qd;
  const double f_b = -kStiffness[1] * (kRatio * q + kOffset - kRest[1]) - kDamping[1] * kRatio * qd;
  return f_a + kRatio * f_b;
}

/// Lagrange's equation of the one coordinate, gravity along −y.
double pair_acceleration(double q, double qd, double torque) {
  const double weight = -kMass[0] * kGravity * kArm[0] * std::cos(q) -
                        kRatio * kMass[1] * kGravity * kArm[1] * std::cos(kRatio * q + kOffset);
  return (torque + passive(q, qd) + weight) / pair_inertia();
}

SimulationSetup pair_setup(const IntegratorOptions& integrator) {
  SimulationSetup setup;
  setup.model = pair();
  setup.base_mode = BaseMode::fixed;
  setup.gravity = {0, -kGravity, 0};
  setup.integrator = integrator;
  return setup;
}

TEST(MimicJoint, OfAPairIsOneCoordinateOfLagrange) {
  SimulationSetup setup = pair_setup(dopri5(1e-12));
  State start(*setup.model);
  EXPECT_EQ(start.q(1), kOffset);
  start.q(0) = 0.8;
  start.qd(0) = -0.5;
  const Trajectory flight = simulate(setup, start, 4.0, 0.1);
  for (const TrajectoryPoint& point : flight.points) {
    const double q = point.state.q(0), qd = point.state.qd(0);
    EXPECT_NEAR(point.acceleration(6), pair_acceleration(q, qd, 0.0), 1e-13 * 40.0);
  }
  EXPECT_LT(flight.result.audit.energy_residual(), 1e-10);
  // what drives an imposed motion, with springs and dampers of both
  setup.prescribed_joints = {
      {1, std::make_shared<QuinticReference>(VectorX::Constant(1, 0.1), VectorX::Constant(1, 1.2),
                                             0.0, 3.0)}};
  const Trajectory led = simulate(setup, State(*setup.model), 3.0, 0.1);
  for (const TrajectoryPoint& point : led.points) {
    const double q = point.state.q(0), qd = point.state.qd(0), qdd = point.acceleration(6);
    const double torque = pair_inertia() * (qdd - pair_acceleration(q, qd, 0.0)) + passive(q, qd);
    EXPECT_NEAR(own_force(*setup.model, point.forces.tail<2>(), 1), torque, 1e-12 * 30.0);
    EXPECT_EQ(point.state.q(1), kRatio * q + kOffset);
  }
  EXPECT_LT(led.result.audit.energy_residual(), 1e-10);
}

TEST(MimicJoint, HasTheFrequencyAndTheLinearModelOfThePair) {
  ModelDescription robot = pair_description();
  for (LinkDescription& link : robot.links) link.joint.rest_position = 0.0;
  robot.links[1].joint.mimic->offset = 0.0;
  const auto model = std::make_shared<const Model>(ModelBuilder(robot).build());
  const double stiffness = kStiffness[0] + kRatio * kRatio * kStiffness[1];
  const double damping = kDamping[0] + kRatio * kRatio * kDamping[1];
  const double omega = std::sqrt(stiffness / pair_inertia());
  const Mobility joints_only(false, {true, true});
  const Modes modes = compute_modes(*model, State(*model), joints_only);
  ASSERT_EQ(modes.modes.size(), 1u);
  const Mode& mode = modes.modes.front();
  EXPECT_NEAR(mode.omega, omega, 1e-14 * omega);
  EXPECT_NEAR(mode.damping_ratio, damping / (2.0 * omega * pair_inertia()), 1e-15);
  EXPECT_NEAR(mode.modal_mass, pair_inertia(), 1e-14);
  EXPECT_NEAR(mode.shape(6), 1.0, 1e-15);
  EXPECT_NEAR(mode.shape(7), kRatio, 1e-15);
  EXPECT_NEAR(mode.strain_share.sum(), 1.0, 1e-14);

  ForcedSystem system;
  system.model = model;
  system.base_mode = BaseMode::fixed;
  const Linearization linear = linearize(system, State(*model), 0.0);
  EXPECT_EQ(linear.state_names, (std::vector<std::string>{"a.position", "a.velocity"}));
  EXPECT_EQ(linear.input_names, (std::vector<std::string>{"a.torque"}));
  EXPECT_NEAR(linear.A(1, 0), -stiffness / pair_inertia(), 1e-13);
  EXPECT_NEAR(linear.A(1, 1), -damping / pair_inertia(), 1e-14);
  EXPECT_NEAR(linear.B(1, 0), 1.0 / pair_inertia(), 1e-14);
  // a joint that is held takes the other with it
  const Mobility held(false, {false, true});
  EXPECT_TRUE(compute_modes(*model, State(*model), held).modes.empty());
}

TEST(MimicJoint, IsKeptByEveryMethod) {
  // the flight of Lagrange's equation by a method of high order, of which others have their error
  SimulationSetup exact = pair_setup(dopri5(1e-13));
  State start(*exact.model);
  start.q(0) = 0.8;
  const double expected = simulate(exact, start, 1.0).state.q(0);
  for (const IntegrationMethod method : all_integration_methods()) {
    const MethodTraits traits = method_traits(method);
    const State end = simulate(pair_setup(fixed_step(method, 2e-3)), start, 1.0).state;
    EXPECT_EQ(end.q(1), kRatio * end.q(0) + kOffset) << traits.name;
    EXPECT_EQ(end.qd(1), kRatio * end.qd(0)) << traits.name;
    EXPECT_NEAR(end.q(0), expected, traits.order == 1 ? 2e-2 : 1e-4) << traits.name;
  }
}

TEST(MimicJoint, KeepsTheOrderOfRodas) {
  SimulationSetup setup = pair_setup(dopri5(1e-13));
  State start(*setup.model);
  start.q(0) = 0.8;
  const double expected = simulate(setup, start, 1.0).state.q(0);
  double errors[2];
  for (int i = 0; i < 2; ++i) {
    setup.integrator = fixed_step(IntegrationMethod::rodas, i == 0 ? 0.02 : 0.01);
    errors[i] = std::abs(simulate(setup, start, 1.0).state.q(0) - expected);
  }
  EXPECT_GT(errors[0] / errors[1], 12.0);  // 2⁴, less what higher orders do
}

TEST(MimicJoint, IsLockedWithWhatItFollows) {
  SimulationSetup setup = pair_setup(dopri5(1e-10));
  setup.locked_joints = {1};
  setup.events.push_back({"go", time_event(0.5), CrossingDirection::both, {ReleaseAction{1}}});
  setup.events.push_back({"stay", time_event(1.0), CrossingDirection::both, {LockAction{1}}});
  State start(*setup.model);
  start.q(0) = 0.8;
  const Trajectory flight = simulate(setup, start, 1.5, 0.1);
  for (const TrajectoryPoint& point : flight.points) {
    EXPECT_EQ(point.state.q(1), kRatio * point.state.q(0) + kOffset);
    if (point.time < 0.45) EXPECT_EQ(point.state.q(0), 0.8);
    if (point.time > 1.05) EXPECT_EQ(point.state.qd(1), 0.0);
  }
  EXPECT_GT(std::abs(flight.points.back().state.q(0) - 0.8), 0.1);
}

TEST(MimicJoint, IsKnownToComputedTorque) {
  SimulationSetup setup = pair_setup(dopri5(1e-11));
  ComputedTorque::Settings track;
  track.joints = {1};
  track.stiffness = VectorX::Constant(1, 9.0);
  track.damping = VectorX::Constant(1, 6.0);
  track.reference = std::make_shared<ConstantReference>(VectorX::Constant(1, 0.5));
  track.surroundings.base_floats = false;
  track.surroundings.gravity = setup.gravity;
  setup.controllers.push_back(std::make_shared<ComputedTorque>("track", *setup.model, track));
  State start(*setup.model);
  start.q(0) = -0.3;
  const Trajectory flight = simulate(setup, start, 2.0, 0.1);
  for (const TrajectoryPoint& point : flight.points) {
    // ë + 6 ė + 9 e = 0: e = e_0 (1 + 3 t) exp(−3 t)
    const double t = point.time;
    EXPECT_NEAR(0.5 - point.state.q(0), 0.8 * (1.0 + 3.0 * t) * std::exp(-3.0 * t), 1e-9);
  }
  const auto message = [](const auto& function) { return message_of<Error>(function); };
  ModelDescription robot = pair_description();
  robot.links.push_back(link_body("c", "b", 1.0, {1, 1, 1}, {0.2, 0, 0}, {0.1, 0, 0}));
  const auto longer = std::make_shared<const Model>(ModelBuilder(robot).build());
  track.joints = {*longer->find_joint("c")};
  EXPECT_THAT(message([&] { ComputedTorque("track", *longer, track); }),
              HasSubstr("joint 'a', which joint 'b' follows, must be among its joints"));
  track.joints = {*longer->find_joint("b")};
  EXPECT_THAT(message([&] { ComputedTorque("track", *longer, track); }),
              HasSubstr("joint 'b' has no coordinate of its own: it follows 'a'"));
}

TEST(MimicJoint, IsFoundByInverseKinematics) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const RandomMimic robot(seed);
    RandomModels random(seed + 50);
    const State there = robot.state(random);
    LinkFrames frames(*robot.model);
    compute_link_frames(*robot.model, there, frames);
    const Frame hand = robot.model->frame("hand");
    FrameGoal goal;
    goal.frame = hand;
    goal.kind = GoalKind::position;
    goal.pose.position = frame_position(frames, hand);
    State start = there;
    start.q += 0.2 * random.vector(static_cast<int>(start.q.size()));
    const InverseKinematicsResult found = solve_inverse_kinematics(*robot.model, start, {goal});
    ASSERT_TRUE(found.report.converged()) << "seed " << seed;
    State reached = there;
    reached.q = found.q;
    for (const Follower& each : robot.model->followers()) {
      EXPECT_EQ(reached.q(each.joint - 1), each.ratio * reached.q(each.followed - 1) + each.offset);
    }
    compute_link_frames(*robot.model, reached, frames);
    EXPECT_LT((frame_position(frames, hand) - goal.pose.position).norm(), 1e-9);
  }
}

}  // namespace
}  // namespace spacedyn::testing::mimic_joint_test
