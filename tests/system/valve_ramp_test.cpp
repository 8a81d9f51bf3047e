// Thrust that rises and falls behind valves which a controller opens.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::valve_ramp_test {
namespace {

constexpr double kInertia = 20.0, kMoment = 4.0, kDamping = 10.0, kPeriod = 0.5;
constexpr double kExhaust = 200.0 * kStandardGravity;
constexpr double kRise = 0.04, kFall = 0.1;

/// Two pairs of jets about z, arms of 1 m, 2 N each.
Scenario flight(const std::string& rate, const std::string& rest = "") {
  const std::string jet = ", force: 2, specific_impulse: 200, rise_time: 0.04, fall_time: 0.1}\n";
  Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: jets\n  duration: 100\n  initial: {base: {angular_velocity: "
      "[0, 0, " +
          rate +
          "]}}\n  control: [{name: damper, type: detumble, actuators: [p1, p2, m1, m2], damping: "
          "[0, 0, 10], modulation: {type: pulse_width, period: 0.5}}]\n" +
          rest +
          "  model:\n    name: craft\n    base: {name: bus, mass: 100, inertia: [20, 20, 20]}\n"
          "    frames:\n      - {name: front, link: bus, xyz: [1, 0, 0]}\n"
          "      - {name: back, link: bus, xyz: [-1, 0, 0]}\n"
          "    thrusters:\n      - {name: p1, at: front, direction: [0, 1, 0]" +
          jet + "      - {name: p2, at: back, direction: [0, -1, 0]" + jet +
          "      - {name: m1, at: front, direction: [0, -1, 0]" + jet +
          "      - {name: m2, at: back, direction: [0, 1, 0]" + jet,
      "jets.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  return scenario;
}

/// ∫ of the opening over a pulse that ends before the next begins.
double mean_opening(double pulse) {
  const double top = std::min(1.0, pulse / kRise);
  const double open = pulse < kRise ? 0.5 * pulse * top : pulse - 0.5 * kRise;
  return open + 0.5 * top * top * kFall;
}

TEST(ValveRamp, PulsesHaveTheImpulseOfTheirRisesAndFalls) {
  const Scenario scenario = flight("0.15");
  for (const int periods : {1, 2, 5, 12}) {
    double omega = 0.15, open = 0.0;
    for (int k = 0; k < periods; ++k) {
      const double mean = mean_opening(kDamping * omega * kPeriod / kMoment);
      omega -= kMoment / kInertia * mean;
      open += mean;
    }
    const SimulationResult end = simulate(scenario.setup, scenario.initial, kPeriod * periods);
    // the least squares weigh flow with 1e-10
    EXPECT_NEAR(end.state.omega_0.z(), omega, 1e-9);
    EXPECT_NEAR(end.state.z.sum(), 4.0 * open / kExhaust, 1e-11);
    EXPECT_LE(end.audit.momentum_drift(), 1e-12);
    EXPECT_LE(end.audit.energy_residual(), 1e-12);
  }
}

TEST(ValveRamp, AValveThatOpensAmidAFallGoesOnFromThere) {
  // 0.475 s of 0.5 s, so the force has fallen by a quarter of 0.1 s: 0.75, up again within 0.01 s
  const double omega = 0.475 * kMoment / (kDamping * kPeriod);
  const Scenario scenario = flight(std::to_string(omega));
  const State end = simulate(scenario.setup, scenario.initial, 0.525).state;
  const double falls = 0.5 * 0.025 * (1.0 + 0.75), rises = 0.5 * 0.01 * (0.75 + 1.0);
  const double open = (0.475 - 0.5 * kRise) + falls + rises + 0.015;
  EXPECT_NEAR(end.omega_0.z(), omega - kMoment / kInertia * open, 1e-9);
}

TEST(ValveRamp, AControllerThatIsTurnedOffLetsThrustFall) {
  // all is open when it is switched off at 0.3 s
  const Scenario scenario =
      flight("0.6",
             "  events: [{type: time, name: shut, time: 0.3, actions: [{type: "
             "switch, controller: damper, enabled: false}]}]\n");
  const SimulationResult end = simulate(scenario.setup, scenario.initial, 2.0);
  const double open = 0.3 - 0.5 * kRise + 0.5 * kFall;
  EXPECT_NEAR(end.state.omega_0.z(), 0.6 - kMoment / kInertia * open, 1e-9);
  EXPECT_NEAR(end.state.z.sum(), 4.0 * open / kExhaust, 1e-11);
  EXPECT_LE(end.audit.momentum_drift(), 1e-12);
}

TEST(ValveRamp, ImplicitMethodsKnowItsSlope) {
  Scenario scenario = flight("0.15");
  const State exact = simulate(scenario.setup, scenario.initial, 5.0).state;
  scenario.setup.integrator = adaptive(IntegrationMethod::rodas, 1e-8);
  const SimulationResult end = simulate(scenario.setup, scenario.initial, 5.0);
  EXPECT_NEAR(end.state.omega_0.z(), exact.omega_0.z(), 1e-8);
  // steps end where valves move and where ramps end; little is to be done in between
  EXPECT_EQ(end.statistics.rejected, 0);
}

}  // namespace
}  // namespace spacedyn::testing::valve_ramp_test
