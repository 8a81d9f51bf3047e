// Steering of control-moment gyros: a pyramid of four against the textbook, singularities, null
// motion, and a body that is turned by them.
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "spacedyn/control/gyro_steering.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::gyro_steering_test {
namespace {

constexpr double kMomentum = 1.2;  // of each rotor, N m s

/// A pyramid of four with gimbal axes at the skew angle arctan √2 from the vertical, h = 1.2 N m s.
std::string pyramid() {
  const char* const gimbals[] = {"[1.4142135623730951, 0, 1]", "[0, 1.4142135623730951, 1]",
                                 "[-1.4142135623730951, 0, 1]", "[0, -1.4142135623730951, 1]"};
  // Wie's: h_1 = h (−c s_1, cos_1, s s_1): along y at δ = 0, and so on about z
  const char* const spins[] = {"[0, 1, 0]", "[-1, 0, 0]", "[0, -1, 0]", "[1, 0, 0]"};
  std::string text = "    control_moment_gyros:\n";
  for (int i = 0; i < 4; ++i) {
    text += "      - {name: g" + std::to_string(i + 1) + ", body: bus, gimbal_axis: " + gimbals[i] +
            ", spin_axis: " + spins[i] +
            ", gimbal_inertia: 1.0e-4, spin_inertia: 0.002, rotor_speed: 600 rad/s, "
            "gimbal_rate_limit: 2}\n";
  }
  return text;
}

Scenario craft(const std::string& rest, const std::string& gyros = pyramid()) {
  Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: point\n  duration: 100\n" + rest +
          "  model:\n    name: craft\n    base: {name: bus, mass: 100, inertia: [18, 19, 20]}\n" +
          gyros,
      "point.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-11);
  return scenario;
}

std::string angles(const Eigen::Vector4d& degrees) {
  std::string text = "  initial: {joints: {";
  for (int i = 0; i < 4; ++i) {
    text += (i > 0 ? ", g" : "g") + std::to_string(i + 1) +
            ": {position: " + std::to_string(degrees(i)) + " deg}";
  }
  return text + "}}\n";
}

GyroCluster cluster_at(const Eigen::Vector4d& degrees) {
  const Scenario scenario = craft(angles(degrees));
  const Model& model = *scenario.setup.model;
  return gyro_cluster(model, scenario.initial, gyro_gimbals(model));
}

TEST(GyroCluster, IsThatOfTheTextbook) {
  // Wie's A/h of a pyramid with skew angle β, sin β = √(2/3)
  const double s = std::sqrt(2.0 / 3.0), c = std::sqrt(1.0 / 3.0);
  const Eigen::Vector4d delta = kDegree * Eigen::Vector4d(20, -35, 50, 110);
  const Eigen::Array4d S = delta.array().sin(), C = delta.array().cos();
  Matrix3X A(3, 4);
  A << -c * C(0), S(1), c * C(2), -S(3),  //
      -S(0), -c * C(1), S(2), c * C(3),   //
      s * C(0), s * C(1), s * C(2), s * C(3);
  const GyroCluster cluster = cluster_at(delta / kDegree);
  EXPECT_LE((cluster.torque - kMomentum * A).norm(), 1e-5);  // angles of six decimals
  Vector3 h(-c * S(0) - C(1) + c * S(2) + C(3), C(0) - c * S(1) - C(2) + c * S(3), s * S.sum());
  EXPECT_LE((cluster.momentum - kMomentum * h).norm(), 1e-5);
  EXPECT_NEAR(cluster.singularity, std::sqrt((A * A.transpose()).determinant()), 1e-5);
  const Eigen::JacobiSVD<MatrixX> svd(kMomentum * A);
  EXPECT_LE((cluster.strengths - svd.singularValues()).norm(), 1e-5);
}

TEST(GyroCluster, MeasuresSingularities) {
  // at rest 4 cos² β sin β; the inner, elliptic one of a pyramid; the outer one about z
  EXPECT_NEAR(cluster_at({0, 0, 0, 0}).singularity, 4.0 / 3.0 * std::sqrt(2.0 / 3.0), 1e-12);
  const GyroCluster inner = cluster_at({-90, 0, 90, 0});
  EXPECT_LE(inner.singularity, 1e-7);
  EXPECT_NEAR(std::abs(inner.weak.x()), 1.0, 1e-12);
  EXPECT_LE(cluster_at({90, 90, 90, 90}).singularity, 1e-7);
}

TEST(GyroCluster, KnowsItsGradient) {
  const Eigen::Vector4d at(20, -35, 50, 110);
  VectorX gradient(4);
  singularity_gradient(cluster_at(at), gradient);
  for (int i = 0; i < 4; ++i) {
    const Eigen::Vector4d step = 0.01 * Eigen::Vector4d::Unit(i);
    const double slope =
        (cluster_at(at + step).singularity - cluster_at(at - step).singularity) / (0.02 * kDegree);
    EXPECT_NEAR(gradient(i), slope, 1e-7);
  }
  EXPECT_GT(gradient.norm(), 0.1);
}

/// Rates, and torques of rotors, that a steering law asks for.
VectorX steered(const Scenario& scenario, const GyroSteering::Settings& settings,
                const Vector3& torque) {
  const Model& model = *scenario.setup.model;
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, scenario.initial, frames);
  compute_link_velocities(model, scenario.initial, frames, velocities);
  const EvaluationContext context{0.0,    model,      scenario.initial,
                                  frames, velocities, scenario.initial.z};
  const GyroSteering steering("", model, settings);
  VectorX command(steering.command_size());
  steering.allocate(context, {torque}, command);
  return command;
}

TEST(GyroSteering, GivesTheTorqueFarFromSingularities) {
  Scenario scenario = craft(angles({20, -35, 50, 110}));
  scenario.initial.omega_0 = {0.1, -0.2, 0.3};
  GyroSteering::Settings settings;
  settings.gimbals = gyro_gimbals(*scenario.setup.model);
  settings.rate_gain = 1.0;
  const GyroCluster cluster =
      gyro_cluster(*scenario.setup.model, scenario.initial, settings.gimbals);
  const Vector3 N(0.3, -0.2, 0.1);
  const VectorX rates = steered(scenario, settings, N);
  const Vector3 wanted = -N - scenario.initial.omega_0.cross(cluster.momentum);
  EXPECT_LE((cluster.torque * rates - wanted).norm(), 1e-14);
  // of all rates with that torque the least
  const VectorX least =
      cluster.torque.transpose() * (cluster.torque * cluster.torque.transpose()).inverse() * wanted;
  EXPECT_LE((rates - least).norm(), 1e-13);
  // null motion goes up the gradient and turns nothing
  settings.null_motion = 0.5;
  const VectorX other = steered(scenario, settings, N) - rates;
  VectorX gradient(4);
  singularity_gradient(cluster, gradient);
  EXPECT_LE((cluster.torque * other).norm(), 1e-14);
  EXPECT_GT(other.dot(gradient), 1e-3);
}

TEST(GyroSteering, StaysBoundedAtASingularity) {
  const Scenario scenario = craft(angles({-90, 0, 90, 0}));
  GyroSteering::Settings settings;
  settings.gimbals = gyro_gimbals(*scenario.setup.model);
  settings.rate_gain = 1.0;
  const GyroCluster cluster =
      gyro_cluster(*scenario.setup.model, scenario.initial, settings.gimbals);
  // nothing about x
  EXPECT_LE(steered(scenario, settings, {1.0, 0.0, 0.0}).norm(), 1e-6);
  // across it the damping λ h² takes λ h²/(σ² + λ h²) of the torque
  const Vector3 N(0.0, 0.1, 0.2);
  const Vector3 given = -cluster.torque * steered(scenario, settings, N);
  const double part = 0.01 * kMomentum * kMomentum;
  const Matrix3 square = cluster.torque * cluster.torque.transpose();
  const Matrix3 damped = square + part * Matrix3::Identity();
  EXPECT_LE((given - square * damped.inverse() * N).norm(), 1e-7);
  EXPECT_GT(given.dot(N), 0.98 * N.squaredNorm());
}

TEST(GyroSteering, SlowsAllGimbalsWhereOneWouldBeTooFast) {
  const Scenario scenario = craft(angles({20, -35, 50, 110}));
  GyroSteering::Settings settings;
  settings.gimbals = gyro_gimbals(*scenario.setup.model);
  settings.rate_gain = 1.0;
  const Vector3 N(0.3, -0.2, 0.1);
  const VectorX slow = steered(scenario, settings, N), fast = steered(scenario, settings, 100 * N);
  EXPECT_NEAR(fast.lpNorm<Eigen::Infinity>(), 2.0, 1e-14);
  EXPECT_LE((fast.normalized() - slow.normalized()).norm(), 1e-13);
}

GyroSteering::Settings of_variable_speed(const Model& model) {
  GyroSteering::Settings settings;
  settings.gimbals = gyro_gimbals(model);
  settings.rate_gain = 1.0;
  settings.rotor_weight = 2.0;
  return settings;
}

/// Torques of gimbal rates and of rotors, A and S side by side.
Matrix3X both_torques(const GyroCluster& cluster) {
  Matrix3X Q(3, 8);
  Q << cluster.torque, cluster.momenta / kMomentum;
  return Q;
}

TEST(VariableSpeedGyros, GiveTheTorqueAtASingularity) {
  Scenario scenario = craft(angles({-90, 0, 90, 0}));
  scenario.initial.omega_0 = {0.1, -0.2, 0.3};
  const GyroSteering::Settings settings = of_variable_speed(*scenario.setup.model);
  const GyroCluster cluster =
      gyro_cluster(*scenario.setup.model, scenario.initial, settings.gimbals);
  const Vector3 N(0.5, -0.2, 0.1);
  const VectorX command = steered(scenario, settings, N);
  const Vector3 wanted = -N - scenario.initial.omega_0.cross(cluster.momentum);
  const Matrix3X Q = both_torques(cluster);
  // rounding, and damping by 1e-13 of h² against rotors' 2
  EXPECT_LE((Q * command - wanted).norm(), 1e-12);
  EXPECT_GT(std::abs(wanted.x()), 0.1) << "about the axis of the singularity";
  // the weighted pseudo-inverse of both; h² = tr(A Aᵀ)/4 is that of each rotor
  VectorX weights = VectorX::Ones(8);
  weights.tail<4>().setConstant(2.0 * kMomentum * kMomentum *
                                std::pow(1.0 - cluster.singularity / settings.threshold, 2));
  const MatrixX W = weights.asDiagonal();
  const VectorX least = W * Q.transpose() * (Q * W * Q.transpose()).inverse() * wanted;
  EXPECT_LE((command - least).norm(), 1e-12);
}

TEST(VariableSpeedGyros, LeaveRotorsAloneFarFromSingularities) {
  const Scenario scenario = craft(angles({20, -35, 50, 110}));
  GyroSteering::Settings settings = of_variable_speed(*scenario.setup.model);
  settings.null_motion = 0.5;
  const VectorX command = steered(scenario, settings, {0.3, -0.2, 0.1});
  settings.rotor_weight = 0.0;
  const VectorX rates = steered(scenario, settings, {0.3, -0.2, 0.1});
  EXPECT_EQ(command.tail<4>().norm(), 0.0);
  EXPECT_LE((command.head<4>() - rates).norm(), 1e-11);
}

TEST(VariableSpeedGyros, ShrinkAllCommandsWhereOneRotorReachesItsLimit) {
  std::string gyros = pyramid();
  for (std::size_t at = gyros.find("rate_limit: 2"); at != std::string::npos;
       at = gyros.find("rate_limit: 2", at + 1)) {
    gyros.replace(at, 13, "rate_limit: 2, rotor_torque_limit: 0.05");
  }
  const Scenario scenario = craft(angles({-90, 0, 90, 0}), gyros);
  const GyroSteering::Settings settings = of_variable_speed(*scenario.setup.model);
  const GyroCluster cluster =
      gyro_cluster(*scenario.setup.model, scenario.initial, settings.gimbals);
  const Vector3 N(0.5, -0.2, 0.1);
  const VectorX command = steered(scenario, settings, N);
  EXPECT_NEAR(command.tail<4>().lpNorm<Eigen::Infinity>(), 0.05, 1e-15);
  const Vector3 given = -both_torques(cluster) * command;
  EXPECT_LE((given.normalized() - N.normalized()).norm(), 1e-12);
}

TEST(VariableSpeedGyros, TurnABodyFromASingularPosture) {
  const auto flown = [](const std::string& steering) {
    Scenario scenario =
        craft(angles({-90, 0, 90, 0}) +
              "  control: [{type: attitude, actuators: [g1, g2, g3, g4], stiffness: 2, damping: 5, "
              "rate_gain: 0.5, reference: {rpy: [0, 0, 0]}" +
              steering + "}]\n");
    scenario.initial.A_0 = matrix_from_rpy(Vector3(1e-4, 0.0, 0.0));
    return simulate(scenario.setup, scenario.initial, 7.0);
  };
  const SimulationResult result = flown(", steering: {rotor_weight: 1}");
  const double decay = 2.5 / 18.0, omega = std::sqrt(2.0 / 18.0 - decay * decay);
  const double expected = 1e-4 * std::exp(-decay * 7.0) *
                          (std::cos(7.0 * omega) + decay / omega * std::sin(7.0 * omega));
  // gimbals lag by 1e-4/0.5 s, and their angles change by some 1e-4
  EXPECT_NEAR(rpy_from_matrix(result.state.A_0).x(), expected, 1e-7);
  EXPECT_LE(result.audit.angular_drift(), 1e-9);
  EXPECT_LE(result.audit.energy_residual(), 1e-9);
  // rotors of constant speed cannot
  EXPECT_GT(std::abs(rpy_from_matrix(flown("").state.A_0).x() - expected), 1e-5);
}

TEST(GyroAttitude, TurnsEachAxisAsASpringAndADamper) {
  const double inertia[] = {18.0, 19.0, 20.0}, stiffness[] = {2.0, 3.0, 4.0};
  for (int axis = 0; axis < 3; ++axis) {
    Vector3 start = Vector3::Zero();
    start(axis) = 1e-4;
    Scenario scenario = craft(
        "  control: [{type: attitude, actuators: [g1, g2, g3, g4], stiffness: [2, 3, 4], damping: "
        "5, rate_gain: 0.5, reference: {rpy: [0, 0, 0]}}]\n");
    scenario.initial.A_0 = matrix_from_rpy(start);
    const SimulationResult result = simulate(scenario.setup, scenario.initial, 7.0);
    const double decay = 2.5 / inertia[axis];
    const double omega = std::sqrt(stiffness[axis] / inertia[axis] - decay * decay);
    const double expected = 1e-4 * std::exp(-decay * 7.0) *
                            (std::cos(7.0 * omega) + decay / omega * std::sin(7.0 * omega));
    // gimbals lag by 1e-4/0.5 s, which is 1e-4 of a radian of this oscillation
    EXPECT_NEAR(rpy_from_matrix(result.state.A_0)(axis), expected, 1e-8);
    EXPECT_LE(result.audit.angular_drift(), 1e-9);
  }
}

TEST(GyroAttitude, SlewsWithHalfOfTheMomentumItHas) {
  Scenario scenario = craft(
      "  control: [{type: attitude, actuators: [g1, g2, g3, g4], stiffness: 4, damping: 14, "
      "rate_gain: 0.05, steering: {null_motion: 0.2}, reference: {rpy: [40 deg, 0, 20 deg]}}]\n");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-8);
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 40.0);
  // D/(2 I) = 0.37 1/s
  EXPECT_LE((rpy_from_matrix(result.state.A_0) - Vector3(40, 0, 20) * kDegree).norm(), 1e-5);
  EXPECT_LE(result.state.omega_0.norm(), 1e-5);
  EXPECT_LE(result.audit.angular_drift(), 1e-6);
  EXPECT_LE(result.audit.energy_residual(), 1e-6);
}

TEST(GyroAttitude, WarnsOfAStartThatIsSingular) {
  const Scenario scenario = craft(
      angles({-90, 0, 90, 0}) +
      "  control: [{type: detumble, actuators: [g1, g2, g3, g4], damping: 5, rate_gain: 0.5}]\n");
  ASSERT_EQ(scenario.warnings.size(), 1u);
  EXPECT_NE(scenario.warnings.front().message.find("expected gyros with torque about the x axis of "
                                                   "'bus' at the start, got a singular posture"),
            std::string::npos);
}

TEST(GyroAttitude, RefusesWhatMakesNoSense) {
  const Scenario scenario = craft("");
  const auto build = [&](const auto& change) {
    return message_of<DomainError>([&] {
      GyroSteering::Settings settings;
      settings.gimbals = gyro_gimbals(*scenario.setup.model);
      settings.rate_gain = 1.0;
      change(settings);
      GyroSteering("'point': ", *scenario.setup.model, settings);
    });
  };
  using Settings = GyroSteering::Settings;
  EXPECT_EQ(build([](Settings& s) { s.gimbals = {2}; }), "'point': joint 2 is no gimbal of a gyro");
  EXPECT_EQ(build([](Settings& s) { s.gimbals[1] = s.gimbals[0]; }),
            "'point': 'g1' is named twice");
  EXPECT_EQ(build([](Settings& s) { s.rate_gain = 0.0; }),
            "'point': rate_gain must be finite and positive");
  EXPECT_EQ(build([](Settings& s) { s.threshold = 0.0; }),
            "'point': threshold must be finite and positive");
  EXPECT_EQ(build([](Settings& s) { s.damping = -1.0; }),
            "'point': the damping of its steering must be finite and positive");
  EXPECT_EQ(build([](Settings& s) { s.null_motion = -1.0; }),
            "'point': null_motion must be finite and not negative");
  EXPECT_EQ(build([](Settings& s) { s.rotor_weight = -1.0; }),
            "'point': rotor_weight must be finite and not negative");
  EXPECT_EQ(
      message_of<DomainError>([&] { gyro_cluster(*scenario.setup.model, scenario.initial, {2}); }),
      "joint 2 is no gimbal of a gyro");
}

}  // namespace
}  // namespace spacedyn::testing::gyro_steering_test
