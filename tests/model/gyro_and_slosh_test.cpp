// Gyros and sloshing propellant as links and joints, against closed forms.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/model/reaction_wheel.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::gyro_and_slosh_test {
namespace {

Scenario flight(const std::string& part, const std::string& more) {
  Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: part\n  duration: 1\n" + more +
          "  model:\n    name: craft\n    base: {name: bus, mass: 100, inertia: [18, 19, 20]}\n" +
          part,
      "part.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  return scenario;
}

const std::string kGyro =
    "    control_moment_gyros:\n      - {name: g1, body: bus, gimbal_axis: [0, 0, 1], spin_axis: "
    "[1, 0, 0], gimbal_inertia: 0.1, spin_inertia: 0.2, rotor_speed: 600 rad/s, "
    "gimbal_rate_limit: 1}\n";

TEST(ControlMomentGyro, TurnsItsBodyWithItsMomentumTimesGimbalRate) {
  // body held, gimbal turned at 0.5 rad/s: the support feels δ̇ g × h, g along z
  const Scenario scenario =
      flight(kGyro,
             "  base: {mode: fixed}\n  prescribed: [{joint: g1, reference: {type: table, time: [0, "
             "4], position: [0, 2], interpolation: cubic}}]\n");
  EXPECT_EQ(scenario.initial.qd(1), 600.0);
  Trajectory trajectory;
  Simulator(scenario.setup).run(scenario.initial, 3.0, 0.5, trajectory);
  for (const TrajectoryPoint& sample : trajectory.points) {
    const double angle = sample.state.q(0), rate = sample.state.qd(0);
    const Vector3 h = 0.2 * 600.0 * Vector3(std::cos(angle), std::sin(angle), 0.0);
    const Vector3 torque = rate * Vector3::UnitZ().cross(h);
    // about z the support takes what accelerates the gimbal
    EXPECT_LE((sample.forces.segment<3>(3) - torque).head<2>().norm(), 1e-9 * h.norm());
    EXPECT_NEAR(sample.state.qd(1), 600.0, 1e-9);
  }
}

TEST(ControlMomentGyro, KeepsMomentumWithAFreeBody) {
  const Scenario scenario =
      flight(kGyro, "  forces: [{type: joint_torque, joint: g1, torque: 0.01, until: 0.5}]\n");
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 2.0);
  EXPECT_LE(result.audit.angular_drift(), 1e-11);
  EXPECT_LE(result.audit.energy_residual(), 1e-11);
  EXPECT_GT(result.state.omega_0.norm(), 1e-4);
}

TEST(ControlMomentGyro, IsWrittenAsItIsRead) {
  const auto model = flight(kGyro, "").setup.model;
  ASSERT_EQ(model->joint_count(), 2);
  EXPECT_EQ(model->joint(1).velocity_limit, 1.0);
  const auto again = parse_model(write_model(*model), "again.yaml");
  EXPECT_TRUE(again.warnings.empty());
  EXPECT_EQ(write_model(*again.model), write_model(*model));
  EXPECT_EQ(again.model->wheel(2)->rotor_speed, 600.0);
}

TEST(ControlMomentGyro, WhoseRotorHasNoTorqueIsRefused) {
  ControlMomentGyroDescription gyro;
  gyro.gimbal_inertia = gyro.spin_inertia = 0.1;
  gyro.rotor_speed = 600.0;
  gyro.rotor_torque_limit = 0.0;
  const auto problems = validate_control_moment_gyro(gyro, "g");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "g.rotor_torque_limit");
}

TEST(ControlMomentGyro, WithAxesThatAreNotPerpendicularIsRefused) {
  ControlMomentGyroDescription gyro;
  gyro.name = "g";
  gyro.body = "bus";
  gyro.gimbal_inertia = gyro.spin_inertia = 0.1;
  gyro.rotor_speed = 600.0;
  gyro.spin_axis = Vector3(1, 0, 0.1);
  ModelDescription robot;
  const auto problems = validate_control_moment_gyro(gyro, "g");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "g.spin_axis");
  EXPECT_EQ(problems[0].message, "expected an axis perpendicular to the gimbal axis");
  EXPECT_THROW(add_control_moment_gyro(robot, gyro), ModelError);
  EXPECT_TRUE(robot.links.empty());
}

/// Displacement after a time of free oscillation from a start, on a held body under 2 m/s².
double swing(const std::string& slosh, const std::string& start, double time) {
  const bool has_loop = slosh.rfind("type: pendulum", 0) == 0;
  const std::string how = has_loop ? "assemble: true, " : "";
  const Scenario scenario = flight(
      "    slosh:\n      - {name: s, body: bus, position: [0, 0, 0.2], mass: 10, " + slosh + "}\n",
      "  base: {mode: fixed}\n  environment: {gravity: [0, 0, -2]}\n  initial: {" + how +
          "joints: {" + start + "}}\n");
  return simulate(scenario.setup, scenario.initial, time).state.q(0);
}

TEST(Slosh, OnSpringsSwingsWithTheirFrequency) {
  const double omega = std::sqrt(5.0 / 10.0);
  EXPECT_NEAR(swing("type: spring_mass, stiffness: [5, 7, .inf]", "s_x: {position: 0.1}", 3.0),
              0.1 * std::cos(omega * 3.0), 1e-10);
  const double decay = 0.5 * 0.4 / 10.0, damped = std::sqrt(0.5 - decay * decay);
  EXPECT_NEAR(swing("type: spring_mass, stiffness: [5, 7, .inf], damping: 0.4",
                    "s_x: {position: 0.1}", 3.0),
              0.1 * std::exp(-decay * 3.0) *
                  (std::cos(damped * 3.0) + decay / damped * std::sin(damped * 3.0)),
              1e-10);
}

TEST(Slosh, AsAPendulumSwingsAsTheSpringThatIsEquivalent) {
  // k = m a / ℓ: 10 · 2 / 0.5; the sine differs by θ²/16
  const double pendulum = swing("type: pendulum, length: 0.5", "s_x: {position: 5.0e-5}", 3.0);
  EXPECT_NEAR(pendulum, 5e-5 * std::cos(2.0 * 3.0), 1e-12);
  const double spring =
      swing("type: spring_mass, stiffness: [40, 40, .inf]", "s_x: {position: 5.0e-5}", 3.0);
  EXPECT_NEAR(pendulum, spring, 1e-12);
  // N m s/rad about the pivot: 2 δ = c / (m ℓ²)
  const double decay = 0.5 * 0.5 / (10.0 * 0.25), damped = std::sqrt(4.0 - decay * decay);
  EXPECT_NEAR(swing("type: pendulum, length: 0.5, damping: 0.5", "s_x: {position: 5.0e-5}", 3.0),
              5e-5 * std::exp(-decay * 3.0) *
                  (std::cos(damped * 3.0) + decay / damped * std::sin(damped * 3.0)),
              1e-12);
}

/// A pendulum of 10 kg and 0.3 m on a held body.
Scenario held_pendulum(const std::string& gravity, const std::string& start) {
  return flight(
      "    slosh: [{name: s, body: bus, position: [0, 0, 0.5], type: pendulum, mass: "
      "10, length: 0.3}]\n",
      "  base: {mode: fixed}\n  environment: {gravity: " + gravity + "}\n  initial: {joints: {" +
          start + "}}\n");
}

/// Without gravity the mass runs round a great circle, in every direction alike.
TEST(Slosh, AsAPendulumRunsRoundAnyGreatCircle) {
  for (const double direction : {0.0, 0.3, kPi / 2.0, 2.0, 4.0}) {
    const double speed = 0.45, u = std::cos(direction), v = std::sin(direction);
    const Scenario scenario =
        held_pendulum("[0, 0, 0]", "s_x: {velocity: " + std::to_string(speed * u) +
                                       "}, s_y: {velocity: " + std::to_string(speed * v) + "}");
    const double rate = scenario.initial.qd.norm() / 0.3;
    const Vector3 along = scenario.initial.qd.normalized();
    const State end = simulate(scenario.setup, scenario.initial, 20.0).state;  // 30 rad
    const Vector3 place(0.3 * std::sin(rate * 20.0) * along.x(),
                        0.3 * std::sin(rate * 20.0) * along.y(), 0.3 - 0.3 * std::cos(rate * 20.0));
    EXPECT_LT((end.q - place).norm(), 1e-9) << direction;  // of some hundred steps at 1e-12
  }
}

/// r̈ = g + λ r with |r| = ℓ, λ = −(g·r + v²)/ℓ², by Runge–Kutta steps so small that their error is
/// below 1e-10.
TEST(Slosh, AsAPendulumMovesAsASphericalOne) {
  // from where hinges about x and y would be singular, above and below the pivot
  const Scenario scenario =
      held_pendulum("[0, 0, -2]",
                    "s_x: {position: 0.3}, s_z: {position: 0.3, velocity: 1.5}, s_y: {velocity: "
                    "0.5}");
  const Vector3 g(0.0, 0.0, -2.0);
  using Vector6d = Eigen::Matrix<double, 6, 1>;
  const auto rate = [&](const Vector6d& y) {
    const Vector3 r = y.head<3>(), v = y.tail<3>();
    Vector6d f;
    f << v, g - (g.dot(r) + v.squaredNorm()) / 0.09 * r;
    return f;
  };
  Vector6d y;
  y << 0.3, 0.0, 0.0, 0.0, 0.5, 1.5;
  const int count = 100000;
  const double h = 5.0 / count;
  for (int i = 0; i < count; ++i) {
    const Vector6d a = rate(y), b = rate(y + 0.5 * h * a), c = rate(y + 0.5 * h * b);
    y += h / 6.0 * (a + 2.0 * b + 2.0 * c + rate(y + h * c));
  }
  Trajectory trajectory;
  const SimulationResult result =
      Simulator(scenario.setup).run(scenario.initial, 5.0, 0.05, trajectory);
  EXPECT_LT((result.state.q - Vector3(0.0, 0.0, 0.3) - y.head<3>()).norm(), 1e-8);
  EXPECT_LT((result.state.qd - y.tail<3>()).norm(), 1e-7);
  EXPECT_LT(result.statistics.steps, 2000);
  double lowest = 1.0, highest = -1.0;
  for (const TrajectoryPoint& sample : trajectory.points) {
    const Vector3 r = sample.state.q - Vector3(0.0, 0.0, 0.3), v = sample.state.qd;
    EXPECT_NEAR(0.5 * v.squaredNorm() + 2.0 * r.z(), 0.5 * (0.25 + 2.25), 1e-10);
    EXPECT_NEAR(r.cross(v).z(), 0.15, 1e-10);
    EXPECT_NEAR(r.norm(), 0.3, 1e-12);
    lowest = std::min(lowest, r.z());
    highest = std::max(highest, r.z());
  }
  EXPECT_LT(lowest, -0.2);
  EXPECT_GT(highest, 0.2);
}

/// In free fall in a spinning tank, through all attitudes.
TEST(Slosh, AsAPendulumKeepsMomentumOfAFreeBody) {
  const Scenario scenario = flight(
      "    slosh: [{name: s, body: bus, position: [0, 0, 0.5], type: pendulum, mass: 10, length: "
      "0.3}]\n",
      "  initial: {base: {angular_velocity: [0, 0.1, 0]}, joints: {s_x: {velocity: 0.3}, s_y: "
      "{velocity: -0.09}}}\n");
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 20.0);
  EXPECT_LE(result.audit.momentum_drift(), 1e-10);
  EXPECT_LE(result.audit.energy_residual(), 1e-10);
  EXPECT_LT(result.statistics.steps, 2000);
}

TEST(Slosh, AsAPendulumIsWrittenAsItIsRead) {
  const auto model = held_pendulum("[0, 0, 0]", "").setup.model;
  ASSERT_EQ(model->joint_count(), 3);
  const auto again = parse_model(write_model(*model), "again.yaml");
  EXPECT_TRUE(again.warnings.empty());
  EXPECT_EQ(write_model(*again.model), write_model(*model));
}

TEST(Slosh, KeepsMomentumOfAFreeBody) {
  const Scenario scenario = flight(
      "    slosh: [{name: s, body: bus, mass: 10, type: spring_mass, stiffness: [5, 6, 7]}]\n",
      "  initial: {base: {angular_velocity: [0.1, 0.2, 0.3]}, joints: {s_y: {position: 0.1}}}\n");
  ASSERT_EQ(scenario.setup.model->joint_count(), 3);
  EXPECT_EQ(scenario.setup.model->total_mass(), 110.0);
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 10.0);
  EXPECT_LE(result.audit.momentum_drift(), 1e-10);
  EXPECT_LE(result.audit.energy_residual(), 1e-10);
}

TEST(Slosh, ThatMovesNowhereIsRefused) {
  SloshDescription slosh;
  slosh.name = "s";
  slosh.body = "bus";
  slosh.mass = 10.0;
  slosh.stiffness.setConstant(std::numeric_limits<double>::infinity());
  const auto problems = validate_slosh(slosh, "s");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].message,
            "expected a direction in which the mass moves, got none: all are rigid");
  slosh.type = SloshType::pendulum;
  EXPECT_EQ(validate_slosh(slosh, "s").at(0).path, "s.length");
}

}  // namespace
}  // namespace spacedyn::testing::gyro_and_slosh_test
