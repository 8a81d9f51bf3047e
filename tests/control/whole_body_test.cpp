// Stacks of tasks against inverse kinematics, forward dynamics and the equations that they promise.
#include "spacedyn/control/whole_body.hpp"

#include <cmath>

#include "driven_chain.hpp"
#include "spacedyn/control/steady_rates.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/passive_joints.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/allocation_guard.hpp"
#include "support/contexts.hpp"

namespace spacedyn::whole_body_test {
namespace {

using testing::DrivenChain;
using testing::Snapshot;
using testing::tip_path;
using testing::tip_task;

/// u̇ under a controller, springs and dampers, gravity and external loads.
VectorX accelerations(const DrivenChain& rig, const Controller& law, const Snapshot& now,
                      double time, Loads loads) {
  VectorX command(law.command_size());
  law.command(now.at(time), command);
  law.apply(now.at(time), command, loads);
  loads.tau += passive_torque(rig.model, rig.state);
  loads.gravity = rig.settings.known.gravity;
  return forward_dynamics(rig.model, rig.state, loads);
}

Vector6 acceleration_of(const DrivenChain& rig, const Frame& frame, const VectorX& acceleration) {
  const FrameJacobians J = frame_jacobians(rig.model, rig.state, frame);
  return J.J_m * acceleration.tail(rig.model.joint_count()) + J.J_b * acceleration.head<6>() +
         J.J_m_dot * rig.state.qd + J.J_b_dot * rig.state.velocity().head<6>();
}

TEST(WholeBody, RatesGiveTheTwistThatATaskAsksForWhateverTheMomentum) {
  for (const bool is_fixed : {false, true}) {
    DrivenChain rig(3, is_fixed);
    rig.settings.tasks = {tip_task(rig.model.frame("tip"))};
    rig.settings.limits = {false, false, false};
    const WholeBody law("steer", rig.settings);
    const Snapshot now(rig.model, rig.state);
    const VectorX rates = law.solution(now.at(1.5));
    // the joints at these rates, the others and the momentum as they are
    State moved = rig.state;
    for (std::size_t i = 0; i < rig.settings.joints.size(); ++i) {
      moved.qd(rig.settings.joints[i] - 1) = rates(static_cast<Eigen::Index>(i));
    }
    if (!is_fixed) {
      const BaseResponse response = base_response(rig.model, rig.state);
      LinkVelocities own(rig.model);
      compute_link_velocities(rig.model, rig.state, now.frames(), own);
      const Momentum before = momentum(rig.model, now.frames(), own);
      Vector6 h;
      h << before.linear, before.angular_base;
      const Vector6 twist = base_twist(response, moved.qd, h);
      moved.v_0 = twist.head<3>();
      moved.omega_0 = twist.tail<3>();
    }
    LinkFrames frames(rig.model);
    LinkVelocities velocities(rig.model);
    compute_link_frames(rig.model, moved, frames);
    compute_link_velocities(rig.model, moved, frames, velocities);
    const Frame hand = rig.model.frame("tip");
    const PoseMotion goal = tip_path()->evaluate(1.5, {});
    Vector6 wanted = goal.velocity;
    wanted.head<3>() += 2.0 * (goal.position - frame_position(frames, hand));
    wanted.tail<3>() += 2.0 * orientation_error(goal.rotation, frame_orientation(frames, hand));
    const Vector6 got = frame_velocity(frames, velocities, hand);
    EXPECT_LE((got - wanted).norm(), 1e-10 * wanted.norm()) << "fixed base: " << is_fixed;
  }
}

TEST(WholeBody, TorquesGiveTheAccelerationThatATaskAsksFor) {
  for (const bool is_fixed : {false, true}) {
    DrivenChain rig(4, is_fixed);
    const Frame hand = rig.model.frame("tip");
    rig.settings.level = WholeBody::Level::torque;
    rig.settings.tasks = {tip_task(hand)};
    rig.settings.limits = {false, false, false};
    const WholeBody law("steer", rig.settings);
    const Snapshot now(rig.model, rig.state);
    const VectorX found = accelerations(rig, law, now, 1.5, Loads(rig.model));
    const Task& task = rig.settings.tasks[0];
    const PoseMotion goal = tip_path()->evaluate(1.5, {});
    LinkVelocities velocities(rig.model);
    compute_link_velocities(rig.model, rig.state, now.frames(), velocities);
    Vector6 e, ed = goal.velocity - frame_velocity(now.frames(), velocities, hand);
    e << goal.position - frame_position(now.frames(), hand),
        orientation_error(goal.rotation, frame_orientation(now.frames(), hand));
    const Vector6 edd = goal.acceleration - acceleration_of(rig, hand, found);
    const Vector6 rest = edd + task.damping.cwiseProduct(ed) + task.stiffness.cwiseProduct(e);
    EXPECT_LE(rest.norm(), 1e-9 * edd.norm()) << "fixed base: " << is_fixed;
  }
}

TEST(WholeBody, ImpedanceAnswersForcesLikeItsMass) {
  DrivenChain rig(5);
  const Frame hand = rig.model.frame("tip");
  const VectorX mass = (VectorX(6) << 20.0, 25.0, 30.0, 2.0, 3.0, 4.0).finished();
  Task task = tip_task(hand);
  const VectorX K = task.stiffness, D = task.damping;
  task.mass = mass;
  task.stiffness = K.cwiseQuotient(mass);
  task.damping = D.cwiseQuotient(mass);
  rig.settings.level = WholeBody::Level::torque;
  rig.settings.tasks = {task};
  rig.settings.limits = {false, false, false};
  const Vector6 push = (Vector6() << 5.0, -3.0, 2.0, 0.4, -0.7, 0.9).finished();
  rig.settings.forces = {{std::make_shared<AppliedWrench>("push", hand, WrenchAxes::inertial,
                                                          TimeTable::constant(push)),
                          0}};
  const WholeBody law("soft", rig.settings);
  const Snapshot now(rig.model, rig.state);
  Loads loads(rig.model);
  rig.settings.forces[0].force->apply(now.at(1.5), loads);
  const VectorX found = accelerations(rig, law, now, 1.5, loads);
  const PoseMotion goal = tip_path()->evaluate(1.5, {});
  LinkVelocities velocities(rig.model);
  compute_link_velocities(rig.model, rig.state, now.frames(), velocities);
  Vector6 e;
  e << goal.position - frame_position(now.frames(), hand),
      orientation_error(goal.rotation, frame_orientation(now.frames(), hand));
  const Vector6 ed = goal.velocity - frame_velocity(now.frames(), velocities, hand);
  const Vector6 edd = goal.acceleration - acceleration_of(rig, hand, found);
  const Vector6 rest = mass.cwiseProduct(edd) + D.cwiseProduct(ed) + K.cwiseProduct(e) + push;
  EXPECT_LE(rest.norm(), 1e-9 * (mass.cwiseProduct(edd).norm() + push.norm()));
}

TEST(WholeBody, BaseReactionKeepsTheJointsFromTurningTheBase) {
  // D q̈ + Ḋ q̇ + damping D q̇ = 0, by differences of D along the motion
  DrivenChain rig(6);
  rig.settings.level = WholeBody::Level::torque;
  rig.settings.limits = {false, false, false};
  Task reaction;
  reaction.type = Task::Type::base_reaction;
  reaction.axes = {3, 4, 5};
  reaction.damping = VectorX::Constant(3, 0.7);
  Task motion;
  motion.type = Task::Type::posture;
  motion.priority = 2;
  motion.joints = rig.settings.joints;
  motion.reference = std::make_shared<SteadyRates>(VectorX::Constant(7, 0.3));
  motion.damping = VectorX::Constant(7, 2.0);
  rig.settings.tasks = {reaction, motion};
  const WholeBody law("quiet", rig.settings);
  const Snapshot now(rig.model, rig.state);
  const VectorX found = accelerations(rig, law, now, 0.0, Loads(rig.model));
  const auto turn_at = [&](double h) {
    State moved = rig.state;
    moved.A_0 = exp_so3(h * rig.state.omega_0) * rig.state.A_0;
    moved.q += h * rig.state.qd;
    const Matrix6X D = base_response(rig.model, moved).D;
    Vector3 sum = Vector3::Zero();
    for (const int joint : rig.settings.joints) {
      sum += D.col(joint - 1).tail<3>() * (rig.state.qd(joint - 1) + h * found(joint + 5));
    }
    return sum;
  };
  constexpr double h = 1e-4;
  const Vector3 rate =
      (8.0 * (turn_at(h) - turn_at(-h)) - (turn_at(2 * h) - turn_at(-2 * h))) / (12.0 * h);
  EXPECT_LE((rate + 0.7 * turn_at(0.0)).norm(), 1e-9 * (1.0 + turn_at(0.0).norm()));
}

TEST(WholeBody, LowerTasksLeaveHigherOnesAsTheyAre) {
  for (const auto level : {WholeBody::Level::rate, WholeBody::Level::torque}) {
    DrivenChain rig(7);
    rig.settings.level = level;
    rig.settings.limits = {false, false, false};
    Task hand = tip_task(rig.model.frame("tip"));
    hand.axes = {0, 1, 2};
    for (VectorX* gains : {&hand.gain, &hand.stiffness, &hand.damping})
      gains->conservativeResize(3);
    rig.settings.tasks = {hand};
    const Snapshot now(rig.model, rig.state);
    const WholeBody alone("alone", rig.settings);
    MatrixX J;
    VectorX b;
    alone.task_rows(now.at(1.0), 0, J, b);
    const VectorX before = J * alone.solution(now.at(1.0));
    Task posture;
    posture.type = Task::Type::posture;
    posture.priority = 3;
    posture.joints = rig.settings.joints;
    posture.reference = std::make_shared<ConstantReference>(VectorX::Constant(7, 0.5));
    posture.gain = posture.stiffness = posture.damping = VectorX::Constant(7, 9.0);
    Task turn = tip_task(rig.model.frame("tip"));
    turn.priority = 2;
    turn.axes = {3, 4, 5};
    for (VectorX* gains : {&turn.gain, &turn.stiffness, &turn.damping})
      gains->conservativeResize(3);
    rig.settings.tasks = {posture, hand, turn};
    const WholeBody stack("stack", rig.settings);
    const VectorX y = stack.solution(now.at(1.0));
    EXPECT_LE((J * y - before).norm(), 1e-10 * before.norm());
    EXPECT_GT((y - alone.solution(now.at(1.0))).norm(), 0.1) << "the others have the rest";
  }
}

TEST(WholeBody, KeepsLimitsOfRatesEffortsAndPositions) {
  DrivenChain rig(8);
  for (LinkDescription& link : rig.description.links) {
    link.joint.velocity_limit = 0.2;
    link.joint.effort_limit = 1.5;
    link.joint.position_lower = -4.0;
    link.joint.position_upper = 4.0;
  }
  rig.model = ModelBuilder(rig.description).build();
  rig.state.qd *= 0.1;
  Task far = tip_task(rig.model.frame("tip"));
  far.gain *= 50.0;
  far.stiffness *= 50.0;
  rig.settings.tasks = {far};
  const Snapshot now(rig.model, rig.state);
  const WholeBody rates("rates", rig.settings);
  EXPECT_LE(rates.solution(now.at(1.0)).cwiseAbs().maxCoeff(), 0.2 + 1e-12);
  EXPECT_GT(rates.shortfall(now.at(1.0)).part, 0.01);
  rig.settings.level = WholeBody::Level::torque;
  rig.settings.limits = {false, true, false};
  const WholeBody torques("torques", rig.settings);
  EXPECT_LE(torques.solution(now.at(1.0)).cwiseAbs().maxCoeff(), 1.5 + 1e-12);
  EXPECT_GT(torques.shortfall(now.at(1.0)).part, 0.01);
  EXPECT_EQ(torques.shortfall(now.at(1.0)).limit, WholeBody::Limit::effort);
  // q̈ within κ of the limits, which efforts reach
  rig.settings.limits = {true, false, true};
  const WholeBody brakes("brakes", rig.settings);
  DrivenChain& free = rig;
  VectorX command = brakes.solution(now.at(1.0));
  Loads loads(rig.model);
  for (std::size_t i = 0; i < 7; ++i)
    loads.tau(rig.settings.joints[i] - 1) = command(static_cast<Eigen::Index>(i));
  loads.tau += passive_torque(free.model, free.state);
  const VectorX found = forward_dynamics(free.model, free.state, loads);
  for (const int joint : rig.settings.joints) {
    const double qd = rig.state.qd(joint - 1), qdd = found(joint + 5);
    EXPECT_LE(qdd, 10.0 * (0.2 - qd) + 1e-8);
    EXPECT_GE(qdd, -10.0 * (0.2 + qd) - 1e-8);
  }
}

TEST(WholeBody, ComplianceIsAForceOnTheFrameAndHoldsAgainstGravity) {
  for (const bool is_fixed : {false, true}) {
    DrivenChain rig(12, is_fixed);
    const Frame hand = rig.model.frame("tip");
    Task task = tip_task(hand);
    task.type = Task::Type::compliance;
    task.axes = {0, 2, 4};
    task.stiffness = Vector3(40.0, 50.0, 6.0);
    task.damping = Vector3(3.0, 4.0, 5.0);
    task.gain.resize(0);
    task.joints = rig.settings.joints;
    rig.settings.level = WholeBody::Level::torque;
    rig.settings.tasks = {task};
    rig.settings.limits = {false, false, false};
    const WholeBody law("soft", rig.settings);
    law.check(rig.model);
    const Snapshot now(rig.model, rig.state);
    const PoseMotion goal = tip_path()->evaluate(1.5, {});
    LinkVelocities velocities(rig.model);
    compute_link_velocities(rig.model, rig.state, now.frames(), velocities);
    Vector6 e, force = Vector6::Zero();
    e << goal.position - frame_position(now.frames(), hand),
        orientation_error(goal.rotation, frame_orientation(now.frames(), hand));
    const Vector6 ed = goal.velocity - frame_velocity(now.frames(), velocities, hand);
    for (int r = 0; r < 3; ++r) {
      const int axis = task.axes[static_cast<std::size_t>(r)];
      force(axis) = task.stiffness(r) * e(axis) + task.damping(r) * ed(axis);
    }
    const FrameJacobians J = frame_jacobians(rig.model, rig.state, hand);
    MatrixX J_star = J.J_m;
    if (!is_fixed) J_star += J.J_b * base_response(rig.model, rig.state).D;
    State rest = rig.state;
    rest.v_0.setZero();
    rest.omega_0.setZero();
    rest.qd.setZero();
    const VectorX weight = bias_forces(rig.model, rest, rig.settings.known.gravity);
    const VectorX found = law.solution(now.at(1.5));
    VectorX expected(7);
    for (Eigen::Index i = 0; i < 7; ++i) {
      const int joint = rig.settings.joints[static_cast<std::size_t>(i)];
      expected(i) = J_star.col(joint - 1).dot(force) + (is_fixed ? weight(joint + 5) : 0.0);
    }
    EXPECT_LE((found - expected).norm(), 1e-9 * expected.norm()) << "fixed base: " << is_fixed;
  }
}

TEST(WholeBody, RemembersWhereASampledPathBegins) {
  DrivenChain rig(13);
  PosePath::Stop stop;
  stop.at = 2.0;
  stop.position = Vector3(0.1, 0.2, 0.3);
  Task task = tip_task(rig.model.frame("tip"));
  task.pose = std::make_shared<PosePath>(std::nullopt, std::vector<PosePath::Stop>{stop}, 1.0);
  rig.settings.tasks = {task};
  rig.settings.sample_period = 0.1;
  const WholeBody law("steer", rig.settings);
  ASSERT_EQ(law.auxiliary_size(), 0);
  VectorX memory = VectorX::Zero(law.memory_size());
  const auto sample = [&](double time, double shift) {
    State moved = rig.state;
    moved.r_0.x() += shift;
    const Snapshot now(rig.model, moved);
    const EvaluationContext at{time,  rig.model, moved, now.frames(), now.at(time).velocities,
                               memory};
    VectorX next = memory;
    law.advance(at, next);
    memory = next;
    return frame_position(now.frames(), task.frame);
  };
  const Vector3 first = sample(0.0, 0.0);
  sample(0.5, 0.1);
  EXPECT_EQ(Vector3(memory.head<3>()), first) << "held until the path begins";
  const Vector3 begun = sample(1.0, 0.2);
  sample(1.5, 0.3);
  EXPECT_EQ(Vector3(memory.head<3>()), begun);
}

TEST(WholeBody, AllocatesNothingAfterItsFirstUse) {
  if (!testing::counts_allocations()) GTEST_SKIP();
  for (const auto level : {WholeBody::Level::rate, WholeBody::Level::torque}) {
    DrivenChain rig(11);
    rig.settings.level = level;
    Task reaction;
    reaction.type = Task::Type::base_reaction;
    reaction.axes = {3, 4, 5};
    reaction.priority = 2;
    rig.settings.tasks = {tip_task(rig.model.frame("tip")), reaction};
    const WholeBody law("steer", rig.settings);
    const Snapshot now(rig.model, rig.state);
    VectorX command(7);
    law.command(now.at(0.0), command);
    const long before = testing::allocation_count();
    law.command(now.at(0.5), command);
    EXPECT_EQ(testing::allocation_count(), before);
  }
}

}  // namespace
}  // namespace spacedyn::whole_body_test
