// What knows joints that follow others besides the dynamics: stacks of tasks, impacts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "random_mimic.hpp"
#include "spacedyn/control/whole_body.hpp"
#include "spacedyn/inertia/base_response.hpp"
#include "spacedyn/inertia/impact_index.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "support/contexts.hpp"
#include "support/message_of.hpp"

namespace spacedyn::testing::mimic_tasks_test {
namespace {

using ::testing::HasSubstr;

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
  settings.level = WholeBody::Level::torque;
  settings.rate_gain.resize(0);
  settings.joints = settings.tasks[0].joints = {1};
  settings.tasks[0].gain.resize(0);
  settings.tasks[0].stiffness = settings.tasks[0].damping = VectorX::Ones(1);
  EXPECT_THAT(message_of<DomainError>([&] { WholeBody("hand", settings).check(model); }),
              HasSubstr("does not know joints that follow others"));
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
