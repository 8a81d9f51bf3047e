// Attitude control by reaction wheels: for small angles I θ̈ = −K θ − D θ̇ about each axis of the
// body, whatever the wheels are, as long as their axes span what is commanded.
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "spacedyn/control/attitude_pd.hpp"
#include "spacedyn/control/wheel_allocation.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/reaction_wheels.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::attitude_test {
namespace {

const std::string kThree =
    "      - {name: wx, body: bus, axis: [1, 0, 0], spin_inertia: 0.05}\n"
    "      - {name: wy, body: bus, axis: [0, 1, 0], spin_inertia: 0.05}\n"
    "      - {name: wz, body: bus, axis: [0, 0, 1], spin_inertia: 0.05}\n";
const std::string kPyramid =
    "      - {name: w1, body: bus, axis: [1, 0, 0.7], spin_inertia: 0.05}\n"
    "      - {name: w2, body: bus, axis: [0, 1, 0.7], spin_inertia: 0.05}\n"
    "      - {name: w3, body: bus, axis: [-1, 0, 0.7], spin_inertia: 0.05}\n"
    "      - {name: w4, body: bus, axis: [0, -1, 0.7], spin_inertia: 0.05}\n";

Scenario flight(const std::string& wheels, const std::string& control, const std::string& start) {
  Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: point\n  duration: 100\n  initial: {base: {" + start +
          "}}\n  control: [{" + control +
          "}]\n  model:\n    name: craft\n    base: {name: bus, mass: 100, inertia: [18, 19, 20]}\n"
          "    reaction_wheels:\n" +
          wheels,
      "point.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  return scenario;
}

/// θ of I θ̈ + D θ̇ + K θ = 0 from rest at θ_0, underdamped.
double oscillation(double inertia, double stiffness, double damping, double start, double time) {
  const double decay = 0.5 * damping / inertia;
  const double omega = std::sqrt(stiffness / inertia - decay * decay);
  return start * std::exp(-decay * time) *
         (std::cos(omega * time) + decay / omega * std::sin(omega * time));
}

struct Cluster {
  const char* name;
  std::string wheels, actuators;
};

void PrintTo(const Cluster& cluster, std::ostream* stream) { *stream << cluster.name; }

class AttitudeControl : public ::testing::TestWithParam<Cluster> {};

TEST_P(AttitudeControl, TurnsEachAxisAsASpringAndADamper) {
  const std::string control = "type: attitude, actuators: " + GetParam().actuators +
                              ", stiffness: [2, 3, 4], damping: 5, reference: {rpy: [0, 0, 0]}";
  const double inertia[] = {18.0, 19.0, 20.0}, stiffness[] = {2.0, 3.0, 4.0};
  const char* const starts[] = {"rpy: [1.0e-4, 0, 0]", "rpy: [0, 1.0e-4, 0]",
                                "rpy: [0, 0, 1.0e-4]"};
  for (int axis = 0; axis < 3; ++axis) {
    const Scenario scenario = flight(GetParam().wheels, control, starts[axis]);
    const SimulationResult result = simulate(scenario.setup, scenario.initial, 7.0);
    const double angle = rpy_from_matrix(result.state.A_0)(axis);
    // the quaternion's sine differs by θ²/24
    EXPECT_NEAR(angle, oscillation(inertia[axis], stiffness[axis], 5.0, 1e-4, 7.0), 1e-12);
    EXPECT_LE(result.audit.angular_drift(), 1e-10);
  }
}

// on a link that a fixed joint merges into the base: its axes count, not those of the base
TEST(AttitudeControl, UsesTheAxesOfTheLinkWithTheActuators) {
  const std::string thrusters =
      "    frames:\n      - {name: back, link: bus, xyz: [-1, 0, 0]}\n"
      "      - {name: front, link: bus, xyz: [1, 0, 0]}\n"
      "    thrusters:\n"
      "      - {name: t1, at: back, direction: [0, -1, 0], force: 10}\n"
      "      - {name: t2, at: front, direction: [0, 1, 0], force: 10}\n"
      "      - {name: t3, at: back, direction: [0, 1, 0], force: 10}\n"
      "      - {name: t4, at: front, direction: [0, -1, 0], force: 10}\n";
  const auto merged = [](const std::string& actuators, const std::string& control) {
    Scenario scenario = parse_scenario(
        "spacedyn: 1\nscenario:\n  name: point\n  duration: 100\n  control: [{" + control +
            "}]\n  model:\n    name: craft\n    base: {name: hub, mass: 50, inertia: [1, 1, 1]}\n"
            "    links: [{name: bus, parent: hub, joint: {name: f, type: fixed, origin: {rpy: "
            "[0.3, "
            "-0.5, 0.7]}}, mass: 50, inertia: [17, 18, 19]}]\n" +
            actuators,
        "point.yaml");
    scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
    return scenario;
  };
  const Matrix3 fixed = matrix_from_rpy(Vector3(0.3, -0.5, 0.7));
  const double inertia[] = {18.0, 19.0, 20.0}, stiffness[] = {2.0, 3.0, 4.0};
  const auto turn = [&](Scenario scenario, int axis) {
    const Vector3 start = 1e-4 * Vector3::Unit(axis);
    scenario.initial.A_0 = matrix_from_rpy(start) * fixed.transpose();
    const SimulationResult result = simulate(scenario.setup, scenario.initial, 7.0);
    const Vector3 angles = rpy_from_matrix(result.state.A_0 * fixed);
    // the quaternion's sine differs by θ²/24, axes at rest turn by products of small angles
    EXPECT_NEAR(angles(axis), oscillation(inertia[axis], stiffness[axis], 5.0, 1e-4, 7.0), 1e-12)
        << axis;
    EXPECT_LE((angles - angles(axis) * Vector3::Unit(axis)).norm(), 1e-12) << axis;
  };
  const Scenario wheels =
      merged("    reaction_wheels:\n" + kThree,
             "type: attitude, actuators: [wx, wy, wz], stiffness: [2, 3, 4], damping: 5, "
             "reference: {rpy: [0, 0, 0]}");
  for (int axis = 0; axis < 3; ++axis) turn(wheels, axis);
  turn(merged(thrusters,
              "type: attitude, actuators: [t1, t2, t3, t4], stiffness: [0, 0, 4], damping: [0, 0, "
              "5], reference: {rpy: [0, 0, 0]}"),
       2);
}

TEST_P(AttitudeControl, TakesTheShorterTurn) {
  const Scenario scenario = flight(GetParam().wheels,
                                   "type: attitude, actuators: " + GetParam().actuators +
                                       ", stiffness: 2, damping: 12, reference: {rpy: [170 deg, "
                                       "0, 30 deg]}",
                                   "rpy: [-170 deg, 0, 0]");
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 200.0);
  const Matrix3 goal = matrix_from_rpy(kDegree * Vector3(170.0, 0.0, 30.0));
  EXPECT_LE((result.state.A_0 - goal).norm(), 1e-8);
  EXPECT_LE(result.state.omega_0.norm(), 1e-8);
}

TEST_P(AttitudeControl, FollowsATurnAboutAnAxis) {
  const Scenario scenario = flight(GetParam().wheels,
                                   "type: attitude, actuators: " + GetParam().actuators +
                                       ", stiffness: 20, damping: 40, reference: {axis: [1, 1, 0], "
                                       "angle: {type: quintic, to: 60 deg, duration: 60}}",
                                   "rpy: [0, 0, 0.3]");
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 100.0);
  const Matrix3 goal = rotation_about(Vector3(1, 1, 0), 60.0 * kDegree) * rotation_z(0.3);
  EXPECT_LE((result.state.A_0 - goal).norm(), 1e-6);
}

TEST_P(AttitudeControl, AllocatesTheLeastTorques) {
  const Scenario scenario =
      flight(GetParam().wheels,
             "type: attitude, actuators: " + GetParam().actuators +
                 ", stiffness: 2, damping: 12, reference: {rpy: [0.1, 0.2, 0.3]}",
             "rpy: [0, 0, 0]");
  Trajectory trajectory;
  Simulator(scenario.setup).run(scenario.initial, 20.0, 5.0, trajectory);
  const Matrix3X axes = wheel_axes(*scenario.setup.model, wheel_joints(*scenario.setup.model));
  const MatrixX null = axes.fullPivLu().kernel();
  for (const TrajectoryPoint& sample : trajectory.points) {
    const VectorX torque = sample.forces.tail(axes.cols());
    if (axes.cols() > 3) {
      EXPECT_LE((null.transpose() * torque).norm(), 1e-12);
    }
    EXPECT_GT(torque.norm(), 0.0);
  }
}

INSTANTIATE_TEST_SUITE_P(Wheels, AttitudeControl,
                         ::testing::Values(Cluster{"Three", kThree, "[wx, wy, wz]"},
                                           Cluster{"Pyramid", kPyramid, "[w1, w2, w3, w4]"}),
                         [](const auto& cluster) { return std::string(cluster.param.name); });

TEST(Detumble, DampsRotationByTheWheels) {
  const Scenario scenario = flight(kThree, "type: detumble, actuators: [wx, wy, wz], damping: 4",
                                   "angular_velocity: [0, 0, 0.02]");
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 10.0);
  EXPECT_NEAR(result.state.omega_0.z(), 0.02 * std::exp(-4.0 / 20.0 * 10.0), 1e-11);
  // what the body loses the wheels have
  const double wheels = 0.05 * (result.state.qd(2) + result.state.omega_0.z());
  EXPECT_NEAR(20.0 * result.state.omega_0.z() + wheels, 20.05 * 0.02, 1e-11);
}

TEST(AttitudeControl, HoldsTheStartWithoutAReference) {
  const Scenario scenario =
      flight(kThree, "type: attitude, actuators: [wx, wy, wz], stiffness: 2, damping: 9",
             "rpy: [0.3, 0.2, 0.1]");
  EXPECT_LE(
      (simulate(scenario.setup, scenario.initial, 10.0).state.A_0 - scenario.initial.A_0).norm(),
      1e-14);
}

TEST(AttitudeControl, OfOneAxisNeedsOneWheel) {
  const Scenario scenario =
      flight(kThree, "type: attitude, actuators: [wz], stiffness: [0, 0, 2], damping: [0, 0, 9]",
             "angular_velocity: [0, 0, 0.01]");
  EXPECT_EQ(scenario.setup.controllers.front()->command_size(), 1);
}

TEST(AttitudeControl, SampledHoldsItsCommand) {
  const Scenario scenario = flight(
      kThree,
      "type: attitude, actuators: [wx, wy, wz], stiffness: 2, damping: 9, sample_period: 0.5",
      "rpy: [0, 0, 0]");
  State start = scenario.initial;
  start.A_0 = rotation_z(1e-3);
  Trajectory trajectory;
  Simulator(scenario.setup).run(start, 0.4, 0.1, trajectory);
  const double first = trajectory.points.front().forces(8);
  EXPECT_NE(first, 0.0);
  for (const TrajectoryPoint& sample : trajectory.points) EXPECT_EQ(sample.forces(8), first);
}

TEST(AttitudeControl, WithoutTorqueAboutAnAxisIsRefused) {
  EXPECT_EQ(message_of<ParseError>([] {
              flight(kThree, "type: attitude, actuators: [wx, wy], stiffness: 2, damping: 9",
                     "rpy: [0, 0, 0]");
            }),
            "point.yaml:6:41: error: scenario.control.0.actuators: expected wheels with torque "
            "about the z axis of 'bus', which has a gain, got none");
}

TEST(AttitudeControl, OfAJointWithoutAWheelIsRefused) {
  const Scenario scenario =
      flight(kThree, "type: detumble, actuators: [wx, wy, wz], damping: 4", "rpy: [0, 0, 0]");
  const Model& model = *scenario.setup.model;
  AttitudePd::Settings settings;
  settings.damping.setOnes();
  const auto refusal = [&](const std::vector<int>& wheels) {
    return message_of<DomainError>([&] {
      AttitudePd("hold", model, settings,
                 std::make_shared<WheelAllocation>("'hold': ", model, wheels));
    });
  };
  EXPECT_EQ(refusal({1, 2, 4}), "'hold': joint 4 has no reaction wheel");
  EXPECT_EQ(refusal({1, 2, 2}), "'hold': 'wy' is named twice");
  EXPECT_EQ(refusal({}), "'hold': it has no wheels");
  EXPECT_EQ(refusal({1, 2}),
            "'hold': its wheels have no torque about the z axis of 'bus', which has a gain");
  settings.damping.setZero();
  EXPECT_EQ(refusal({1, 2}), "'hold': it has no gain that is not zero");
  EXPECT_EQ(message_of<DomainError>([&] { AttitudePd("hold", model, settings, nullptr); }),
            "'hold': it has no actuators");
}

}  // namespace
}  // namespace spacedyn::testing::attitude_test
