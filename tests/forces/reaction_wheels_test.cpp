// Reaction wheels against closed forms: J of a wheel comes on top of I of the body, so that with
// L = (I + J) ω + J q̇ constant a torque τ between them gives q̈ = τ (I + J)/(I J).
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/analysis/linearization.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/reaction_wheels.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/model/reaction_wheel.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::reaction_wheels_test {
namespace {

constexpr double kBody = 20.0, kSpin = 0.05;  // kg m²
constexpr double kEffective = kBody * kSpin / (kBody + kSpin);

/// A free body with a wheel along z whose further keys are given, and what acts.
Scenario flight(const std::string& wheel, const std::string& more) {
  Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: spin\n  duration: 1\n  model:\n    name: craft\n"
      "    base: {name: bus, mass: 100, inertia: [18, 19, 20]}\n    reaction_wheels:\n"
      "      - {name: wz, body: bus, axis: [0, 0, 2], spin_inertia: 0.05" +
          wheel + "}\n" + more,
      "spin.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  return scenario;
}

std::string torque(double value) {
  return "  forces: [{type: joint_torque, joint: wz, torque: " + std::to_string(value) + "}]\n";
}

std::string spinning(double speed) {
  return "  initial: {joints: {wz: {velocity: " + std::to_string(speed) + "}}}\n";
}

SimulationResult fly(const Scenario& scenario, double duration) {
  return simulate(scenario.setup, scenario.initial, duration);
}

TEST(ReactionWheel, IsALinkOnAJointOfItsName) {
  const auto model = flight("", "").setup.model;
  ASSERT_EQ(model->joint_count(), 1);
  EXPECT_EQ(model->joint(1).name, "wz");
  EXPECT_EQ(model->body(1).name, "wz");
  EXPECT_EQ(model->total_mass(), 100.0);
  InertiaBlocks blocks(*model);
  JacobianWorkspace workspace(*model);
  LinkFrames frames(*model);
  const State state(*model);
  compute_link_frames(*model, state, frames);
  compute_inertia_blocks(*model, frames, workspace, blocks);
  EXPECT_NEAR(blocks.H_b(5, 5), kBody + kSpin, 1e-13);
  EXPECT_NEAR(blocks.H_b(3, 3), 18.0, 1e-13);
  EXPECT_NEAR(blocks.H_bm(5, 0), kSpin, 1e-15);
  EXPECT_NEAR(blocks.H_m(0, 0), kSpin, 1e-15);
}

TEST(ReactionWheel, SpinsUpAgainstTheBody) {
  const Scenario scenario = flight("", torque(0.1));
  const SimulationResult result = fly(scenario, 30.0);
  const double speed = 0.1 / kEffective * 30.0;
  EXPECT_NEAR(result.state.qd(0), speed, 1e-10 * speed);
  EXPECT_NEAR(result.state.omega_0.z(), -kSpin * speed / (kBody + kSpin), 1e-12);
  EXPECT_LE(result.audit.energy_residual(), 1e-11);
  EXPECT_LE(result.audit.angular_drift(), 1e-11);
}

TEST(ReactionWheel, LimitsTheTorqueOfWhatActsOnItsJoint) {
  const Scenario scenario = flight(", torque_limit: 0.2", torque(-5.0));
  const SimulationResult result = fly(scenario, 10.0);
  EXPECT_NEAR(result.state.qd(0), -0.2 / kEffective * 10.0, 1e-9);
  EXPECT_LE(result.audit.energy_residual(), 1e-11);
  ASSERT_EQ(result.sources.back().name, "reaction_wheels");
  // what the limit cuts off is work that the element takes out: (5 − 0.2) N m over the angle
  EXPECT_NEAR(result.sources.back().end.work, 4.8 * result.state.q(0), 1e-6);
}

TEST(ReactionWheel, StopsAtItsMomentum) {
  const Scenario scenario = flight(", momentum_limit: 4, torque_limit: 0.2", torque(1.0));
  const SimulationResult before = fly(scenario, 19.9);  // 3.99 N m s: still outside of the fade
  EXPECT_NEAR(before.state.qd(0), 0.2 / kEffective * 19.9, 1e-8);
  const SimulationResult late = fly(scenario, 60.0);
  // over the last thousandth it comes nearer with the rate τ/(J_e/J · 4e-3): e^-2000 is left
  EXPECT_NEAR(kSpin * late.state.qd(0), 4.0, 1e-8);
  EXPECT_LE(late.audit.energy_residual(), 1e-9);
  EXPECT_LE(late.audit.angular_drift(), 1e-11);
}

TEST(ReactionWheel, LeavesItsMomentumLimitAgain) {
  const Scenario scenario = flight(", momentum_limit: 4", spinning(80.0) + torque(-0.1));
  const SimulationResult result = fly(scenario, 10.0);
  EXPECT_NEAR(result.state.qd(0), 80.0 - 0.1 / kEffective * 10.0, 1e-9);
}

TEST(ReactionWheel, SlowsDownByViscousFriction) {
  const Scenario scenario = flight(", friction: {viscous: 1.0e-3}", spinning(100.0));
  const SimulationResult result = fly(scenario, 50.0);
  // relative to the body both move with H q̇ + … : q̇ decays with c/J_e
  const double speed = 100.0 * std::exp(-1e-3 / kEffective * 50.0);
  EXPECT_NEAR(result.state.qd(0), speed, 1e-9 * speed);
  EXPECT_LE(result.audit.energy_residual(), 1e-11);
  EXPECT_NEAR(result.sources.back().end.dissipated,
              0.5 * kEffective * (100.0 * 100.0 - speed * speed), 1e-7);
}

TEST(ReactionWheel, SlowsDownByCoulombFrictionToRest) {
  const Scenario scenario = flight(", friction: {coulomb: 0.02}", spinning(10.0));
  const double stop = 10.0 * kEffective / 0.02;  // about 25 s
  const SimulationResult on_the_way = fly(scenario, 20.0);
  EXPECT_NEAR(on_the_way.state.qd(0), 10.0 * (1.0 - 20.0 / stop), 1e-9);
  const SimulationResult at_rest = fly(scenario, 30.0);
  EXPECT_NEAR(at_rest.state.qd(0), 0.0, 1e-12);
}

TEST(ReactionWheel, ReachesTheSpeedAtWhichFrictionTakesTheTorque) {
  const Scenario scenario =
      flight(", torque_limit: 0.2, friction: {viscous: 0.01, coulomb: 0.05}", torque(3.0));
  // the motor is limited, and the bearings act besides
  EXPECT_NEAR(fly(scenario, 200.0).state.qd(0), (0.2 - 0.05) / 0.01, 1e-9);
}

TEST(ReactionWheel, IsLinearizedWithItsLimits) {
  const auto poles = [](const std::string& wheel, const std::string& more) {
    const Scenario scenario = flight(wheel, more);
    return linearize(scenario.setup, scenario.initial).A;
  };
  const std::string pd =
      "  control: [{type: joint_pd, joints: [wz], stiffness: 2, damping: 3, reference: {type: "
      "constant, position: 1}}]\n";
  // 2 N m is asked for: beyond a limit of 1 N m neither gain counts, below one of 3 both do
  const MatrixX within = poles(", torque_limit: 3, friction: {viscous: 0.1}", pd);
  const MatrixX beyond = poles(", torque_limit: 1, friction: {viscous: 0.1}", pd);
  const Eigen::Index qd = within.rows() - 1;
  EXPECT_NEAR(within(qd, qd), -3.1 / kEffective, 1e-9);
  EXPECT_NEAR(beyond(qd, qd), -0.1 / kEffective, 1e-9);
}

TEST(ReactionWheel, ShakesItsBodyByItsImbalance) {
  // the body alone carries 99 kg; U = 1e-3 kg m off the axis at 50 rad/s pushes with U Ω²
  const Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: shake\n  duration: 1\n  base: {mode: fixed}\n"
      "  initial: {joints: {w: {velocity: 50}}}\n  model:\n    name: craft\n"
      "    base: {name: bus, mass: 99, inertia: [18, 19, 20]}\n    reaction_wheels:\n"
      "      - {name: w, body: bus, axis: [0, 0, 1], mass: 1, spin_inertia: 0.05,\n"
      "         transverse_inertia: 0.03, static_imbalance: 1.0e-3, dynamic_imbalance: 2.0e-4}\n",
      "shake.yaml");
  Trajectory trajectory;
  Simulator(scenario.setup).run(scenario.initial, 0.1, 0.01, trajectory);
  for (const TrajectoryPoint& sample : trajectory.points) {
    // with the base held, the forces are those of the support: −U Ω² along the offset, and about
    // the base I_xz Ω² across it
    const Vector3 along(std::cos(sample.state.q(0)), std::sin(sample.state.q(0)), 0.0);
    const Vector3 across = Vector3::UnitZ().cross(along);
    EXPECT_LE((sample.forces.head<3>() + 1e-3 * 2500.0 * along).norm(), 1e-8);
    EXPECT_LE((sample.forces.segment<3>(3) - 2e-4 * 2500.0 * across).norm(), 1e-8);
  }
}

TEST(ReactionWheel, IsWrittenAsItIsRead) {
  const auto model = flight(
                         ", torque_limit: 0.2, momentum_limit: 4, mass: 2, position: [0, 0, 0.1], "
                         "transverse_inertia: 0.03, friction: {viscous: 1.0e-5, coulomb: 1.0e-3}",
                         "")
                         .setup.model;
  const auto again = parse_model(write_model(*model), "again.yaml");
  EXPECT_TRUE(again.warnings.empty());
  ASSERT_NE(again.model->wheel(1), nullptr);
  const WheelDrive& drive = *again.model->wheel(1);
  EXPECT_EQ(drive.spin_inertia, kSpin);
  EXPECT_EQ(drive.torque_limit, 0.2);
  EXPECT_EQ(drive.momentum_limit, 4.0);
  EXPECT_EQ(drive.viscous, 1e-5);
  EXPECT_EQ(drive.coulomb, 1e-3);
  EXPECT_EQ(again.model->body(1).inertia_L, model->body(1).inertia_L);
  EXPECT_EQ(write_model(*again.model), write_model(*model));
}

TEST(ReactionWheel, OfNoInertiaOrNoAxisIsRefused) {
  ReactionWheelDescription wheel;
  wheel.name = "w";
  wheel.body = "bus";
  wheel.axis.setZero();
  ModelDescription robot;
  const std::string message = message_of<ModelError>([&] { add_reaction_wheel(robot, wheel); });
  EXPECT_NE(message.find("w.spin_inertia: expected a finite, positive inertia about the axis"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("w.axis: expected a finite vector other than zero"), std::string::npos)
      << message;
  EXPECT_TRUE(robot.links.empty());
}

TEST(ReactionWheel, OfImpossibleImbalanceIsRefused) {
  ReactionWheelDescription wheel;
  wheel.name = "w";
  wheel.body = "bus";
  wheel.drive.spin_inertia = 0.05;
  wheel.static_imbalance = 1e-3;
  wheel.dynamic_imbalance = 0.01;
  const auto problems = validate_reaction_wheel(wheel, "w");
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].path, "w.static_imbalance");
  EXPECT_EQ(problems[1].path, "w.dynamic_imbalance");
}

}  // namespace
}  // namespace spacedyn::testing::reaction_wheels_test
