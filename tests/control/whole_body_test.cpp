// Stacks of tasks against inverse kinematics, forward dynamics and the equations that they promise.
#include "spacedyn/control/whole_body.hpp"

#include <cmath>

#include "spacedyn/control/steady_rates.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/passive_joints.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/math/orientation_error.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/aggregate.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/state/robot_state.hpp"
#include "support/allocation_guard.hpp"
#include "support/contexts.hpp"
#include "support/random_models.hpp"

namespace spacedyn::whole_body_test {
namespace {

using testing::RandomModels;
using testing::Snapshot;
using testing::TreeShape;

const std::vector<int> kAll = {0, 1, 2, 3, 4, 5};

std::shared_ptr<const PoseReference> path() {
  PosePath::Stop stop;
  stop.at = 4.0;
  stop.position = Vector3(0.3, 0.2, -0.4);
  stop.rotation = exp_so3(Vector3(0.2, -0.5, 0.3));
  return std::make_shared<PosePath>(Pose{}, std::vector<PosePath::Stop>{stop}, 0.0);
}

Task frame_task(const Frame& frame) {
  Task task;
  task.frame = frame;
  task.axes = kAll;
  task.pose = path();
  task.gain = VectorX::Constant(6, 2.0);
  task.stiffness = (VectorX(6) << 4.0, 5.0, 6.0, 7.0, 8.0, 9.0).finished();
  task.damping = VectorX::Constant(6, 3.0);
  return task;
}

/// A random chain with seven driven joints of ten.
struct Rig {
  explicit Rig(unsigned seed, bool is_fixed = false)
      : random(seed),
        description(describe(is_fixed)),
        model(ModelBuilder(description).build()),
        state(random.state(model)) {
    settings.joints = {1, 2, 3, 5, 6, 8, 10};
    settings.rate_gain = VectorX::Constant(7, 50.0);
    settings.known.gravity = is_fixed ? Vector3(0.3, -1.0, -9.0) : Vector3(Vector3::Zero());
    settings.known.base_floats = !is_fixed;
  }
  ModelDescription describe(bool is_fixed) {
    ModelDescription tree = random.description(TreeShape{10, 1, 0.2, true});
    tree.base.fixed = is_fixed;
    FrameDescription tip;
    tip.name = "tip";
    tip.link = tree.links.back().name;
    tip.origin.position = Vector3(0.2, -0.1, 0.3);
    tree.frames.push_back(tip);
    for (LinkDescription& link : tree.links) {
      link.joint.stiffness = random.number(0.0, 5.0);
      link.joint.damping = random.number(0.0, 1.0);
    }
    return tree;
  }

  RandomModels random;
  ModelDescription description;
  Model model;
  State state;
  WholeBody::Settings settings;
};

/// u̇ under a controller, springs and dampers, gravity and external loads.
VectorX accelerations(const Rig& rig, const Controller& law, const Snapshot& now, double time,
                      Loads loads) {
  VectorX command(law.command_size());
  law.command(now.at(time), command);
  law.apply(now.at(time), command, loads);
  loads.tau += passive_torque(rig.model, rig.state);
  loads.gravity = rig.settings.known.gravity;
  return forward_dynamics(rig.model, rig.state, loads);
}

Vector6 acceleration_of(const Rig& rig, const Frame& frame, const VectorX& acceleration) {
  const FrameJacobians J = frame_jacobians(rig.model, rig.state, frame);
  return J.J_m * acceleration.tail(rig.model.joint_count()) + J.J_b * acceleration.head<6>() +
         J.J_m_dot * rig.state.qd + J.J_b_dot * rig.state.velocity().head<6>();
}

TEST(WholeBody, RatesGiveTheTwistThatATaskAsksForWhateverTheMomentum) {
  for (const bool is_fixed : {false, true}) {
    Rig rig(3, is_fixed);
    rig.settings.tasks = {frame_task(rig.model.frame("tip"))};
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
    const PoseMotion goal = path()->evaluate(1.5, {});
    Vector6 wanted = goal.velocity;
    wanted.head<3>() += 2.0 * (goal.position - frame_position(frames, hand));
    wanted.tail<3>() += 2.0 * orientation_error(goal.rotation, frame_orientation(frames, hand));
    const Vector6 got = frame_velocity(frames, velocities, hand);
    EXPECT_LE((got - wanted).norm(), 1e-10 * wanted.norm()) << "fixed base: " << is_fixed;
  }
}

TEST(WholeBody, TorquesGiveTheAccelerationThatATaskAsksFor) {
  for (const bool is_fixed : {false, true}) {
    Rig rig(4, is_fixed);
    const Frame hand = rig.model.frame("tip");
    rig.settings.level = WholeBody::Level::torque;
    rig.settings.tasks = {frame_task(hand)};
    rig.settings.limits = {false, false, false};
    const WholeBody law("steer", rig.settings);
    const Snapshot now(rig.model, rig.state);
    const VectorX found = accelerations(rig, law, now, 1.5, Loads(rig.model));
    const Task& task = rig.settings.tasks[0];
    const PoseMotion goal = path()->evaluate(1.5, {});
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
  Rig rig(5);
  const Frame hand = rig.model.frame("tip");
  const VectorX mass = (VectorX(6) << 20.0, 25.0, 30.0, 2.0, 3.0, 4.0).finished();
  Task task = frame_task(hand);
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
  const PoseMotion goal = path()->evaluate(1.5, {});
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
  Rig rig(6);
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
    Rig rig(7);
    rig.settings.level = level;
    rig.settings.limits = {false, false, false};
    Task hand = frame_task(rig.model.frame("tip"));
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
    Task turn = frame_task(rig.model.frame("tip"));
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
  Rig rig(8);
  for (LinkDescription& link : rig.description.links) {
    link.joint.velocity_limit = 0.2;
    link.joint.effort_limit = 1.5;
    link.joint.position_lower = -4.0;
    link.joint.position_upper = 4.0;
  }
  rig.model = ModelBuilder(rig.description).build();
  rig.state.qd *= 0.1;
  Task far = frame_task(rig.model.frame("tip"));
  far.gain *= 50.0;
  far.stiffness *= 50.0;
  rig.settings.tasks = {far};
  const Snapshot now(rig.model, rig.state);
  const WholeBody rates("rates", rig.settings);
  EXPECT_LE(rates.solution(now.at(1.0)).cwiseAbs().maxCoeff(), 0.2 + 1e-12);
  EXPECT_GT(rates.shortfall(now.at(1.0)), 0.01);
  rig.settings.level = WholeBody::Level::torque;
  rig.settings.limits = {false, true, false};
  const WholeBody torques("torques", rig.settings);
  EXPECT_LE(torques.solution(now.at(1.0)).cwiseAbs().maxCoeff(), 1.5 + 1e-12);
  EXPECT_GT(torques.shortfall(now.at(1.0)), 0.01);
  // q̈ within κ of the limits, which efforts reach
  rig.settings.limits = {true, false, true};
  const WholeBody brakes("brakes", rig.settings);
  Rig& free = rig;
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

/// Two copies of a robot that fly side by side.
struct Pair {
  explicit Pair(const Rig& rig) {
    const auto one = std::make_shared<const Model>(ModelBuilder(rig.description).build());
    model = std::make_shared<const Model>(
        ModelBuilder(
            aggregate("pair", {RobotPart{"a", one, true, {}}, RobotPart{"b", one, true, {}}}))
            .build());
    state = State(*model);
    set_robot_state(*model, model->robots()[0], rig.state, state);
    other = rig.state;
    other.r_0 += Vector3(0.5, -1.0, 2.0);
    other.A_0 = exp_so3(Vector3(0.3, 0.2, -0.4)) * other.A_0;
    other.omega_0 = Vector3(0.1, 0.3, -0.2);
    other.v_0 = Vector3(0.2, 0.1, 0.05);
    set_robot_state(*model, model->robots()[1], other, state);
  }
  std::shared_ptr<const Model> model;
  State state, other;
};

TEST(WholeBody, SteersOneOfSeveralRobotsAsIfItWereAlone) {
  for (const auto level : {WholeBody::Level::rate, WholeBody::Level::torque}) {
    Rig rig(9);
    rig.settings.level = level;
    Task reaction;
    reaction.type = Task::Type::base_reaction;
    reaction.axes = {3, 4, 5};
    rig.settings.tasks = {frame_task(rig.model.frame("tip")), reaction};
    rig.settings.tasks[0].priority = 2;
    const Snapshot alone(rig.model, rig.state);
    const VectorX expected = WholeBody("steer", rig.settings).solution(alone.at(1.0));
    const Pair pair(rig);
    rig.settings.robot = pair.model->robots()[1 - 1];
    rig.settings.known.base_floats = false;
    for (int& joint : rig.settings.joints) joint += rig.settings.robot->first_joint() - 1;
    rig.settings.tasks[0].frame = pair.model->frame("a.tip");
    const Snapshot both(*pair.model, pair.state);
    const VectorX found = WholeBody("steer", rig.settings).solution(both.at(1.0));
    EXPECT_LE((found - expected).norm(), 1e-9 * expected.norm());
  }
}

TEST(WholeBody, FollowsAFrameOfATumblingTarget) {
  // relative rates by differences of relative poses along the motion at the solved rates
  Rig rig(10);
  const Pair pair(rig);
  rig.settings.robot = pair.model->robots()[0];
  rig.settings.known.base_floats = false;
  for (int& joint : rig.settings.joints) joint += rig.settings.robot->first_joint() - 1;
  Task task = frame_task(pair.model->frame("a.tip"));
  task.relative_to = pair.model->frame("b.tip");
  task.pose = std::make_shared<HeldPose>(Pose{Vector3(0.1, 0.2, 0.3), Matrix3::Identity()});
  rig.settings.tasks = {task};
  rig.settings.level = WholeBody::Level::torque;
  rig.settings.limits = {false, false, false};
  const WholeBody law("follow", rig.settings);
  const Snapshot now(*pair.model, pair.state);
  VectorX command(7);
  law.command(now.at(0.0), command);
  Loads loads(*pair.model);
  law.apply(now.at(0.0), command, loads);
  loads.tau += passive_torque(*pair.model, pair.state);
  const VectorX found = forward_dynamics(*pair.model, pair.state, loads);
  LinkVelocities velocities(*pair.model);
  LinkAccelerations links(*pair.model);
  compute_link_velocities(*pair.model, pair.state, now.frames(), velocities);
  compute_link_accelerations(*pair.model, pair.state, now.frames(), velocities, found, links);
  // the relative twist along the motion
  const auto relative = [&](double h) {
    State moved = pair.state;
    for (const Robot& robot : pair.model->robots()) {
      BaseMotion base = base_motion(*pair.model, robot, pair.state);
      const auto body = static_cast<std::size_t>(robot.base.body);
      const Vector3 v_dot = links.vd[body], omega_dot = links.omegad[body];
      base.r_0 += h * base.v_0 + 0.5 * h * h * v_dot;
      base.A_0 = exp_so3(h * base.omega_0 + 0.5 * h * h * omega_dot) * base.A_0;
      base.v_0 += h * v_dot;
      base.omega_0 += h * omega_dot;
      set_base_motion(*pair.model, robot, base, moved);
      for (int joint = robot.first_joint(); joint < robot.end; ++joint) {
        moved.q(joint - 1) += h * pair.state.qd(joint - 1) + 0.5 * h * h * found(joint + 5);
        moved.qd(joint - 1) += h * found(joint + 5);
      }
    }
    LinkFrames frames(*pair.model);
    LinkVelocities moving(*pair.model);
    compute_link_frames(*pair.model, moved, frames);
    compute_link_velocities(*pair.model, moved, frames, moving);
    const Vector6 own = frame_velocity(frames, moving, task.frame);
    const Vector6 of_F = frame_velocity(frames, moving, *task.relative_to);
    const Matrix3 A_F = frame_orientation(frames, *task.relative_to);
    const Vector3 d =
        frame_position(frames, task.frame) - frame_position(frames, *task.relative_to);
    Vector6 result;
    result << A_F.transpose() * (own.head<3>() - of_F.head<3>() - of_F.tail<3>().cross(d)),
        A_F.transpose() * (own.tail<3>() - of_F.tail<3>());
    Pose pose{A_F.transpose() * d, A_F.transpose() * frame_orientation(frames, task.frame)};
    return std::pair(result, pose);
  };
  constexpr double h = 1e-4;
  const Vector6 rate = (8.0 * (relative(h).first - relative(-h).first) -
                        (relative(2 * h).first - relative(-2 * h).first)) /
                       (12.0 * h);
  const auto [twist, pose] = relative(0.0);
  Vector6 e;
  e << Vector3(0.1, 0.2, 0.3) - pose.position,
      orientation_error(Matrix3::Identity(), pose.rotation);
  const Vector6 wanted = task.stiffness.cwiseProduct(e) - task.damping.cwiseProduct(twist);
  EXPECT_LE((rate - wanted).norm(), 1e-5 * wanted.norm());
}

TEST(WholeBody, AllocatesNothingAfterItsFirstUse) {
  if (!testing::counts_allocations()) GTEST_SKIP();
  for (const auto level : {WholeBody::Level::rate, WholeBody::Level::torque}) {
    Rig rig(11);
    rig.settings.level = level;
    Task reaction;
    reaction.type = Task::Type::base_reaction;
    reaction.axes = {3, 4, 5};
    reaction.priority = 2;
    rig.settings.tasks = {frame_task(rig.model.frame("tip")), reaction};
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
