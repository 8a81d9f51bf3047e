// What knows joints that follow others besides the dynamics: stacks of tasks, impacts.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "random_mimic.hpp"
#include "spacedyn/analysis/free_floating_path.hpp"
#include "spacedyn/control/whole_body.hpp"
#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/forces/passive_joints.hpp"
#include "spacedyn/inertia/base_response.hpp"
#include "spacedyn/inertia/impact_index.hpp"
#include "spacedyn/inertia/impulse.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "support/contexts.hpp"
#include "support/message_of.hpp"

namespace spacedyn::testing::mimic_tasks_test {
namespace {

using ::testing::HasSubstr;

// Paths of a free-floating robot keep the momentum of all its bodies at zero.
TEST(MimicTasks, MoveAlongFreeFloatingPaths) {
  const RandomMimic robot(2);
  const Model& model = *robot.model;
  RandomModels random(8);
  State start = robot.state(random);
  FreeFloatingPath path(start);
  JointKnot knot;
  knot.time = 2.0;
  knot.q = start.q + random.vector(static_cast<int>(start.q.size()));
  path = continue_free_floating_path(model, path, {knot});
  const State& end = path.states.back();
  for (const Follower& each : model.followers()) {
    EXPECT_EQ(end.q(each.joint - 1), each.ratio * end.q(each.followed - 1) + each.offset);
    EXPECT_NEAR(end.qd(each.joint - 1), each.ratio * end.qd(each.followed - 1), 1e-14);
  }
  for (const int joint : model.coordinates()) EXPECT_EQ(end.q(joint - 1), knot.q(joint - 1));
  // rounding of H times rates of some rad/s
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, end, frames);
  compute_link_velocities(model, end, frames, velocities);
  const Momentum left = momentum(model, frames, velocities);
  EXPECT_LT(left.linear.norm(), 1e-12);
  EXPECT_LT(left.angular_centroid.norm(), 1e-12);
}

TEST(MimicTasks, LeadAWholeBodyAtLevelRate) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const RandomMimic robot(seed);
    const Model& model = *robot.model;
    RandomModels random(seed + 70);
    State state = robot.state(random);
    // of zero momentum, so that the twist is the generalized one alone
    const auto settle = [&](State& at) {
      const Vector6 twist = base_twist(base_response(model, at), at.qd, Vector6::Zero());
      at.v_0 = twist.head<3>();
      at.omega_0 = twist.tail<3>();
    };
    settle(state);
    WholeBody::Settings settings;
    settings.joints = {1, 3, 4, 6, 7};
    settings.rate_gain = VectorX::Ones(5);
    settings.known.base_floats = true;
    settings.limits = {false, false, false};
    Task task;
    task.frame = model.frame("hand");
    task.axes = {0, 1, 2};
    task.gain = VectorX::Constant(3, 0.5);
    Pose goal;
    goal.position = random.vector(3);
    task.pose = std::make_shared<HeldPose>(goal);
    settings.tasks = {task};
    const WholeBody law("hand", settings);
    law.check(model);
    const Snapshot now(model, state);
    const VectorX rates = law.solution(now.at(0.0));
    State moved = state;
    for (std::size_t i = 0; i < settings.joints.size(); ++i) {
      moved.qd(settings.joints[i] - 1) = rates(static_cast<Eigen::Index>(i));
    }
    follow(model, moved);
    settle(moved);
    LinkFrames frames(model);
    LinkVelocities velocities(model);
    compute_link_frames(model, moved, frames);
    compute_link_velocities(model, moved, frames, velocities);
    const Vector3 wanted = 0.5 * (goal.position - frame_position(frames, task.frame));
    const Vector3 got = frame_velocity(frames, velocities, task.frame).head<3>();
    EXPECT_LE((got - wanted).norm(), 1e-10 * (1.0 + wanted.norm())) << "seed " << seed;
  }
}

/// A robot under gravity whose own joints a whole body drives at level torque, and its equations of
/// motion by hand.
struct TorqueRig {
  explicit TorqueRig(unsigned seed) : robot(seed), random(seed + 90), state(robot.state(random)) {
    settings.level = WholeBody::Level::torque;
    settings.joints = robot.model->coordinates();
    settings.known.base_floats = true;
    settings.known.gravity = gravity;
    settings.limits = {false, false, false};
  }
  /// u̇ under the torques of the law.
  VectorX acceleration(const WholeBody& law) const {
    law.check(*robot.model);
    const Snapshot now(*robot.model, state);
    const VectorX torques = law.solution(now.at(0.0));
    Loads loads(*robot.tree);
    loads.gravity = gravity;
    for (std::size_t i = 0; i < settings.joints.size(); ++i) {
      loads.tau(settings.joints[i] - 1) = torques(static_cast<Eigen::Index>(i));
    }
    loads.tau += passive_torque(*robot.tree, state);
    const int n = robot.tree->joint_count();
    VectorX tau = VectorX::Zero(6 + n);
    tau.tail(n) = loads.tau;
    const VectorX bias = inverse_dynamics(*robot.tree, state, VectorX::Zero(6 + n), loads);
    const MatrixX H = inertia_matrix(*robot.tree, state);
    const Eigen::LLT<MatrixX> factors(robot.G.transpose() * H * robot.G);
    return robot.G * factors.solve(robot.G.transpose() * (tau - bias));
  }

  const Vector3 gravity{0.3, -0.5, -1.6};
  RandomMimic robot;
  RandomModels random;
  State state;
  WholeBody::Settings settings;
};

Task moving_task(const Model& model, RandomModels& random) {
  Task task;
  task.frame = model.frame("hand");
  task.axes = {0, 1, 2};
  task.stiffness = VectorX::Constant(3, 3.0);
  task.damping = VectorX::Constant(3, 2.0);
  Pose goal;
  goal.position = random.vector(3);
  task.pose = std::make_shared<HeldPose>(goal);
  return task;
}

// ẍ = damping ė + stiffness e of a hand, with a lower posture of two joints, under gravity.
TEST(MimicTasks, LeadAWholeBodyAtLevelTorque) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    TorqueRig rig(seed);
    const Model& model = *rig.robot.model;
    const Task task = moving_task(model, rig.random);
    rig.settings.tasks = {task};
    const VectorX found = rig.acceleration(WholeBody("hand", rig.settings));
    LinkFrames frames(model);
    LinkVelocities velocities(model);
    LinkAccelerations accelerations(model);
    compute_link_frames(model, rig.state, frames);
    compute_link_velocities(model, rig.state, frames, velocities);
    compute_link_accelerations(model, rig.state, frames, velocities, found, accelerations);
    const Vector3 got = frame_acceleration(frames, velocities, accelerations, task.frame).head<3>();
    const Vector3 goal = task.pose->evaluate(0.0, {}).position;
    const Vector3 wanted = 3.0 * (goal - frame_position(frames, task.frame)) -
                           2.0 * frame_velocity(frames, velocities, task.frame).head<3>();
    // the condition of H times rounding
    EXPECT_LE((got - wanted).norm(), 1e-9 * (1.0 + wanted.norm())) << "seed " << seed;
  }
}

// All joints at once: q̈ = stiffness (q_ref − q) − damping q̇ of each, followers as they must.
TEST(MimicTasks, LeadAPostureAtLevelTorque) {
  TorqueRig rig(6);
  Task posture;
  posture.type = Task::Type::posture;
  posture.joints = rig.settings.joints;
  const auto count = static_cast<Eigen::Index>(posture.joints.size());
  posture.stiffness = VectorX::Constant(count, 4.0);
  posture.damping = VectorX::Constant(count, 1.5);
  posture.reference = std::make_shared<ConstantReference>(VectorX::Constant(count, 0.2));
  rig.settings.tasks = {posture};
  const VectorX found = rig.acceleration(WholeBody("hold", rig.settings));
  for (const int joint : posture.joints) {
    const double wanted = 4.0 * (0.2 - rig.state.q(joint - 1)) - 1.5 * rig.state.qd(joint - 1);
    EXPECT_NEAR(found(joint + 5), wanted, 1e-9 * (1.0 + std::abs(wanted))) << joint;
  }
}

// With no momentum and all joints driven the base turns as D q̇ alone: ω̇_0 = −damping ω_0.
TEST(MimicTasks, KeepTheirReactionFromTheBase) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    TorqueRig rig(seed);
    const Vector6 twist =
        base_twist(base_response(*rig.robot.model, rig.state), rig.state.qd, Vector6::Zero());
    rig.state.v_0 = twist.head<3>();
    rig.state.omega_0 = twist.tail<3>();
    Task still;
    still.type = Task::Type::base_reaction;
    still.axes = {3, 4, 5};
    still.damping = VectorX::Constant(3, 0.7);
    rig.settings.tasks = {still};
    const WholeBody law("still", rig.settings);
    const VectorX found = rig.acceleration(law);
    const Vector3 turns = found.segment<3>(3);
    EXPECT_LE((turns + 0.7 * twist.tail<3>()).norm(), 1e-9 * (1.0 + found.norm()))
        << "seed " << seed;
  }
}

// τ = Gᵀ J*ᵀ f of a compliance, J* of the joints as they follow.
TEST(MimicTasks, GiveWayAsASpringAtTheHand) {
  TorqueRig rig(3);
  const Model& model = *rig.robot.model;
  Task task = moving_task(model, rig.random);
  task.type = Task::Type::compliance;
  task.joints = rig.settings.joints;
  rig.settings.tasks = {task};
  const WholeBody law("soft", rig.settings);
  law.check(model);
  const Snapshot now(model, rig.state);
  LinkVelocities velocities(model);
  compute_link_velocities(model, rig.state, now.frames(), velocities);
  const Vector3 force =
      3.0 * (task.pose->evaluate(0.0, {}).position - frame_position(now.frames(), task.frame)) -
      2.0 * frame_velocity(now.frames(), velocities, task.frame).head<3>();
  const FrameJacobians J = frame_jacobians(*rig.robot.tree, rig.state, task.frame);
  const MatrixX J_star = J.J_m + J.J_b * base_response(*rig.robot.tree, rig.state).D;
  const VectorX on_tree = J_star.topRows<3>().transpose() * force;
  const VectorX expected = own_force(model, on_tree);
  const VectorX found = law.solution(now.at(0.0));
  EXPECT_LE((found - expected).norm(), 1e-9 * expected.norm());
}

TEST(MimicTasks, AreRefusedWhereTheyAreNotKnown) {
  const RandomMimic robot(1);
  const Model& model = *robot.model;
  WholeBody::Settings settings;
  settings.joints = {model.followers().front().joint};
  settings.rate_gain = VectorX::Ones(1);
  Task posture;
  posture.type = Task::Type::posture;
  posture.joints = settings.joints;
  posture.gain = VectorX::Ones(1);
  posture.reference = std::make_shared<ConstantReference>(VectorX::Zero(1));
  settings.tasks = {posture};
  EXPECT_THAT(message_of<DomainError>([&] { WholeBody("hand", settings).check(model); }),
              HasSubstr("has no coordinate of its own: it follows"));
}

TEST(MimicTasks, AnswerImpactsAsTheirProjection) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const RandomMimic robot(seed);
    RandomModels random(seed + 30);
    const State state = robot.state(random);
    const Frame hand = robot.model->frame("hand");
    const FrameJacobians blocks = frame_jacobians(*robot.tree, state, hand);
    MatrixX J(3, robot.tree->velocity_size());
    J << blocks.J_b.topRows<3>(), blocks.J_m.topRows<3>();
    const MatrixX H = inertia_matrix(*robot.tree, state);
    const Eigen::LLT<MatrixX> factors(robot.G.transpose() * H * robot.G);
    const MatrixX expected = robot.G * factors.solve(robot.G.transpose() * MatrixX(J.transpose()));
    const ImpactIndex index = impact_index(*robot.model, state, hand);
    // the condition of H times rounding
    EXPECT_LE((index.velocity_per_impulse - expected).norm(), 1e-11 * expected.norm());
    EXPECT_LE((index.inverse_mass - J * expected).norm(), 1e-11 * (J * expected).norm());
    // all six columns, and of one direction
    MatrixX rows(6, robot.tree->velocity_size());
    rows << blocks.J_b, blocks.J_m;
    const MatrixX by_wrench =
        robot.G * factors.solve(robot.G.transpose() * MatrixX(rows.transpose()));
    const ImpulseResponse response = impulse_response(*robot.model, state, hand);
    EXPECT_LE((response.velocity_per_impulse - by_wrench).norm(), 1e-11 * by_wrench.norm());
    EXPECT_LE((response.inverse_inertia - rows * by_wrench).norm(), 1e-11 * by_wrench.norm());
    const ImpactEffect effect = impact_effect(*robot.model, state, hand, Vector3::UnitY());
    EXPECT_NEAR(effect.effective_mass * (J * expected)(1, 1), 1.0, 1e-11);
    EXPECT_LE((effect.velocity_change - expected.col(1)).norm(), 1e-11 * expected.norm());
    const ImpactIndex locked = impact_index(*robot.model, state, hand, ImpactJoints::locked);
    const ImpactIndex tree = impact_index(*robot.tree, state, hand, ImpactJoints::locked);
    EXPECT_EQ(locked.velocity_per_impulse, tree.velocity_per_impulse);
    EXPECT_LT(locked.inverse_mass.trace(), index.inverse_mass.trace());
    const int following = robot.model->followers().front().joint;
    EXPECT_THAT(message_of<DomainError>([&] {
                  impact_map(*robot.model, state, hand, {following, VectorX::Ones(1)},
                             {1, VectorX::Ones(1)});
                }),
                HasSubstr("of a map of impacts follows '"));
  }
}

}  // namespace
}  // namespace spacedyn::testing::mimic_tasks_test
