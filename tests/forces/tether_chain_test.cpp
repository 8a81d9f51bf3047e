// Tethers with mass: catenary, waves, an impact, and what the whole of it keeps.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/analysis/equilibrium.hpp"
#include "spacedyn/forces/tether.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/state/robot_state.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::tether_chain_test {
namespace {

std::string robot(const std::string& name, const std::string& base, const std::string& initial) {
  return "    - name: " + name + "\n      model: {name: " + name + ", base: {" + base +
         "}}\n      initial: {" + initial + "}\n";
}

Scenario flight(const std::string& robots, const std::string& tether,
                const std::string& rest = "") {
  Scenario scenario = parse_scenario("spacedyn: 1\nscenario:\n  name: chain\n  duration: 1\n" +
                                         rest + "  robots:\n" + robots +
                                         "  forces:\n    - {type: tether, "
                                         "name: line, " +
                                         tether + "}\n",
                                     "chain.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-10);
  return scenario;
}

std::string post(const std::string& name, double x) {
  return robot(name, "name: post, fixed: true, mass: 1, inertia: [1, 1, 1]",
               "base: {position: [" + std::to_string(x) + ", 0, 0]}");
}

Vector3 lump(const Scenario& scenario, const State& state, int k) {
  const Model& model = *scenario.setup.model;
  return base_motion(model, *model.find_robot("line_" + std::to_string(k)), state).r_0;
}

TEST(TetherChain, HasTheMassTheLengthAndTheStiffnessOfTheWhole) {
  const Scenario scenario = flight(post("a", 0.0) + post("b", 6.0),
                                   "from: a.post, to: b.post, stiffness: 500, damping: 20, "
                                   "rest_length: 5, mass: 3 kg, lumps: 4");
  double mass = 0.0, compliance = 0.0, softness = 0.0, length = 0.0;
  for (const Robot& each : scenario.setup.model->robots()) {
    if (each.name.rfind("line_", 0) == 0) mass += scenario.setup.model->body(each.base.body).mass;
  }
  EXPECT_NEAR(mass, 3.0, 1e-15);
  ASSERT_EQ(scenario.setup.forces.size(), 5u);
  for (const auto& force : scenario.setup.forces) {
    const Tether::Settings& piece = dynamic_cast<const Tether&>(*force).settings();
    compliance += 1.0 / piece.stiffness;
    softness += 1.0 / piece.damping;
    length += piece.rest_length;
  }
  EXPECT_NEAR(compliance, 1.0 / 500.0, 1e-15);
  EXPECT_NEAR(softness, 1.0 / 20.0, 1e-15);
  EXPECT_NEAR(length, 5.0, 1e-14);
  // in the middles of equal pieces of the straight line
  for (int k = 1; k <= 4; ++k) {
    const Vector3 place = lump(scenario, scenario.initial, k);
    EXPECT_LE((place - Vector3(6.0 * (k - 0.5) / 4.0, 0.0, 0.0)).norm(), 1e-14);
  }
}

// A chain that hardly stretches hangs as y = a cosh(x/a), with the sag of the closed form, and
// pulls its ends horizontally with the weight per length times a. Lumps are on it to second order.
TEST(TetherChain, HangsAsACatenary) {
  constexpr double kSpan = 8.0, kLength = 10.0, kMass = 2.0, kG = 9.81, kStiffness = 1e4;
  double a = 4.0, stretched = kLength;
  for (int i = 0; i < 50; ++i) {  // 2 a sinh(span/2a) = length
    const double u = 0.5 * kSpan / a;
    a -= (2.0 * a * std::sinh(u) - stretched) / (2.0 * std::sinh(u) - 2.0 * u * std::cosh(u));
    // the mean tension, of μ g a cosh(x/a), stretches it by 1e-3 m
    const double mean =
        kMass / kLength * kG * a / kLength * (0.5 * kSpan + 0.5 * a * std::sinh(kSpan / a));
    stretched = kLength + mean / kStiffness;
  }
  const double sag = a * (std::cosh(0.5 * kSpan / a) - 1.0);
  double last = 0.0;
  for (const int lumps : {7, 21}) {
    const Scenario scenario =
        flight(post("a", 0.0) + post("b", kSpan),
               "from: a.post, to: b.post, stiffness: 1.0e+4, damping: 10, rest_length: 10, mass: "
               "2, lumps: " +
                   std::to_string(lumps),
               "  environment: {gravity: [0, 0, -9.81]}\n  initial: {equilibrium: true}\n");
    const double depth = -lump(scenario, scenario.initial, (lumps + 1) / 2).z();
    const double error = std::abs(depth - sag) / sag;
    // of the polygon, (length of a piece)²
    EXPECT_LE(error, 1.0 / (lumps * lumps)) << depth << ' ' << sag;
    if (last > 0.0) EXPECT_NEAR(last / error, 9.0, 1.5);
    last = error;
    // the pieces at the ends carry half the weight each, and the tension a μ g across
    const Vector3 first = lump(scenario, scenario.initial, 1);
    EXPECT_NEAR(-first.z() / first.x(), 0.5 * kMass * kG / (a * kMass / kLength * kG),
                1.0 / (lumps * lumps));
  }
}

// Pieces of 1e7 N/m: what stays out of balance is rounding of their stiffness, which ends the
// search.
TEST(TetherChain, OfAStiffCordHangsAsACatenaryAfterFewSteps) {
  const Scenario scenario =
      flight(post("a", 0.0) + post("b", 9.5),
             "from: a.post, to: b.post, stiffness: 1.0e+6, rest_length: 10, mass: 3, lumps: 11",
             "  environment: {gravity: [0, 0, -9.81]}\n");
  const Equilibrium rest = find_equilibrium(scenario.setup, scenario.initial);
  ASSERT_TRUE(rest.found) << rest.residual;
  EXPECT_LE(rest.residual, 1e-9 * rest.weight);
  EXPECT_LE(rest.iterations, 400);
  // 2 a sinh(span/2a) = length
  double a = 8.0;
  for (int i = 0; i < 60; ++i) {
    const double u = 0.5 * 9.5 / a;
    a -= (2.0 * a * std::sinh(u) - 10.0) / (2.0 * std::sinh(u) - 2.0 * u * std::cosh(u));
  }
  const double sag = a * (std::cosh(0.5 * 9.5 / a) - 1.0);
  EXPECT_NEAR(-lump(scenario, rest.state, 6).z(), sag, sag / (11 * 11));
}

// Waves of a taut string: a pulse crosses it with √(T/μ), one along it with √(k ℓ₀/μ); the lowest
// modes of n lumps are slower by (π/2n)²/6 and less.
TEST(TetherChain, CarriesWaves) {
  constexpr int kLumps = 40;
  constexpr double kMass = 0.5, kRest = 10.0, kStiffness = 2000.0, kSpan = 11.0;
  Scenario scenario =
      flight(post("a", 0.0) + post("b", kSpan),
             "from: a.post, to: b.post, stiffness: 2000, rest_length: 10, mass: 0.5, "
             "lumps: 40");
  const Model& model = *scenario.setup.model;
  const double tension = kStiffness * (kSpan - kRest), density = kMass / kSpan;
  const double across = std::sqrt(tension / density);
  const double along = std::sqrt(kStiffness * kRest / (kMass / kRest)) * kSpan / kRest;
  for (const bool is_across : {true, false}) {
    State start = scenario.initial;
    constexpr double kSmall = 1e-4;
    for (int k = 1; k <= kLumps; ++k) {
      BaseMotion motion = base_motion(model, *model.find_robot("line_" + std::to_string(k)), start);
      const double shape = kSmall * std::sin(kPi * (k - 0.5) / kLumps);
      (is_across ? motion.r_0.y() : motion.r_0.x()) += shape;
      set_base_motion(model, *model.find_robot("line_" + std::to_string(k)), motion, start);
    }
    // half a period of the lowest mode: the shape is upside down
    const double speed = is_across ? across : along;
    const State end = simulate(scenario.setup, start, kSpan / speed).state;
    const Vector3 moved =
        lump(scenario, end, kLumps / 2) - lump(scenario, scenario.initial, kLumps / 2);
    const double middle = is_across ? moved.y() : moved.x();
    EXPECT_NEAR(middle / kSmall, -1.0, 5e-3);
    // at half of that it passes through zero
    const State half = simulate(scenario.setup, start, 0.5 * kSpan / speed).state;
    const Vector3 there =
        lump(scenario, half, kLumps / 2) - lump(scenario, scenario.initial, kLumps / 2);
    EXPECT_NEAR((is_across ? there.y() : there.x()) / kSmall, 0.0, 5e-3);
  }
}

// One end of a tether that just is not slack is pulled away with v: behind the front, which runs
// with √(k ℓ₀/μ), all moves with v under the tension v √(k m). At the other end, which is heavy,
// that doubles, until the front has come back from the first.
TEST(TetherChain, SnapsTautByAWave) {
  constexpr double kMass = 12.0, kStiffness = 500.0, kSpeed = 0.5, kHeavy = 1e7;
  const std::string heavy = "name: body, mass: 1.0e+7, inertia: [1, 1, 1]";
  const double arrival = std::sqrt(kMass / kStiffness);
  for (const int lumps : {20, 40}) {
    Scenario scenario =
        flight(robot("a", heavy, "base: {position: [0, 0, 0]}") +
                   robot("b", heavy, "base: {position: [30, 0, 0], velocity: [0.5, 0, 0]}"),
               "from: a.body, to: b.body, stiffness: 500, rest_length: 30, damping: 0.5, mass: 12, "
               "lumps: " +
                   std::to_string(lumps));
    const Model& model = *scenario.setup.model;
    State start = scenario.initial;
    for (int k = 1; k <= lumps; ++k) {
      const Robot& each = *model.find_robot("line_" + std::to_string(k));
      BaseMotion still = base_motion(model, each, start);
      still.v_0.setZero();
      set_base_motion(model, each, still, start);
    }
    const auto pulled = [&](double time) {
      const State end = simulate(scenario.setup, start, time).state;
      return kHeavy * base_motion(model, *model.find_robot("a"), end).v_0.x();
    };
    const double tension = kSpeed * std::sqrt(kStiffness * kMass);
    // fronts of lumps are as wide as n^(1/3) pieces
    const double width = std::pow(lumps, -2.0 / 3.0);
    EXPECT_LE(std::abs(pulled(0.5 * arrival)), width * tension * arrival);
    EXPECT_NEAR(pulled(2.5 * arrival) / (2.0 * tension * 1.5 * arrival), 1.0, width);
  }
}

// Two bodies part until a tether with little mass pulls them together again: the impact of the
// massless one in closed form, but for the mass ratio; momentum and energy are those of all.
TEST(TetherChain, PullsTautAndSlackens) {
  const std::string pair =
      robot("a", "name: body, mass: 3, inertia: [1, 1, 1]", "base: {velocity: [0, 0.1, 0]}") +
      robot("b", "name: body, mass: 2, inertia: [1, 1, 1]",
            "base: {position: [1, 0, 0], velocity: [0.5, 0.1, 0]}");
  const Scenario scenario = flight(
      pair, "from: a.body, to: b.body, stiffness: 400, rest_length: 2, mass: 2.0e-3, lumps: 2");
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 4.0);
  const Model& model = *scenario.setup.model;
  const auto speed = [&](const char* name) {
    return base_motion(model, *model.find_robot(name), result.state).v_0;
  };
  // before and after the closing speed is 0.5 m/s
  EXPECT_NEAR((speed("b") - speed("a")).x(), -0.5, 2e-3);
  ASSERT_FALSE(result.events.empty());
  // 1 m at 0.5 m/s, up to a wave along the tether
  EXPECT_NEAR(result.events.front().time, 2.0, 2e-2);
  EXPECT_LE(result.audit.momentum_drift(), 1e-12);
  EXPECT_LE(std::abs(result.audit.energy_residual()), 1e-8);
  EXPECT_NEAR(result.final_momentum.linear.x(), 2.0 * 0.5 + 2e-3 * 0.25, 1e-12);
}

std::string refusal(const std::string& text) {
  return message_of<ParseError>([&] { parse_scenario(text, "chain.yaml"); });
}

TEST(TetherChain, RefusesWhatItCannotBe) {
  const std::string head = "spacedyn: 1\nscenario:\n  name: chain\n  duration: 1\n";
  EXPECT_NE(
      refusal(head +
              "  model:\n    name: m\n    base: {name: a, mass: 1, inertia: [1, 1, 1]}\n"
              "    links: [{name: b, parent: a, joint: {type: free}, mass: 1, inertia: [1, 1, "
              "1]}]\n"
              "  forces: [{type: tether, from: a, to: b, stiffness: 1, mass: 1, lumps: 2}]\n")
          .find("expected 'robots', of which lumps are some, got a single 'model'"),
      std::string::npos);
  const std::string at_one_place = head + "  robots:\n" + post("a", 0.0) + post("b", 0.0) +
                                   "  forces: [{type: tether, from: a.post, to: b.post, "
                                   "stiffness: 1, mass: 1, lumps: 2}]\n";
  EXPECT_NE(refusal(at_one_place).find("to: expected a point away from 'from' at the start"),
            std::string::npos);
}

}  // namespace
}  // namespace spacedyn::testing::tether_chain_test
