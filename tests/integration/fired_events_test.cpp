// Events fire once for each time their function crosses zero, whatever they do.
#include <gtest/gtest.h>

#include "forces/root_bound.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "support/recorders.hpp"
#include "support/slider.hpp"

namespace spacedyn::testing::fired_events_test {
namespace {

// a capture whose event does more than connect: one weld, one kick, and again after a release
TEST(FiredEvents, OfACaptureWithAKickHappenOnce) {
  const auto scenario = [](const std::string& more) {
    return parse_scenario(R"(
spacedyn: 1
scenario:
  name: capture
  robots:
    - name: a
      model: {name: a, base: {name: b, mass: 10, inertia: [1, 1, 1]}, frames: [{name: tool, link: b, xyz: [0.6, 0, 0]}]}
      initial: {base: {velocity: [0.1, 0, 0]}}
    - name: t
      model: {name: t, base: {name: b, mass: 5, inertia: [1, 1, 1]}, frames: [{name: fix, link: b, xyz: [-0.3, 0, 0]}]}
      initial: {base: {position: [2, 0.02, 0.01], angular_velocity: [0.02, 0.02, -0.01]}}
  connections: [{name: w, type: weld, from: a.tool, to: t.fix, active: false}]
  events:
    - {type: frame_distance, name: near, from: a.tool, to: t.fix, distance: 0.1, direction: falling, actions: [{type: connect, connection: w, snap: true}, {type: impulse, at: t.b, linear: [0, 1, 0]}]}
)" + more + R"(
  duration: 60
  integrator: {method: dop853, relative_tolerance: 1.0e-8}
)",
                          "capture.yaml");
  };
  const Scenario once = scenario("");
  const SimulationResult result = simulate(once.setup, once.initial, 60.0);
  ASSERT_EQ(result.events.size(), 1U);
  EXPECT_LT((result.final_momentum.linear - Vector3(1.0, 1.0, 0.0)).norm(), 1e-12);
  // the kick turns both together; a release lets them go, and they do not meet again
  const Scenario parted = scenario(
      "    - {type: time, name: part, time: 40, actions: [{type: disconnect, connection: w}]}");
  const SimulationResult apart = simulate(parted.setup, parted.initial, 60.0);
  ASSERT_EQ(apart.events.size(), 2U);
  EXPECT_EQ(apart.events[1].name, "part");
}

TEST(FiredEvents, FireAgainAfterTheyHaveLeftZero) {
  SimulationSetup setup = slider_setup("spring", 2.0, 2.0);
  setup.events = {{"up",
                   joint_position_event(1, 0.5),
                   CrossingDirection::rising,
                   {ImpulseAction{{}, Vector3::Zero(), Vector3::Zero()}}}};
  for (const IntegrationMethod method : all_integration_methods()) {
    if (!is_adaptive(method)) continue;
    SCOPED_TRACE(to_string(method));
    setup.integrator = adaptive(method, 1e-10);
    State state(*setup.model);
    state.q(0) = -1.0;
    EXPECT_EQ(simulate(setup, state, 20.0 * kPi).events.size(), 10U);
  }
}

// two docked bodies that tumble, with points at the distance of an event to the last bit: the
// distance is that, up to roundings, for as long as they are docked
TEST(FiredEvents, AreNoneOfWhatRestsAtZero) {
  for (const char* direction : {"falling", "rising", "both"}) {
    SCOPED_TRACE(direction);
    const Scenario scenario = parse_scenario(R"(
spacedyn: 1
scenario:
  name: docked
  robots:
    - name: a
      model: {name: a, base: {name: b, mass: 10, inertia: [1, 2, 2.5]}, frames: [{name: tool, link: b, xyz: [0.6, 0, 0]}, {name: eye, link: b, xyz: [0.5, 0.4, 0.1]}]}
      initial: {base: {velocity: [0.1, 0, 0], angular_velocity: [0.3, 0.2, 0.5]}}
    - name: t
      model: {name: t, base: {name: b, mass: 5, inertia: [1, 1, 2]}, frames: [{name: fix, link: b, xyz: [-0.3, 0, 0]}, {name: mark, link: b, xyz: [-0.3, 0.2, -0.1]}]}
      initial: {base: {position: [0.9, 0, 0], velocity: [0.1, 0.45, -0.18], angular_velocity: [0.3, 0.2, 0.5]}}
  connections: [{name: w, type: weld, from: a.tool, to: t.fix, active: true}]
  events:
    - {type: frame_distance, name: near, from: a.eye, to: t.mark, distance: 0.3, direction: )" +
                                                 std::string(direction) + R"(}
    - {type: time, name: part, time: 90, actions: [{type: disconnect, connection: w}, {type: impulse, at: t.b, linear: [-0.1, 0, 0]}]}
  duration: 100
)",
                                             "docked.yaml");
    SimulationSetup setup = scenario.setup;
    const auto* root = setup.events[0].value.target<BoundedRoot>();
    ASSERT_NE(root, nullptr);
    const BoundedRoot exact = *root;
    long count = 0;
    setup.events[0].value = BoundedRoot{[exact, &count](const EvaluationContext& now) {
                                          ++count;
                                          return exact(now);
                                        },
                                        [exact](const auto& now) { return exact.bound(now); }};
    const SimulationResult result = simulate(setup, scenario.initial, 100.0);
    // it was halved some ten thousand times in each step
    EXPECT_LT(count, 60 * result.statistics.steps);
    ASSERT_GE(result.events.size(), 1U);
    EXPECT_EQ(result.events[0].name, "part");
    // once parted the distance changes, and counts
    EXPECT_LE(result.events.size(), 3U);
  }
}

// far from the origin, a point that creeps up to another: only what rests counts as at rest
TEST(FiredEvents, HappenWhereSlowPointsPassFarFromTheOrigin) {
  const Scenario scenario = parse_scenario(R"(
spacedyn: 1
scenario:
  name: creep
  robots:
    - name: a
      model: {name: a, base: {name: b, mass: 10, inertia: [1, 2, 2.5]}}
      initial: {base: {position: [7.0e6, 0, 0]}}
    - name: t
      model: {name: t, base: {name: b, mass: 5, inertia: [1, 1, 2]}}
      initial: {base: {position: [7000000.305, 0, 0], velocity: [-1.0e-4, 0, 0]}}
  events:
    - {type: frame_distance, name: near, from: a.b, to: t.b, distance: 0.3, direction: falling}
  duration: 100
)",
                                           "creep.yaml");
  const SimulationResult result = simulate(scenario.setup, scenario.initial, 100.0);
  ASSERT_EQ(result.events.size(), 1U);
  // places are rounded to 1e-9 m
  EXPECT_NEAR(result.events[0].time, 50.0, 1e-4);
}

// the velocity of a locked joint is zero to the last bit: each step was looked into 20,000 times
TEST(FiredEvents, AreNotSoughtWhereNothingMoves) {
  const Scenario scenario = parse_scenario(R"(
spacedyn: 1
scenario:
  name: locked
  model:
    name: arm
    base: {name: b, mass: 10, inertia: [1, 1, 1]}
    links:
      - {name: upper, parent: b, joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}, mass: 1, inertia: [0.1, 0.1, 0.1], center_of_mass: [0.5, 0, 0]}
      - {name: lower, parent: upper, joint: {name: elbow, type: revolute, axis: [0, 0, 1], origin: {xyz: [1, 0, 0]}}, mass: 1, inertia: [0.1, 0.1, 0.1], center_of_mass: [0.5, 0, 0]}
  initial: {joints: {elbow: {velocity: 1}}}
  locked: [shoulder]
  events:
    - {type: joint_velocity, name: turned, joint: shoulder, velocity: 0}
    - {type: time, name: go, time: 4, actions: [{type: release, joint: shoulder}]}
  duration: 5
)",
                                           "locked.yaml");
  SimulationSetup setup = scenario.setup;
  long count = 0;
  setup.events[0].value = [exact = setup.events[0].value, &count](const EvaluationContext& now) {
    ++count;
    return exact(now);
  };
  const SimulationResult result = simulate(setup, scenario.initial, 5.0);
  EXPECT_LT(count, 100 * result.statistics.steps);
}

}  // namespace
}  // namespace spacedyn::testing::fired_events_test
