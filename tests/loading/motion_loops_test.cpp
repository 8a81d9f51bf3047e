// Constraints on velocities in scenario files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/control/rheonomic_distance.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/terrain/terrain.hpp"
#include "support/message_of.hpp"

namespace spacedyn::testing::motion_loops_test {
namespace {

using ::testing::HasSubstr;

/// A disc, whose axis is y, with a pole on a hinge; `more` are keys of the scenario.
std::string disc(const std::string& loops, const std::string& more) {
  return R"(spacedyn: 1
scenario:
  name: wheel
  model:
    name: wheel
    base: {name: disc, mass: 2, inertia: [0.045, 0.09, 0.045]}
    links: [{name: pole, parent: disc, mass: 1, inertia: [0.1, 0.1, 0.1], center_of_mass: [0, 0, 0.5], joint: {name: hinge, type: revolute, axis: [1, 0, 0]}}]
    loops: [)" +
         loops + R"(]
  duration: 1
)" + more;
}

const std::string kGround = "  environment: {terrain: {type: plane}, gravity: [0, 0, -9.81]}\n";
const std::string kUpright = "  initial: {base: {position: [0, 0, 0.3]}}\n";
const std::string kTyre =
    "{name: tyre, type: rolling, body: disc, radius: 0.3, axis: [0, 2, 0], terrain: plane}";

const MotionConstraint& only(const Scenario& scenario) {
  return dynamic_cast<const MotionConstraint&>(*scenario.setup.forces.at(0));
}

std::string message_of_text(const std::string& text) {
  return message_of<ParseError>([&] { parse_scenario(text, "s.yaml"); });
}

TEST(MotionLoops, StandInModelsAndConnections) {
  const Scenario scenario = parse_scenario(disc(kTyre, kGround + kUpright), "s.yaml");
  const auto& tyre = dynamic_cast<const RollingConstraint&>(only(scenario));
  EXPECT_EQ(tyre.name(), "tyre");
  EXPECT_EQ(tyre.settings().radius, 0.3);
  EXPECT_EQ(*tyre.settings().axis, Vector3::UnitY());
  EXPECT_NE(dynamic_cast<const PlaneTerrain*>(tyre.settings().terrain.get()), nullptr);
  ASSERT_EQ(scenario.setup.connections.size(), 1U);
  EXPECT_TRUE(scenario.setup.connections[0].active);
  const Scenario off = parse_scenario(
      disc("",
           "  connections: [{name: skate, type: knife_edge, at: pole.com, normal: [0, 0, 3], "
           "active: false}]\n"),
      "s.yaml");
  const auto& skate = dynamic_cast<const KnifeEdge&>(only(off));
  EXPECT_EQ(skate.settings().normal, Vector3::UnitZ());
  EXPECT_EQ(skate.bodies(), std::vector<int>{1});
  EXPECT_FALSE(off.setup.connections[0].active);
}

TEST(MotionLoops, DistancesFollowReferencesFromTheStart) {
  const Scenario scenario = parse_scenario(R"(spacedyn: 1
scenario:
  name: reel
  model:
    name: pair
    base: {name: tug, mass: 3, inertia: [1, 1, 1]}
    links: [{name: load, parent: tug, mass: 2, inertia: [1, 1, 1], joint: {name: apart, type: free, origin: {xyz: [3, 4, 0]}}}]
  connections: [{name: line, type: distance, from: tug, to: load, rheonomic: {reference: {type: quintic, to: 2, duration: 5}}}]
  duration: 6
  output: {channels: [state, constraints]}
)",
                                           "s.yaml");
  const auto& line = dynamic_cast<const RheonomicDistance&>(only(scenario));
  EXPECT_EQ(line.settings().length->evaluate(0, 0.0).position, 5.0);
  const SimulationResult result = simulate(scenario).result;
  EXPECT_LT(result.loops.position_residual, 1e-14);
}

TEST(MotionLoops, StartsAreAssembledByTheBaseAsWell) {
  const std::string start =
      "  initial: {base: {position: [0, 0, 0.5], velocity: [1, 0, 0]}, assemble: true}\n";
  const Scenario scenario = parse_scenario(disc(kTyre, kGround + start), "s.yaml");
  EXPECT_NEAR(scenario.initial.r_0.z(), 0.3, 1e-14);
  const Vector3 contact =
      scenario.initial.v_0 + scenario.initial.omega_0.cross(-0.3 * scenario.initial.A_0.col(2));
  EXPECT_LT(contact.norm(), 1e-14);
  // of all impulses at the contact: v (1 + m r² / I) with the pole at rest on its hinge
  EXPECT_GT(scenario.initial.v_0.x(), 0.1);
  simulate(scenario);
}

TEST(MotionLoops, SayWhatIsWrong) {
  const std::string none = disc(kTyre, kUpright);
  EXPECT_THAT(message_of_text(none), HasSubstr("to roll on, got none"));
  EXPECT_THAT(message_of_text(disc(
                  kTyre, "  environment: {terrain: {type: slope, angle: 5 deg}}\n" + kUpright)),
              HasSubstr("terrain: expected slope, the terrain of the scenario, got plane"));
  EXPECT_THAT(
      message_of_text(disc(kTyre, kGround)),
      HasSubstr("expected a start on constraint 'tyre', got one that violates it by 0.3 m"));
  EXPECT_THAT(message_of_text(disc(kTyre, kGround + "  initial: {base: {position: [0, 0, 0.3], "
                                                    "velocity: [0.1, 0, 0]}}\n")),
              HasSubstr("velocities that satisfy constraint 'tyre', got some that violate it by "
                        "0.1 m/s"));
  EXPECT_THAT(message_of_text(disc(
                  kTyre, kGround + kUpright + "  integrator: {method: newmark, step: 0.01}\n")),
              HasSubstr("expected a method that can keep loops closed, got newmark"));
  EXPECT_THAT(message_of_text(disc(kTyre + ", " + kTyre, kGround + kUpright)),
              HasSubstr("expected a name of its own, got 'tyre' again"));
  EXPECT_THAT(message_of_text(disc("{name: s, type: knife_edge, at: disc, normal: [0, 0, 0]}", "")),
              HasSubstr("normal"));
  EXPECT_THAT(message_of_text(disc("{name: d, type: distance, from: disc, to: pole, length: 1, "
                                   "rheonomic: {reference: {type: constant, position: 1}}}",
                                   "")),
              HasSubstr("length"));
  EXPECT_THAT(message_of_text(disc("{name: d, type: distance, from: disc, to: pole, rheonomic: "
                                   "{reference: {type: quintic, from: 1, to: -1, duration: 5}}}",
                                   "")),
              HasSubstr("expected a distance that stays positive, got -1 m at t = 5 s"));
}

TEST(MotionLoops, AreNoPartOfAModelByItself) {
  const std::string model = R"(spacedyn: 1
model:
  name: cart
  base: {name: cart, mass: 2, inertia: [1, 1, 1]}
  loops: [{name: skate, type: knife_edge, at: cart, normal: [0, 1, 0]}]
)";
  EXPECT_THAT(message_of<ParseError>([&] { parse_model(model, "m.yaml"); }),
              HasSubstr("of type 'knife_edge' that takes a scenario to hold it"));
}

TEST(MotionLoops, TethersHaveWinches) {
  const std::string text = R"(spacedyn: 1
scenario:
  name: haul
  model:
    name: pair
    base: {name: tug, mass: 3, inertia: [1, 1, 1]}
    links: [{name: load, parent: tug, mass: 2, inertia: [1, 1, 1], joint: {name: apart, type: free, origin: {xyz: [3, 4, 0]}}}]
  forces: [{type: tether, name: line, from: tug, to: load, stiffness: 50, )";
  const Scenario scenario = parse_scenario(
      text + "winch: {reference: {type: quintic, to: 2, duration: 5}}}]\n  duration: 6\n",
      "s.yaml");
  EXPECT_NE(dynamic_cast<const WinchTether*>(scenario.setup.forces.at(0).get()), nullptr);
  const SimulationResult result = simulate(scenario).result;
  EXPECT_GT(result.sources.at(0).end.work, 1e-3);
  EXPECT_THAT(message_of_text(text + "rest_length: 2, winch: {reference: {type: quintic, to: 2, "
                                     "duration: 5}}}]\n  duration: 6\n"),
              HasSubstr("rest_length"));
}

}  // namespace
}  // namespace spacedyn::testing::motion_loops_test
