// Events fire once for each time their function crosses zero, whatever they do.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace spacedyn::testing::fired_events_test
