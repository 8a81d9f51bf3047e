// Stacks of tasks of one robot among several, against the robot alone and differences.
#include <cmath>

#include <gtest/gtest.h>

#include "driven_chain.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/forces/passive_joints.hpp"
#include "spacedyn/kinematics/link_motion.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/aggregate.hpp"
#include "spacedyn/state/robot_state.hpp"
#include "support/contexts.hpp"

namespace spacedyn::whole_body_robots_test {
namespace {

using testing::DrivenChain;
using testing::Snapshot;
using testing::tip_task;

/// Two copies of a robot that fly side by side.
struct Pair {
  explicit Pair(const DrivenChain& rig) {
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

TEST(WholeBodyOfOneRobot, SteersOneOfSeveralRobotsAsIfItWereAlone) {
  for (const auto level : {WholeBody::Level::rate, WholeBody::Level::torque}) {
    DrivenChain rig(9);
    rig.settings.level = level;
    Task reaction;
    reaction.type = Task::Type::base_reaction;
    reaction.axes = {3, 4, 5};
    rig.settings.tasks = {tip_task(rig.model.frame("tip")), reaction};
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

TEST(WholeBodyOfOneRobot, FollowsAFrameOfATumblingTarget) {
  // relative rates by differences of relative poses along the motion at the solved rates
  DrivenChain rig(10);
  const Pair pair(rig);
  rig.settings.robot = pair.model->robots()[0];
  rig.settings.known.base_floats = false;
  for (int& joint : rig.settings.joints) joint += rig.settings.robot->first_joint() - 1;
  Task task = tip_task(pair.model->frame("a.tip"));
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

}  // namespace
}  // namespace spacedyn::whole_body_robots_test
