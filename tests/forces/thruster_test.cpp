// Thrusters against the impulse they give and the propellant they take.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/thruster_force.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::thruster_test {
namespace {

Scenario flight(const std::string& thruster, const std::string& force) {
  Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: push\n  duration: 10\n  forces: [{type: thruster, thruster: "
      "t1, " +
          force +
          "}]\n  model:\n    name: craft\n    base: {name: bus, mass: 100, inertia: [18, 19, 20]}\n"
          "    frames: [{name: nozzle, link: bus, xyz: [0, 0.5, 0], rpy: [0, 90 deg, 0]}]\n"
          "    thrusters:\n      - {name: t1, at: nozzle, direction: [0, 0, 2], force: 20" +
          thruster + "}\n",
      "push.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  return scenario;
}

/// ∫ |F| dt in a run of 10 s.
double impulse(const Scenario& scenario) {
  return simulate(scenario.setup, scenario.initial, 10.0).integrals.impulse.norm();
}

TEST(Thruster, PushesAlongItsDirectionAtItsPoint) {
  const Scenario scenario = flight("", "from: 0, until: 1.0e-3");
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 1e-3);
  // z of the nozzle is x of the bus; r × F = 0.5 y × 20 x = −10 z
  // the bus turns by −t²/4, and the force with it
  const Vector3 v(20.0 / 100.0 * 1e-3, -20.0 / 100.0 * 0.25 * 1e-9 / 3.0, 0);
  EXPECT_LE((result.state.v_0 - v).norm(), 1e-15);
  EXPECT_LE((result.state.omega_0 - Vector3(0, 0, -10.0 / 20.0 * 1e-3)).norm(), 1e-11);
}

// the arm of a force follows from its body: of places 42,000 km away 7e-9 m are rounding, which
// turned this body by 1e-7 rad/s
TEST(Thruster, TurnsABodyFarAwayAsNearby) {
  Scenario scenario = flight("", "from: 0.5, until: 8");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-10);
  Frame panel = scenario.setup.model->frames().front();
  panel.position = {0.3, -0.7, 1.1};
  const Vector6 wrench = (Vector6() << 2.0, -3.0, 5.0, 0.1, 0.2, -0.1).finished();
  scenario.setup.forces.push_back(std::make_shared<AppliedWrench>("push", panel, WrenchAxes::body,
                                                                  TimeTable::constant(wrench)));
  const SimulationResult near = simulate(scenario.setup, scenario.initial, 10.0);
  scenario.initial.r_0 = 4.2e7 * Vector3(0.6, 0.8, 0.0);
  const SimulationResult far = simulate(scenario.setup, scenario.initial, 10.0);
  // the tolerance for each of some forty steps
  EXPECT_LE((far.state.omega_0 - near.state.omega_0).norm(), 1e-9);
  EXPECT_LE((far.state.A_0 - near.state.A_0).norm(), 1e-9);
  EXPECT_LE(far.statistics.steps, near.statistics.steps + 2);
}

TEST(Thruster, OpensLateAndForItsLeastTime) {
  const std::string rules = ", delay: 0.25, minimum_on_time: 0.02";
  EXPECT_NEAR(impulse(flight(rules, "from: 1, until: 1.001")), 20.0 * 0.02, 1e-9);
  const Scenario late = flight(rules, "from: 1, until: 2");
  const auto& force = dynamic_cast<const ThrusterForce&>(*late.setup.forces.front());
  EXPECT_EQ(force.opening(1.2499), 0.0);
  EXPECT_EQ(force.opening(1.25), 1.0);
  EXPECT_EQ(force.opening(2.2499), 1.0);
  EXPECT_EQ(force.opening(2.25), 0.0);
}

/// ∫ w dt until all is over, of thrust with a tail.
double mean_opening(const Scenario& scenario) {
  const State end = simulate(scenario.setup, scenario.initial, 10.0).state;
  return end.z(0) * 220.0 * 9.80665 / 20.0;
}

TEST(Thruster, RisesAndFallsLinearly) {
  const Scenario scenario = flight(
      ", specific_impulse: 220 s, delay: 0.1, rise_time: 0.2, fall_time: 0.5", "from: 1, until: 3");
  const auto& force = dynamic_cast<const ThrusterForce&>(*scenario.setup.forces.front());
  const double times[] = {1.1, 1.2, 1.3, 2.0, 3.1, 3.35, 3.6, 4.0};
  const double openings[] = {0.0, 0.5, 1.0, 1.0, 1.0, 0.5, 0.0, 0.0};
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_NEAR(force.opening(times[i]), openings[i], 1e-14) << times[i];
  }
  EXPECT_NEAR(mean_opening(scenario), 2.0 + 0.5 * (0.5 - 0.2), 1e-11);
}

TEST(Thruster, APulseShorterThanItsRiseReachesAPartOfTheForce) {
  // up to 0.1/0.4, which falls within 0.8 times that
  const Scenario scenario =
      flight(", specific_impulse: 220 s, rise_time: 0.4, fall_time: 0.8", "from: 1, until: 1.1");
  EXPECT_NEAR(mean_opening(scenario), 0.5 * 0.25 * (0.1 + 0.25 * 0.8), 1e-12);
  // what rises at once begins with all, what falls at once ends with nothing
  const Scenario late = flight(", specific_impulse: 220 s, fall_time: 0.8", "from: 1, until: 1.1");
  EXPECT_NEAR(mean_opening(late), 0.1 + 0.4, 1e-12);
  const Scenario early = flight(", specific_impulse: 220 s, rise_time: 0.4", "from: 1, until: 1.1");
  EXPECT_NEAR(mean_opening(early), 0.5 * 0.25 * 0.1, 1e-12);
}

TEST(Thruster, FollowsATableAtItsRates) {
  // behind u = t it rises by t/2, meets u = 2 − t at t = 4/3 and falls by half again
  const Scenario scenario = flight(", specific_impulse: 220 s, rise_time: 2, fall_time: 2",
                                   "table: {time: [0, 1, 2], command: [0, 1, 0]}");
  const auto& force = dynamic_cast<const ThrusterForce&>(*scenario.setup.forces.front());
  EXPECT_NEAR(force.opening(1.0), 0.5, 1e-14);
  EXPECT_NEAR(force.opening(4.0 / 3.0), 2.0 / 3.0, 1e-14);
  EXPECT_NEAR(force.opening(2.0), 1.0 / 3.0, 1e-14);
  EXPECT_EQ(force.opening(2.7), 0.0);
  EXPECT_NEAR(mean_opening(scenario), 0.5 * 4.0 / 3.0 * 2.0 / 3.0 + 0.5 * 4.0 / 3.0 * 2.0 / 3.0,
              1e-11);
  // one that is slow enough it keeps to
  const Scenario slow = flight(", rise_time: 0.9, fall_time: 0.9",
                               "table: {time: [0, 1, 2, 3], command: [0, 0.8, 0.2, 0]}");
  const auto& same = dynamic_cast<const ThrusterForce&>(*slow.setup.forces.front());
  for (const double time : {0.3, 1.0, 1.6, 2.0, 2.9}) {
    const double command = time < 1.0   ? 0.8 * time
                           : time < 2.0 ? 1.4 - 0.6 * time
                                        : 0.6 - 0.2 * time;
    EXPECT_NEAR(same.opening(time), command, 1e-14) << time;
  }
}

TEST(Thruster, MethodsKeepTheirOrderOverRisesAndFalls) {
  // it tumbles, and nothing of the pulse is on the grid
  Scenario scenario = flight(", rise_time: 0.33, fall_time: 0.57", "from: 1.037, until: 3.019");
  const State exact = simulate(scenario.setup, scenario.initial, 10.0).state;
  double errors[2];
  for (int i = 0; i < 2; ++i) {
    scenario.setup.integrator = fixed_step(IntegrationMethod::rk4, i == 0 ? 0.1 : 0.05);
    const State end = simulate(scenario.setup, scenario.initial, 10.0).state;
    errors[i] = (end.r_0 - exact.r_0).norm();
  }
  EXPECT_GT(errors[0], 1e-10);
  // 16; a method that missed the corners would be of second order, 4
  EXPECT_GT(errors[0] / errors[1], 12.0);
}

TEST(Thruster, FollowsATable) {
  const Scenario scenario = flight(", delay: 1", "table: {time: [0, 1, 3], command: [0, 1, 0.5]}");
  const auto& force = dynamic_cast<const ThrusterForce&>(*scenario.setup.forces.front());
  EXPECT_NEAR(force.opening(1.5), 0.5, 1e-15);
  EXPECT_NEAR(force.opening(3.0), 0.75, 1e-15);
  EXPECT_EQ(force.opening(4.0), 0.0);
}

TEST(Thruster, ConsumesByItsSpecificImpulse) {
  const Scenario scenario = flight(", specific_impulse: 220 s", "from: 1, until: 4");
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 10.0);
  const double used = 20.0 * 3.0 / (220.0 * 9.80665);
  EXPECT_NEAR(result.state.z(0), used, 1e-10 * used);
  EXPECT_LE(result.audit.energy_residual(), 1e-10);
  EXPECT_LE(result.audit.momentum_drift(), 1e-10);
}

TEST(Thruster, PulseBelowItsLeastTimeInATableIsRefused) {
  const std::string message = message_of<ParseError>([] {
    flight(", minimum_on_time: 0.5",
           "table: {time: [0, 0.1, 0.2, 5, 6], command: [0, 1, 0, 0, 1]}");
  });
  EXPECT_NE(message.find("a pulse is shorter than the minimum on-time of 't1'"), std::string::npos)
      << message;
}

TEST(Thruster, CommandBeyondOneIsRefused) {
  const Scenario scenario = flight("", "from: 0, until: 1");
  const Thruster& thruster = scenario.setup.model->thrusters().front();
  EXPECT_EQ(message_of<DomainError>([&] {
              ThrusterForce("push", thruster, TimeTable::constant(VectorX::Constant(1, 1.5)));
            }),
            "'push': a command must be from 0 to 1");
  EXPECT_EQ(message_of<DimensionError>(
                [&] { ThrusterForce("push", thruster, TimeTable::constant(VectorX::Ones(2))); }),
            "the command of 'push' has 2 rows, expected 1");
}

TEST(Thruster, IsWrittenAsItIsRead) {
  const auto model =
      flight(
          ", specific_impulse: 220 s, delay: 0.1, minimum_on_time: 0.02, rise_time: 0.03, "
          "fall_time: 0.04",
          "from: 1, until: 4")
          .setup.model;
  const auto again = parse_model(write_model(*model), "again.yaml").model;
  ASSERT_EQ(again->thrusters().size(), 1u);
  const Thruster& thruster = again->thrusters().front();
  EXPECT_EQ(thruster.drive.direction, Vector3::UnitZ());
  EXPECT_EQ(thruster.drive.specific_impulse, 220.0);
  EXPECT_EQ(thruster.drive.delay, 0.1);
  EXPECT_EQ(thruster.drive.minimum_on_time, 0.02);
  EXPECT_EQ(thruster.drive.rise_time, 0.03);
  EXPECT_EQ(thruster.drive.fall_time, 0.04);
  EXPECT_EQ(write_model(*again), write_model(*model));
}

}  // namespace
}  // namespace spacedyn::testing::thruster_test
