// Several robots as one model: the same motion as each alone, and audits that know it.
#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/aggregate.hpp"
#include "spacedyn/model/attachment.hpp"
#include "spacedyn/state/robot_state.hpp"
#include "support/message_of.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::robots_test {
namespace {

constexpr unsigned kSeed = 20260722;

std::shared_ptr<const Model> random_robot(RandomModels& random, int links) {
  TreeShape shape;
  shape.links = links;
  shape.prismatic_fraction = 0.2;
  return std::make_shared<const Model>(random.model(shape));
}

std::shared_ptr<const Model> together(const std::vector<RobotPart>& parts) {
  return std::make_shared<const Model>(ModelBuilder(aggregate("all", parts)).build());
}

SimulationSetup setup_of(std::shared_ptr<const Model> model) {
  SimulationSetup setup;
  setup.base_mode = model->has_fixed_base() ? BaseMode::fixed : BaseMode::floating;
  setup.model = std::move(model);
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  return setup;
}

/// Largest difference of two states of one robot.
double difference(const State& a, const State& b) {
  double most = std::max((a.r_0 - b.r_0).norm(), (a.A_0 - b.A_0).norm());
  most = std::max({most, (a.v_0 - b.v_0).norm(), (a.omega_0 - b.omega_0).norm()});
  return std::max({most, (a.q - b.q).norm(), (a.qd - b.qd).norm()});
}

class Robots : public ::testing::Test {
 protected:
  RandomModels random_{kSeed};
};

TEST_F(Robots, AreNamedAfterThemselves) {
  const auto arm = std::make_shared<const Model>(one_link());
  const auto model = together({{"a", arm, true, {}}, {"b", arm, false, {}}});
  ASSERT_EQ(model->robots().size(), 2U);
  EXPECT_TRUE(model->find_body("a.base") && model->find_joint("a.arm") &&
              model->find_joint("b.arm"));
  EXPECT_TRUE(model->find_frame("a.base.com") && model->find_frame("b.base"));
  EXPECT_EQ(model->joint_count(), 6 + 1 + 1);
  EXPECT_TRUE(model->robots()[0].floats);
  EXPECT_FALSE(model->robots()[1].floats);
  EXPECT_EQ(model->robots()[1].joint_count(), 1);
  EXPECT_DOUBLE_EQ(model->total_mass(), 220.0);
}

TEST_F(Robots, BadPartsAreRefused) {
  const auto arm = std::make_shared<const Model>(one_link());
  EXPECT_EQ(message_of<DomainError>([&] { aggregate("all", {}); }),
            "cannot aggregate: expected at least one robot, got none");
  EXPECT_EQ(message_of<DomainError>([&] {
              aggregate("all", {{"a", arm, true, {}}, {"a", arm, true, {}}});
            }),
            "cannot aggregate: two robots are named 'a'");
  EXPECT_EQ(message_of<DomainError>([&] {
              aggregate("all", {{"a.b", arm, true, {}}});
            }),
            "cannot aggregate: expected a name without dots other than 'world', got 'a.b'");
  EXPECT_EQ(message_of<DomainError>([&] {
              aggregate("all", {{"a", nullptr, true, {}}});
            }),
            "cannot aggregate: robot 'a' has no model");
  EXPECT_EQ(message_of<DomainError>([&] {
              aggregate("all", {{"a", arm, true, {}, Vector3::UnitZ()}});
            }),
            "cannot aggregate: the base of robot 'a' either floats or is carried");
}

TEST_F(Robots, ACarriedBaseMovesAsItIsTold) {
  const auto arm = random_robot(random_, 3);
  const Matrix3 axes = random_.rotation();
  const Vector3 axis = random_.vector(3).normalized();
  const auto model = together({{"a", arm, false, {Vector3::Zero(), axes}, axis}});
  const Robot& robot = model->robots()[0];
  BaseMotion motion;
  motion.r_0 = random_.vector(3);
  motion.v_0 = random_.vector(3);
  motion.A_0 = exp_so3(2.5 * axis) * axes;
  motion.omega_0 = -0.7 * axis;
  State state(*model);
  set_base_motion(*model, robot, motion, state);
  EXPECT_NEAR(state.q(3), 2.5, 1e-14);
  const BaseMotion back = base_motion(*model, robot, state);
  EXPECT_LT((back.A_0 - motion.A_0).norm() + (back.omega_0 - motion.omega_0).norm(), 1e-14);
  // and as kinematics has it
  LinkFrames frames(*model);
  LinkVelocities velocities(*model);
  compute_link_frames(*model, state, frames);
  compute_link_velocities(*model, state, frames, velocities);
  const Vector6 twist = frame_velocity(frames, velocities, robot.base);
  EXPECT_LT((frame_position(frames, robot.base) - motion.r_0).norm(), 1e-14);
  EXPECT_LT((frame_orientation(frames, robot.base) - motion.A_0).norm(), 1e-14);
  EXPECT_LT((twist.head<3>() - motion.v_0).norm() + (twist.tail<3>() - motion.omega_0).norm(),
            1e-14);
}

TEST_F(Robots, StatesGoThereAndBack) {
  const auto a = random_robot(random_, 5), b = random_robot(random_, 4);
  const auto model = together({{"a", a, true, {}}, {"b", b, true, {}}});
  State state(*model);
  const State of_a = random_.state(*a), of_b = random_.state(*b);
  set_robot_state(*model, model->robots()[0], of_a, state);
  set_robot_state(*model, model->robots()[1], of_b, state);
  EXPECT_LT(difference(robot_state(*model, model->robots()[0], state), of_a), 1e-14);
  EXPECT_LT(difference(robot_state(*model, model->robots()[1], state), of_b), 1e-14);
}

TEST_F(Robots, MomentaAreThoseOfEachAlone) {
  const auto a = random_robot(random_, 5);
  const auto model = together({{"a", a, true, {}}, {"b", random_robot(random_, 4), true, {}}});
  const State of_a = random_.state(*a);
  State state(*model);
  set_robot_state(*model, model->robots()[0], of_a, state);
  LinkFrames frames(*model), alone_frames(*a);
  LinkVelocities velocities(*model), alone_velocities(*a);
  compute_link_frames(*model, state, frames);
  compute_link_velocities(*model, state, frames, velocities);
  compute_link_frames(*a, of_a, alone_frames);
  compute_link_velocities(*a, of_a, alone_frames, alone_velocities);
  const RobotSums sums = robot_sums(*model, model->robots()[0], frames, velocities);
  const Momentum alone = momentum(*a, alone_frames, alone_velocities);
  EXPECT_LT((sums.momentum.linear - alone.linear).norm(), 1e-12 * alone.linear.norm());
  EXPECT_LT((sums.momentum.angular_base - alone.angular_base).norm(),
            1e-12 * alone.angular_base.norm());
  EXPECT_LT((sums.momentum.angular_centroid - alone.angular_centroid).norm(),
            1e-12 * alone.angular_centroid.norm());
  EXPECT_NEAR(sums.kinetic_energy, kinetic_energy(*a, alone_frames, alone_velocities),
              1e-12 * sums.kinetic_energy);
  EXPECT_NEAR(elastic_energy(*model, model->robots()[0], state.q), elastic_energy(*a, of_a.q),
              1e-12);
}

// two robots that do not touch move as each alone, to the error of integration at 1e-12
TEST_F(Robots, WithoutInteractionMoveAsAlone) {
  const auto a = random_robot(random_, 4), b = random_robot(random_, 3);
  const auto model = together({{"a", a, true, {}}, {"b", b, true, {}}});
  const State starts[] = {random_.state(*a), random_.state(*b)};
  State start(*model);
  for (std::size_t i = 0; i < 2; ++i) {
    set_robot_state(*model, model->robots()[i], starts[i], start);
  }
  const double duration = 1.0;
  const SimulationResult result = simulate(setup_of(model), start, duration);
  const State ends[] = {simulate(setup_of(a), starts[0], duration).state,
                        simulate(setup_of(b), starts[1], duration).state};
  for (std::size_t i = 0; i < 2; ++i) {
    const State own = robot_state(*model, model->robots()[i], result.state);
    EXPECT_GT(difference(own, starts[i]), 0.1);
    EXPECT_LT(difference(own, ends[i]), 1e-9);
  }
  // nothing supports them: what counts as drift is rounding and the error of integration
  EXPECT_LT(result.audit.momentum_drift(), 1e-10);
  EXPECT_LT(result.audit.energy_residual(), 1e-10);
  EXPECT_LT(result.integrals.impulse.norm(), 1e-10);
}

TEST_F(Robots, FixedBasesStayWhereTheyArePut) {
  const auto arm = std::make_shared<const Model>(one_link());
  Pose place;
  place.position = {1.0, 2.0, 3.0};
  place.rotation = random_.rotation();
  const auto model = together({{"a", arm, false, place}, {"b", arm, true, {}}});
  State start(*model);
  const BaseMotion base = base_motion(*model, model->robots()[0], start);
  EXPECT_LT((base.r_0 - place.position).norm(), 1e-14);
  EXPECT_LT((base.A_0 - place.rotation).norm(), 1e-14);

  SimulationSetup setup = setup_of(model);
  setup.gravity = {0.0, -9.81, 0.0};
  SimulationSetup alone = setup_of(arm);
  alone.base_mode = BaseMode::fixed;
  alone.gravity = setup.gravity;
  State own(*arm);
  own.r_0 = place.position;
  own.A_0 = place.rotation;
  const State end = simulate(alone, own, 1.0).state;
  const SimulationResult result = simulate(setup, start, 1.0);
  const State now = robot_state(*model, model->robots()[0], result.state);
  EXPECT_LT(difference(now, end), 1e-9);
  // the other one falls
  const State falling = robot_state(*model, model->robots()[1], result.state);
  EXPECT_NEAR(falling.v_0.y(), -9.81, 1e-9);
  EXPECT_LT(result.audit.momentum_drift(), 1e-8);
}

}  // namespace
}  // namespace spacedyn::testing::robots_test
