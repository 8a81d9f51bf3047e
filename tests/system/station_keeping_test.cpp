// Thrusters hold a place: damped oscillators, the tide and limit cycles in closed form.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/control/allocation.hpp"
#include "spacedyn/control/momentum_dumping.hpp"
#include "spacedyn/control/thruster_allocation.hpp"
#include "spacedyn/control/two_impulse_reference.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::station_keeping_test {
namespace {

constexpr double kMass = 100.0;
constexpr double kExhaust = 200.0 * kStandardGravity;

/// Two jets of 2 N for each direction, none of them through the centroid.
std::string craft(const std::string& jet_keys) {
  std::string frames, jets;
  const auto add = [&](const std::string& name, const std::string& place,
                       const std::string& direction) {
    frames += "      - {name: f" + name + ", link: bus, xyz: [" + place + "]}\n";
    jets += "      - {name: " + name + ", at: f" + name + ", direction: [" + direction +
            "], force: 2, specific_impulse: 200" + jet_keys + "}\n";
  };
  add("x1", "-1, 0.2, 0", "1, 0, 0");
  add("x2", "-1, -0.2, 0", "1, 0, 0");
  add("x3", "1, 0.2, 0", "-1, 0, 0");
  add("x4", "1, -0.2, 0", "-1, 0, 0");
  add("y1", "1, 0, 0", "0, 1, 0");
  add("y2", "-1, 0, 0", "0, 1, 0");
  add("y3", "1, 0, 0", "0, -1, 0");
  add("y4", "-1, 0, 0", "0, -1, 0");
  add("z1", "0, 1, 0", "0, 0, 1");
  add("z2", "0, -1, 0", "0, 0, 1");
  add("z3", "0, 1, 0", "0, 0, -1");
  add("z4", "0, -1, 0", "0, 0, -1");
  return "  model:\n    name: craft\n    base: {name: bus, mass: 100, inertia: [20, 20, 20]}\n"
         "    frames:\n" +
         frames + "    thrusters:\n" + jets;
}

const std::string kKeeping =
    "  control: [{type: station_keeping, thrusters: [x1, x2, x3, x4, y1, y2, y3, y4, z1, z2, z3, "
    "z4], ";
const std::string kOrbit = "  environment: {orbit: {mu: 1.0e+15, radius: 1.0e+7}}\n";

Scenario flight(const std::string& rest, const std::string& jet_keys = "") {
  Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: keeping\n  duration: 5000\n" + rest + craft(jet_keys),
      "keeping.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  return scenario;
}

TEST(StationKeeping, IsADampedOscillatorAlongEachAxis) {
  const Vector3 start(0.5, -0.3, 0.2), K(4.0, 6.0, 8.0);
  const double D = 10.0;
  Scenario scenario = flight(
      "  initial: {base: {position: [0.5, -0.3, 0.2]}}\n" + kKeeping +
      "stiffness: [4, 6, 8], damping: 10, reference: {type: constant, position: [0, 0, 0]}}]\n");
  // before any force vanishes, openings are smooth to what tight tolerances see
  const SimulationResult begun = simulate(scenario.setup, scenario.initial, 3.0);
  EXPECT_LE(begun.statistics.evaluations, 200);
  // jets that take over from one another where a force vanishes would make adaptive steps small
  scenario.setup.integrator = fixed_step(IntegrationMethod::dop853, 0.1);
  const double time = 30.0, decay = 0.5 * D / kMass;
  const SimulationResult end = simulate(scenario.setup, scenario.initial, time);
  for (int i = 0; i < 3; ++i) {
    const double omega = std::sqrt(K(i) / kMass - decay * decay);
    const double swing = std::cos(omega * time) + decay / omega * std::sin(omega * time);
    // the least squares weigh flow with 1e-10
    EXPECT_NEAR(end.state.r_0(i), start(i) * std::exp(-decay * time) * swing, 1e-9);
  }
  EXPECT_LE((end.state.A_0 - Matrix3::Identity()).norm(), 1e-12);
  EXPECT_LE(end.audit.momentum_drift(), 1e-12);
  EXPECT_LE(end.audit.energy_residual(), 1e-12);
}

/// A camera on the craft that sees a beacon 10 m ahead.
std::string camera(const std::string& keys) {
  return "  sensors: [{type: relative_pose, name: camera, at: bus, target: beacon, sample_period: "
         "0.5" +
         keys + "}]\n";
}
const std::string kBeacon =
    "    links: [{name: beacon, parent: bus, joint: {type: free, origin: {xyz: [10, 0, 0]}}, mass: "
    "50, inertia: [3, 3, 3]}]\n";

TEST(StationKeeping, GoesByWhatACameraSees) {
  const std::string keeping =
      kKeeping +
      "stiffness: 4, damping: 30, sensors: [camera], reference: {type: constant, position: [0.2, "
      "0, 0]}}]\n";
  Scenario scenario = parse_scenario("spacedyn: 1\nscenario:\n  name: keeping\n  duration: 5000\n" +
                                         camera(", bias: [0.01, 0.02, -0.03, 0, 0, 0]") + keeping +
                                         craft("") + kBeacon,
                                     "keeping.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-9);
  EXPECT_EQ(scenario.setup.controllers.front()->sample_period(), 0.5);
  const State end = simulate(scenario.setup, scenario.initial, 300.0).state;
  // what it takes for its place is the true one less the bias
  EXPECT_LE((end.r_0 - Vector3(0.21, 0.02, -0.03)).norm(), 1e-6);
  // the beacon stays, though it flies beside: jets know the centroid of their own craft
  EXPECT_LE((end.A_0 - Matrix3::Identity()).norm(), 1e-6);
}

TEST(StationKeeping, BearsTheTideByItsStiffness) {
  // K (50 − x) + 3 n² m x = 0
  const double n = 1e-3, K = 4.0;
  const Scenario scenario = flight(kOrbit + "  initial: {base: {position: [50, 0, 0]}}\n" +
                                   kKeeping + "stiffness: 4, damping: 30}]\n");
  const State end = simulate(scenario.setup, scenario.initial, 300.0).state;
  EXPECT_NEAR(end.r_0.x(), 50.0 * K / (K - 3.0 * n * n * kMass), 1e-8);
  EXPECT_NEAR(end.r_0.y(), 0.0, 1e-8);
}

TEST(StationKeeping, HasTheLimitCycleOfItsDeadBandAndMinimumPulse) {
  // K (y − b) + D v = on F is reached at ±v_1 = F τ/(2 m): each pulse of τ reverses the velocity
  const double tau = 0.1, F = 4.0, K = 200.0, D = 500.0, band = 0.01;
  const double v = 0.5 * F * tau / kMass, edge = band + (0.5 * F - D * v) / K;
  const double period = 4.0 * edge / v + 2.0 * tau;
  const Scenario scenario = flight(
      "  initial: {base: {velocity: [0, 0.002, 0]}}\n" + kKeeping +
          "stiffness: [0, 200, 0], damping: [0, 500, 0], dead_band: 1 cm, modulation: {type: "
          "schmitt, period: 2 ms, on_threshold: 0.5, off_threshold: 0.2}}]\n",
      ", minimum_on_time: 0.1");
  Trajectory flown;
  Simulator(scenario.setup).run(scenario.initial, 3.0 * period, 0.01, flown);
  double most = 0.0, least = 0.0, before = 0.0;
  std::vector<double> rises;  // through y = 0
  for (const TrajectoryPoint& sample : flown.points) {
    const double y = sample.state.r_0.y();
    most = std::max(most, y);
    least = std::min(least, y);
    if (before < 0.0 && y >= 0.0) rises.push_back(sample.time);
    before = y;
  }
  const double amplitude = edge + F * tau * tau / (8.0 * kMass);
  // decisions come up to two samples late
  EXPECT_NEAR(most, amplitude, v * 4e-3);
  EXPECT_NEAR(-least, amplitude, v * 4e-3);
  ASSERT_GE(rises.size(), 2u);
  EXPECT_NEAR((rises.back() - rises.front()) / static_cast<double>(rises.size() - 1), period,
              4 * 4e-3 + 0.01);
  // two pulses of two jets per cycle
  EXPECT_NEAR(flown.points.back().state.z.sum() / (3.0 * 2.0 * F * tau / kExhaust), 1.0, 1e-6);
}

TEST(StationKeeping, FollowsATransferByTwoImpulses) {
  const Scenario scenario = flight(
      kOrbit + "  initial: {base: {position: [0, -100, 0]}}\n" + kKeeping +
      "stiffness: 2, damping: 40, reference: {type: two_impulse, to: [0, -20, 0], from_time: 10, "
      "duration: 1500}}]\n");
  const TwoImpulseReference transfer({0, -100, 0}, {0, -20, 0}, 10.0, 1500.0, 1e-3);
  const State drifting = simulate(scenario.setup, scenario.initial, 200.0).state;
  const State coasting = simulate(scenario.setup, scenario.initial, 1500.0).state;
  const SimulationResult end = simulate(scenario.setup, scenario.initial, 1800.0);
  // on the arc they are shut
  EXPECT_NEAR(coasting.z.sum() / drifting.z.sum(), 1.0, 1e-4);
  EXPECT_LE((end.state.r_0 - Vector3(0, -20, 0)).norm(), 1e-6);
  // no less than both changes of the velocity need
  const double least =
      kMass * (transfer.departure().lpNorm<1>() + transfer.arrival().lpNorm<1>()) / kExhaust;
  EXPECT_GE(end.state.z.sum(), least);
  EXPECT_LE(end.state.z.sum(), 2.0 * least);
}

TEST(StationKeeping, LeavesInhibitedThrustersShut) {
  const Scenario scenario = flight(
      "  initial: {base: {position: [0, 0.9, 0]}}\n" + kKeeping +
      "stiffness: [0, 4, 0], damping: [0, 30, 0], inhibit: [y1], reference: {type: constant, "
      "position: [0, 1, 0]}}]\n");
  const ThrusterValves& valves = *scenario.setup.controllers.front()->valves();
  ASSERT_EQ(valves.size(), 11);
  for (const Thruster& thruster : valves.thrusters()) {
    EXPECT_NE(thruster.name, "y1");
  }
  // a couple of the others, up to 0.8 N m, takes the torque of y2
  const State end = simulate(scenario.setup, scenario.initial, 300.0).state;
  EXPECT_NEAR(end.r_0.y(), 1.0, 1e-6);
  EXPECT_LE((end.A_0 - Matrix3::Identity()).norm(), 1e-6);
}

TEST(StationKeeping, RefusesSettingsThatCannotBe) {
  const Scenario scenario = flight("");
  StationKeeping::Settings settings;
  const Model& model = *scenario.setup.model;
  std::vector<Thruster> thrusters = model.thrusters();
  settings.reference = std::make_shared<ConstantReference>(Vector3::Zero());
  const auto message = [&] {
    return message_of<Error>([&] {
      StationKeeping("k", settings,
                     std::make_shared<ThrusterAllocation>("'k': ", model, thrusters));
    });
  };
  EXPECT_EQ(message(), "'k': it has no gain that is not zero");
  settings.stiffness.x() = -1.0;
  EXPECT_EQ(message(), "'k': stiffness must be finite and not negative");
  settings.stiffness.x() = 1.0;
  settings.damping.y() = std::nan("");
  EXPECT_EQ(message(), "'k': damping must be finite and not negative");
  settings.damping.y() = 0.0;
  settings.dead_band = -1.0;
  EXPECT_EQ(message(), "'k': dead_band must be finite and not negative");
  settings.dead_band = 0.0;
  settings.sample_period = -1.0;
  EXPECT_EQ(message(), "'k': sample_period must be finite and not negative");
  settings.sample_period = 0.0;
  settings.reference = std::make_shared<ConstantReference>(VectorX::Zero(2));
  EXPECT_EQ(message(), "'k': the reference has 2 components, expected 3");
  settings.reference = nullptr;
  EXPECT_EQ(message(), "'k': it has no reference");
  settings.reference = std::make_shared<ConstantReference>(Vector3::Zero());
  EXPECT_EQ(message_of<Error>([&] {
              StationKeeping(
                  "k", settings,
                  std::make_shared<TorquerAllocation>("", model, std::vector{Torquer()}));
            }),
            "'k': its torquers have no force");
  thrusters.clear();
  EXPECT_EQ(message(), "'k': it has no thrusters");
}

}  // namespace
}  // namespace spacedyn::testing::station_keeping_test
