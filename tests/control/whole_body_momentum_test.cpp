// Thrusters in a stack of tasks: momentum against its closed form, shares against symmetry.
#include <cmath>

#include <gmock/gmock.h>

#include "driven_chain.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/passive_joints.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/integration/trajectory.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/aggregate.hpp"
#include "spacedyn/state/robot_state.hpp"
#include "support/allocation_guard.hpp"
#include "support/contexts.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::whole_body_momentum_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Property;
using ::testing::Throws;

/// Two thrusters at each of six places on the base: forces and couples about all axes.
std::vector<Thruster> twelve(double force) {
  std::vector<Thruster> thrusters;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {1.0, -1.0}) {
      for (const double sign : {1.0, -1.0}) {
        Thruster jet;
        jet.name = "jet" + std::to_string(thrusters.size());
        jet.at.position = side * 1.2 * Vector3::Unit(axis);
        jet.drive.direction = sign * Vector3::Unit((axis + 1) % 3);
        jet.drive.force = force;
        thrusters.push_back(jet);
      }
    }
  }
  return thrusters;
}

Task momentum_task(int first, int count) {
  Task task;
  task.type = Task::Type::momentum;
  for (int axis = first; axis < first + count; ++axis) task.axes.push_back(axis);
  task.gain = VectorX::Constant(count, 0.4);
  task.value = VectorX::LinSpaced(count, -2.0, 3.0);
  return task;
}

/// A chain whose base has thrusters, at level torque and without limits but theirs.
struct Jets : DrivenChain {
  explicit Jets(unsigned seed, double force = 1e4) : DrivenChain(seed) {
    settings.level = WholeBody::Level::torque;
    settings.limits = {false, false, false};
    open(twelve(force));
  }
  void open(const std::vector<Thruster>& thrusters) {
    settings.thrusters = std::make_shared<ThrusterValves>("", model, thrusters);
  }
};

Vector6 momentum_of(const Model& model, const State& state) {
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);
  const Momentum now = momentum(model, frames, velocities);
  Vector6 result;
  result << now.linear, now.angular_centroid;
  return result;
}

TEST(WholeBodyMomentum, DecaysAsAskedWhileJointsDo) {
  // h = value + (h(0) − value) exp(−gain t), and q̈ = −D q̇ of the driven joints
  Jets rig(31);
  rig.state.qd *= 0.1;
  Task posture;
  posture.type = Task::Type::posture;
  posture.priority = 2;
  posture.joints = rig.settings.joints;
  posture.reference = std::make_shared<ConstantReference>(VectorX::Zero(7));
  posture.damping = VectorX::Constant(7, 1.5);
  rig.settings.tasks = {posture, momentum_task(0, 6)};
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(ModelBuilder(rig.description).build());
  setup.controllers = {std::make_shared<WholeBody>("steer", rig.settings)};
  setup.integrator = adaptive(IntegrationMethod::dopri5, 1e-9);
  Trajectory trajectory;
  Simulator(setup).run(rig.state, 0.6, 0.2, trajectory);
  const Vector6 start = momentum_of(*setup.model, rig.state);
  const Vector6 value = rig.settings.tasks[1].value;
  ASSERT_GT((start - value).norm(), 1.0);
  for (const TrajectoryPoint& point : trajectory.points) {
    const Vector6 expected = value + std::exp(-0.4 * point.time) * (start - value);
    // tolerance of the method, grown over some hundred steps
    EXPECT_LE((momentum_of(*setup.model, point.state) - expected).norm(), 1e-7 * start.norm())
        << point.time;
    for (const int joint : rig.settings.joints) {
      EXPECT_NEAR(point.state.qd(joint - 1), std::exp(-1.5 * point.time) * rig.state.qd(joint - 1),
                  1e-7)
          << point.time;
    }
  }
}

TEST(WholeBodyMomentum, IsThatOfOneOfSeveralRobotsAndCountsGravity) {
  // Ṗ and L̇ by differences of the momentum along the motion
  DrivenChain plain(32);
  const auto one = std::make_shared<const Model>(ModelBuilder(plain.description).build());
  const Model pair = ModelBuilder(aggregate("pair", {RobotPart{"a", one, true, {}},
                                                     RobotPart{"b", one, true, {}}}))
                         .build();
  State state(pair);
  set_robot_state(pair, pair.robots()[0], plain.state, state);
  State other = plain.state;
  other.r_0 += Vector3(4.0, -1.0, 2.0);
  set_robot_state(pair, pair.robots()[1], other, state);
  const Robot& robot = pair.robots()[1];
  WholeBody::Settings settings = plain.settings;
  settings.robot = robot;
  settings.known.base_floats = false;
  settings.known.gravity = Vector3(0.4, 0.2, -1.5);
  settings.level = WholeBody::Level::torque;
  settings.limits = {false, false, false};
  for (int& joint : settings.joints) joint += robot.first_joint() - 1;
  std::vector<Thruster> thrusters = twelve(1e4);
  for (Thruster& jet : thrusters) jet.at.body = robot.base.body;
  settings.thrusters = std::make_shared<ThrusterValves>("", pair, thrusters);
  settings.tasks = {momentum_task(0, 6)};
  const WholeBody law("steer", settings);
  law.check(pair);
  const Snapshot now(pair, state);
  law.check_start(now.at(0.0));
  VectorX command(law.command_size());
  law.command(now.at(0.0), command);
  Loads loads(pair);
  law.apply(now.at(0.0), command, loads);
  loads.tau += passive_torque(pair, state);
  loads.gravity = settings.known.gravity;
  const VectorX found = forward_dynamics(pair, state, loads);
  LinkVelocities velocities(pair);
  LinkAccelerations links(pair);
  compute_link_velocities(pair, state, now.frames(), velocities);
  compute_link_accelerations(pair, state, now.frames(), velocities, found, links);
  Vector6 rate = Vector6::Zero();
  double mass = 0.0;
  Vector3 r_g = Vector3::Zero(), v_g = Vector3::Zero();
  for (int body = robot.first; body < robot.end; ++body) {
    const auto i = static_cast<std::size_t>(body);
    mass += pair.body(body).mass;
    r_g += pair.body(body).mass * now.frames().r[i];
    v_g += pair.body(body).mass * velocities.v[i];
  }
  r_g /= mass;
  Vector6 own = Vector6::Zero();
  for (int body = robot.first; body < robot.end; ++body) {
    const auto i = static_cast<std::size_t>(body);
    const Matrix3 inertia =
        now.frames().A[i] * pair.body(body).inertia_L * now.frames().A[i].transpose();
    const Vector3 omega = velocities.omega[i], arm = now.frames().r[i] - r_g;
    rate.head<3>() += pair.body(body).mass * links.vd[i];
    rate.tail<3>() += inertia * links.omegad[i] + omega.cross(inertia * omega) +
                      pair.body(body).mass * arm.cross(links.vd[i]);
    own.head<3>() += pair.body(body).mass * velocities.v[i];
    own.tail<3>() += inertia * omega + pair.body(body).mass * arm.cross(velocities.v[i]);
  }
  const Vector6 wanted = 0.4 * (Vector6(settings.tasks[0].value) - own);
  EXPECT_LE((rate - wanted).norm(), 1e-9 * wanted.norm());
}

TEST(WholeBodyMomentum, SharesForcesAmongThrustersThatAreAlike) {
  Jets rig(33);
  std::vector<Thruster> thrusters = twelve(1e4);
  for (Thruster jet : twelve(1e4)) {
    jet.name += "b";
    thrusters.push_back(jet);
  }
  rig.open(thrusters);
  rig.settings.tasks = {momentum_task(0, 6)};
  const WholeBody law("steer", rig.settings);
  const Snapshot now(rig.model, rig.state);
  const VectorX forces = law.solution(now.at(0.0)).tail(24);
  const double most = forces.cwiseAbs().maxCoeff();
  EXPECT_GT(most, 0.1);
  EXPECT_GE(forces.minCoeff(), -1e-9 * most) << "thrusters only push";
  EXPECT_LE((forces.head(12) - forces.tail(12)).norm(), 1e-7 * most);
  // those that are opposite are not open both
  for (Eigen::Index i = 0; i < 12; i += 2) {
    EXPECT_LE(std::min(forces(i), forces(i + 1)), 1e-7 * most) << i;
  }
}

TEST(WholeBodyMomentum, SaysThatThrustersAreWhollyOpen) {
  Jets rig(34, 1e-3);
  rig.settings.tasks = {momentum_task(0, 3)};
  const WholeBody law("steer", rig.settings);
  const Snapshot now(rig.model, rig.state);
  VectorX command(law.command_size());
  law.command(now.at(0.0), command);
  EXPECT_DOUBLE_EQ(command.head(12).maxCoeff(), 1.0);
  const WholeBody::Shortfall found = law.shortfall(now.at(0.0));
  EXPECT_GT(found.part, 0.5);
  EXPECT_EQ(found.limit, WholeBody::Limit::thrust);
  EXPECT_GE(found.thruster, 0);
}

TEST(WholeBodyMomentum, RefusesThrustersThatCannotProduceAnAxis) {
  Jets rig(35);
  rig.settings.tasks = {momentum_task(0, 6)};
  std::vector<Thruster> thrusters = twelve(10.0);
  // nothing pushes along −y any more, and others had to make up for where the centroid is
  const auto is_missing = [](const Thruster& jet) { return jet.drive.direction.y() < -0.5; };
  thrusters.erase(std::remove_if(thrusters.begin(), thrusters.end(), is_missing), thrusters.end());
  rig.open(thrusters);
  EXPECT_THAT([&] { WholeBody("steer", rig.settings).check(rig.model); },
              Throws<DomainError>(
                  Property(&DomainError::what, HasSubstr("'steer': its thrusters do not change the "
                                                         "momentum along"))));
  // couples about all axes are left
  rig.settings.tasks = {momentum_task(3, 3)};
  EXPECT_NO_THROW(WholeBody("steer", rig.settings).check(rig.model));
  rig.settings.tasks = {momentum_task(0, 1)};
  rig.open({twelve(10.0)[8]});
  const WholeBody aslant("steer", rig.settings);
  const Snapshot now(rig.model, rig.state);
  EXPECT_THAT([&] { aslant.check_start(now.at(0.0)); },
              Throws<DomainError>(Property(&DomainError::what, HasSubstr("along x"))));
}

TEST(WholeBodyMomentum, RefusesWhatHasNoMeaning) {
  const auto refused = [](const char* text, const std::function<void(Jets&)>& change) {
    Jets rig(36);
    rig.settings.tasks = {momentum_task(0, 6)};
    change(rig);
    EXPECT_THAT([&] { WholeBody("steer", rig.settings); },
                Throws<DomainError>(Property(&DomainError::what, HasSubstr(text))));
  };
  refused("a momentum needs thrusters", [](Jets& rig) { rig.settings.thrusters = nullptr; });
  refused("a momentum needs a base that floats",
          [](Jets& rig) { rig.settings.known.base_floats = false; });
  refused("thrusters need level torque",
          [](Jets& rig) { rig.settings.level = WholeBody::Level::rate; });
  refused("gain must not be negative", [](Jets& rig) { rig.settings.tasks[0].gain(2) = -1.0; });
  refused("value", [](Jets& rig) { rig.settings.tasks[0].value(2) = std::nan(""); });
}

TEST(WholeBodyMomentum, AllocatesNothingAfterItsFirstUse) {
  if (!counts_allocations()) GTEST_SKIP();
  Jets rig(37);
  rig.settings.tasks = {momentum_task(0, 6)};
  const WholeBody law("steer", rig.settings);
  const Snapshot now(rig.model, rig.state);
  VectorX command(law.command_size());
  law.command(now.at(0.0), command);
  const long before = allocation_count();
  law.command(now.at(0.5), command);
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace spacedyn::testing::whole_body_momentum_test
