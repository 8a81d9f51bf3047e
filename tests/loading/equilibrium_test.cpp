// Static equilibria against closed forms.
#include <cmath>
#include <sstream>

#include <gtest/gtest.h>

#include "spacedyn/analysis/equilibrium.hpp"
#include "spacedyn/forces/reference_orbit.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/scenario/run_watches.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::equilibrium_test {
namespace {

constexpr double kGravity = 9.81;

Scenario scenario_of(const std::string& sections, const std::string& model,
                     const std::string& surroundings = "") {
  return parse_scenario(
      "spacedyn: 1\nscenario:\n  name: rest\n  duration: 10\n"
      "  environment: {gravity: [0, 0, -9.81]" +
          surroundings + "}\n" + sections + "  model:\n    name: robot\n" + model,
      "rest.yaml");
}

/// A pendulum of 2 kg and 0.5 m on a fixed base that stands upright at zero, with a spring.
std::string pendulum(double stiffness) {
  return "    base: {name: ground, fixed: true}\n    links: [{name: rod, parent: ground, joint: "
         "{name: hinge, type: revolute, axis: [0, 1, 0], stiffness: " +
         std::to_string(stiffness) +
         "}, mass: 2, center_of_mass: [0, 0, 0.5], inertia: [0.1, 0.1, 0.1]}]\n";
}

double rest_of_pendulum(double stiffness, double start) {
  return scenario_of("  initial: {equilibrium: true, joints: {hinge: {position: " +
                         std::to_string(start) + "}}}\n",
                     pendulum(stiffness))
      .initial.q(0);
}

/// Newton's method on m g l sin q = K q.
double leaning(double stiffness, double guess) {
  const double torque = 2.0 * kGravity * 0.5;
  double q = guess;
  for (int i = 0; i < 50; ++i) {
    q -= (torque * std::sin(q) - stiffness * q) / (torque * std::cos(q) - stiffness);
  }
  return q;
}

// A satellite with a boom: the gradient of gravity turns it until the boom points outwards, with
// the centroid of both on the orbit.
TEST(Equilibrium, OfASatelliteInAnOrbitPointsOutwards) {
  for (const char* tide : {"linear", "exact"}) {
    const Scenario scenario = parse_scenario(
        std::string("spacedyn: 1\nscenario:\n  name: boom\n  duration: 10\n"
                    "  environment: {orbit: {altitude: 400 km}, gravity_gradient: true, tide: ") +
            tide +
            "}\n  initial: {equilibrium: true, base: {position: [0.3, 2, -0.2], rpy: [0.1, 0.1, "
            "0.5]}, joints: {hinge: {position: 0.4}}}\n"
            "  model:\n    name: robot\n    base: {name: bus, mass: 100, inertia: [20, 60, 65]}\n"
            "    links: [{name: boom, parent: bus, joint: {name: hinge, type: revolute, axis: [0, "
            "0, "
            "1], origin: {xyz: [1, 0, 0]}}, mass: 3, center_of_mass: [4, 0, 0], inertia: [0.1, 20, "
            "20]}]\n",
        "boom.yaml");
    const State& state = scenario.initial;
    EXPECT_NEAR(state.q(0), 0.0, 1e-9) << tide;
    // outwards where it is: some metres along the track turn the exact tide
    const Vector3 along = state.r_0 + 3.0 * 5.0 / 103.0 * state.A_0.col(0);
    const double angle = std::string(tide) == "exact" ? along.y() / (kEarthRadius + 400e3) : 0.0;
    EXPECT_LT((state.A_0.col(0) - Vector3(1.0, angle, 0.0)).norm(), 1e-9) << tide;
    // 3 kg at 5 m from the bus; the exact tide lacks symmetry by parts of the size over the radius
    EXPECT_NEAR(state.r_0(0), -3.0 * 5.0 / 103.0, 1e-5) << tide;
    EXPECT_NEAR(state.r_0(2), 0.0, 1e-9) << tide;
    const Trajectory flight = simulate(scenario.setup, state, 10.0, 10.0);
    EXPECT_LT((flight.result.state.r_0 - state.r_0).norm(), 1e-9) << tide;
  }
}

// A ball that rests 100 m up: the sum of the forces over 5 s is rounding of springs, of more than a
// millionth of a momentum that is none.
TEST(Equilibrium, OfABallOnSoftGroundIsNotWarnedOf) {
  const Scenario scenario = scenario_of(
      "  initial: {equilibrium: true, base: {position: [30, 20, 100.1]}}\n"
      "  integrator: {method: rodas}\n"
      "  contacts: [{name: ground, between: [ball, terrain], normal: {law: linear, stiffness: 500, "
      "damping: 20}}]\n",
      "    base: {name: body, mass: 10, inertia: [1, 1, 1], collision: [{name: ball, shape: "
      "sphere, "
      "radius: 0.1}]}\n",
      ", terrain: {type: plane, height: 100}");
  EXPECT_NEAR(scenario.initial.r_0(2), 100.1 - 10.0 * kGravity / 500.0, 1e-12);
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 5.0);
  EXPECT_GT(result.audit.momentum_drift(), 1e-6);
  EXPECT_TRUE(RunWatches(scenario).warnings(result).empty());
}

// However near to the top it starts, it falls to the side to which it leans.
TEST(Equilibrium, OfAPendulumHangs) {
  EXPECT_NEAR(rest_of_pendulum(0.0, 1.0), kPi, 1e-12);
  EXPECT_NEAR(rest_of_pendulum(0.0, -0.001), -kPi, 1e-12);
}

// A spring too weak to hold it upright: two branches, by the side on which it starts.
TEST(Equilibrium, TakesTheBranchToWhichDampedMotionLeads) {
  const double stiffness = 6.0;
  const double lean = leaning(stiffness, 1.5);
  ASSERT_GT(lean, 0.5);
  EXPECT_NEAR(rest_of_pendulum(stiffness, 0.01), lean, 1e-11);
  EXPECT_NEAR(rest_of_pendulum(stiffness, -0.01), -lean, 1e-11);
  EXPECT_NEAR(rest_of_pendulum(stiffness, 3.0), lean, 1e-11);
  EXPECT_NEAR(rest_of_pendulum(20.0, 0.5), 0.0, 1e-12);  // strong enough
}

// Three rods of 1 m between supports 2 m apart: the middle one is level, the others lean by 60°.
TEST(Equilibrium, OfAHangingChainKeepsItsLoopClosed) {
  const auto rod = [](const char* name, const char* parent, const char* x) {
    return std::string("      - {name: ") + name + ", parent: " + parent + ", joint: {name: j_" +
           name + ", type: revolute, origin: {xyz: [" + x +
           ", 0, 0]}, axis: [0, 1, 0]}, mass: 3, center_of_mass: [0.5, 0, 0], inertia: [0.01, "
           "0.2, 0.2]}\n";
  };
  // the first rod leans by 45°; the others meet below the line from its end to the support
  const double x = 2.0 - std::sqrt(0.5), z = std::sqrt(0.5);
  const double line = -std::atan2(z, x), bend = std::acos(0.5 * std::hypot(x, z));
  std::ostringstream start;
  start.precision(17);
  start << "{j_a: {position: " << 0.25 * kPi << "}, j_b: {position: " << line + bend - 0.25 * kPi
        << "}, j_c: {position: " << -2.0 * bend << "}}";
  const Scenario scenario = scenario_of(
      "  initial: {equilibrium: true, joints: " + start.str() + "}\n",
      "    base: {name: ground, fixed: true}\n    links:\n" + rod("a", "ground", "0") +
          rod("b", "a", "1") + rod("c", "b", "1") +
          "    frames: [{name: end, link: c, xyz: [1, 0, 0]}, {name: wall, link: ground, xyz: [2, "
          "0, 0]}]\n    loops: [{name: closed, type: spherical, from: end, to: wall}]\n");
  const double third = kPi / 3.0;
  EXPECT_NEAR(scenario.initial.q(0), third, 1e-10);
  EXPECT_NEAR(scenario.initial.q(1), -third, 1e-10);
  EXPECT_NEAR(scenario.initial.q(2), -third, 1e-10);
}

// A ball of 5 kg on a plane that yields: k d^(3/2) = m g; nothing moves when the run begins.
TEST(Equilibrium, OfABallOnCompliantGroundSinksIn) {
  const Scenario scenario = scenario_of(
      "  initial: {equilibrium: true, base: {position: [0, 0, 0.2]}}\n"
      "  contacts: [{name: floor, between: [ball, terrain], normal: {law: hunt_crossley, "
      "stiffness: "
      "1.0e+5, restitution: 0.5}}]\n",
      "    base: {name: bus, mass: 5, inertia: [1, 1, 1], collision: [{name: ball, shape: sphere, "
      "radius: 0.1}]}\n",
      ", terrain: {type: plane}");
  const double depth = std::pow(5.0 * kGravity / 1.0e5, 2.0 / 3.0);
  EXPECT_NEAR(scenario.initial.r_0.z(), 0.1 - depth, 1e-12);
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 10.0);
  EXPECT_LE((result.state.r_0 - scenario.initial.r_0).norm(), 1e-9);
}

// 4 kg on a tether of 200 N/m hang m g/k below its rest length; the tether is slack at the start.
TEST(Equilibrium, OfAMassOnATetherHangsFromIt) {
  const Scenario scenario = scenario_of(
      "  initial: {equilibrium: true}\n"
      "  forces: [{type: tether, name: line, from: hook, to: eye, stiffness: 200, rest_length: "
      "1.5}]\n",
      "    base: {name: ground, fixed: true}\n    links: [{name: mass, parent: ground, joint: "
      "{name: slide, type: prismatic, axis: [0, 0, -1], origin: {xyz: [0, 0, -1]}}, mass: 4, "
      "inertia: [1, 1, 1]}]\n    frames: [{name: hook, link: ground}, {name: eye, link: mass}]\n");
  EXPECT_NEAR(scenario.initial.q(0), 0.5 + 4.0 * kGravity / 200.0, 1e-12);
  ASSERT_TRUE(scenario.equilibrium);
  EXPECT_LE(scenario.equilibrium->residual, kEquilibriumTolerance * scenario.equilibrium->weight);
}

// A mechanism of seven bodies with three loops, a spring and a motor stays where it is put.
TEST(Equilibrium, OfLoopsWithASpringStays) {
  const Scenario scenario =
      load_scenario(std::string(SPACEDYN_MODELS) + "/scenarios/andrews_squeezer.yaml",
                    {{"initial.equilibrium", "true"}});
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 0.02);
  EXPECT_LE(result.state.qd.lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_LE((result.state.q - scenario.initial.q).norm(), 1e-11);
}

// Controllers act as at t = 0; a joint under hold stays.
TEST(Equilibrium, TakesControllersInAndHoldsJoints) {
  const std::string model =
      "    base: {name: ground, fixed: true}\n    links:\n"
      "      - {name: a, parent: ground, joint: {name: first, type: revolute, axis: [0, 1, 0]}, "
      "mass: 2, center_of_mass: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
      "      - {name: b, parent: a, joint: {name: second, type: revolute, axis: [0, 1, 0], origin: "
      "{xyz: [1, 0, 0]}}, mass: 2, center_of_mass: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}\n";
  const Scenario scenario = scenario_of(
      "  initial: {equilibrium: true, hold: [second], joints: {second: {position: 90 deg}}}\n"
      "  control: [{type: joint_pd, joints: [first], stiffness: 100, damping: 1, sample_period: "
      "0.1, reference: {type: constant, position: 0}}]\n",
      model);
  EXPECT_EQ(scenario.initial.q(1), 0.5 * kPi);
  // moments about the first hinge: two centroids, the second at (1, −0.5) turned by q
  double q = 0.3;
  for (int i = 0; i < 100; ++i) {
    const double moment = 2.0 * kGravity * (0.5 * std::cos(q) + std::cos(q) - 0.5 * std::sin(q));
    q += 0.01 * (moment - 100.0 * q);
  }
  EXPECT_NEAR(scenario.initial.q(0), q, 1e-10);
}

TEST(Equilibrium, OfABodyInFreeFallIsNotFound) {
  const Scenario scenario = scenario_of("", "    base: {name: bus, mass: 7, inertia: [1, 1, 1]}\n");
  const Equilibrium search = find_equilibrium(scenario.setup, scenario.initial);
  EXPECT_FALSE(search.found);
  EXPECT_NEAR(search.residual, 7.0 * kGravity, 1e-9);
  EXPECT_EQ(search.unbalanced, "the force on the base along z");
}

}  // namespace
}  // namespace spacedyn::testing::equilibrium_test
