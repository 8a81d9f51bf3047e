// Sequences of events in files: their keys reach the run.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::sequence_file_test {
namespace {

/// A scenario of a bus with a jet along x and a wheel-like joint about z.
Scenario craft(const std::string& sections) {
  return parse_scenario("spacedyn: 1\nscenario:\n  name: mission\n  duration: 20\n" + sections +
                            R"(
  integrator: {relative_tolerance: 1.0e-11, absolute_tolerance: 1.0e-11}
  model:
    name: craft
    base: {name: bus, mass: 100, inertia: [18, 19, 20]}
    links:
      - {name: arm, parent: bus, joint: {name: elbow, type: revolute}, mass: 4, inertia: [1, 1, 1],
         center_of_mass: [0.5, 0, 0]}
    reaction_wheels: [{name: w, body: bus, axis: [1, 0, 0], spin_inertia: 0.1}]
    frames: [{name: nozzle, link: bus}, {name: tip, link: arm, xyz: [1, 0, 0]}]
    thrusters: [{name: jet, at: nozzle, direction: [1, 0, 0], force: 20, delay: 50 ms}]
)",
                        "mission.yaml");
}

SimulationResult fly(const Scenario& scenario, double duration) {
  return simulate(scenario.setup, scenario.initial, duration);
}

std::vector<std::string> names_of(const SimulationResult& result) {
  std::vector<std::string> names;
  for (const EventRecord& event : result.events) names.push_back(event.name);
  return names;
}

// A pulse of 0.5 s at 1 s with 50 ms of delay gives 10 N s; then the craft moves at v = 10/104 m/s,
// which the momentum event sees on the way.
TEST(SequenceFile, PulsesAThrusterAndSeesItsMomentum) {
  const Scenario scenario = craft(R"(
  events:
    - {type: time, name: burn, time: 1, actions: [{type: pulse, thruster: jet, duration: 500 ms}]}
    - {type: quantity, name: half, quantity: {type: momentum, axes: linear}, level: 5}
    - {type: time, name: wait, time: 2, after: half}
    - {type: quantity, name: never, quantity: {type: kinetic_energy}, level: 0.1, direction: rising,
       while: [{quantity: {type: joint_velocity, joint: elbow}, above: 1 rad/s}]}
)");
  const SimulationResult result = fly(scenario, 5.0);
  EXPECT_EQ(names_of(result), (std::vector<std::string>{"burn", "half", "wait"}));
  EXPECT_NEAR(result.events[1].time, 1.0 + 0.05 + 0.25, 1e-9);
  EXPECT_EQ(result.events[2].time, result.events[1].time + 2.0);
  EXPECT_NEAR(result.final_momentum.linear.norm(), 10.0, 1e-9);
}

// K is set from 9 to 36 N m/rad in two ways that lead to the same controller.
TEST(SequenceFile, SetsNumbersOfAControllerInTheirUnits) {
  const auto flight = [](const std::string& value) {
    return craft(R"(
  base: {mode: fixed}
  initial: {joints: {elbow: {position: 0.5}}}
  control: [{type: joint_pd, name: pd, joints: [elbow], stiffness: 9, damping: 0,
    reference: {type: constant, position: 0}}]
  events:
    - {type: quantity, name: zero, quantity: {type: joint_position, joint: elbow}, level: 0,
       direction: falling, actions: [{type: set, controller: pd, key: stiffness, value: )" +
                 value + "}]}\n");
  };
  // I = 1 + 4 · 0.5² = 2 kg m²: ω = √(9/2), then √18
  const double before = std::sqrt(4.5), after = std::sqrt(18.0);
  const double t = 1.1, since = t - 0.5 * kPi / before;
  for (const char* value : {"36", "[36]", "0.628318530717958647 N*m/deg"}) {
    EXPECT_NEAR(fly(flight(value), t).state.q(0), -0.25 * std::sin(after * since), 1e-8) << value;
  }
}

TEST(SequenceFile, CountsTimeZeroAsTheStart) {
  const Scenario scenario = craft(R"(
  base: {mode: fixed}
  initial: {joints: {elbow: {velocity: 0.3}}}
  control: [{type: joint_pd, name: pd, joints: [elbow], stiffness: 9, damping: 3,
    reference: {type: constant, position: 0}}]
  events: [{type: time, name: free, time: 0, actions: [{type: switch, controller: pd, enabled: false}]}]
)");
  const SimulationResult result = fly(scenario, 2.0);
  EXPECT_EQ(names_of(result), std::vector<std::string>{"free"});
  EXPECT_NEAR(result.state.q(0), 0.6, 1e-12);
}

// A weld within one tree leaves one of its six rows: the elbow stops.
TEST(SequenceFile, SumsUpConnectionsThatADelayMakes) {
  const Scenario scenario = craft(R"(
  base: {mode: fixed}
  initial: {joints: {elbow: {velocity: 0.3}}}
  connections: [{name: grip, type: weld, from: tip, to: nozzle, active: false}]
  events:
    - {type: time, name: go, time: 1}
    - {type: time, name: hold, time: 0.5, after: go, actions: [{type: connect, connection: grip, snap: true}]}
)");
  const SimulationResult result = fly(scenario, 2.0);
  EXPECT_NEAR(result.state.q(0), 0.3 * 1.5, 1e-12);
  EXPECT_EQ(result.loops.rows, 6);
  EXPECT_EQ(result.loops.rank, 1);
}

// Numbers that are set one after another stay set.
TEST(SequenceFile, KeepsEachNumberThatIsSet) {
  const Scenario scenario = craft(R"(
  base: {mode: fixed}
  initial: {joints: {elbow: {position: 0.5}}}
  control: [{type: joint_pd, name: pd, joints: [elbow], stiffness: 9, damping: 0,
    reference: {type: trapezoid, to: 0, from: 0, velocity: 1, acceleration: 1}}]
  events:
    - {type: time, time: 1, actions: [{type: set, controller: pd, key: damping, value: 12}]}
    - {type: time, time: 2, actions: [{type: set, controller: pd, key: stiffness, value: 18},
       {type: set, controller: pd, key: reference.to, value: 30 deg}]}
)");
  EXPECT_NEAR(fly(scenario, 20.0).state.q(0), kPi / 6.0, 1e-6);  // critically damped
}

TEST(SequenceFile, BeginsReferencesAndForcesAtEvents) {
  const Scenario scenario = craft(R"(
  base: {mode: fixed}
  forces:
    - {type: joint_torque, joint: w, torque: 0.5, from: 1, until: 3, start: go}
  prescribed:
    - {joint: elbow, reference: {type: quintic, to: 1, duration: 2, start: go}}
  events:
    - {type: time, name: go, time: 4}
    - {type: quantity, name: spun, quantity: {type: wheel_momentum, wheel: w}, level: 0.7}
    - {type: quantity, name: raised, quantity: {type: distance, from: tip, to: bus.com},
       level: 0.9}
    - {type: quantity, name: turned, quantity: {type: relative_angle, from: bus, to: tip},
       level: 0.5}
)");
  const SimulationResult result = fly(scenario, 10.0);
  EXPECT_EQ(names_of(result), (std::vector<std::string>{"go", "turned", "spun"}));
  EXPECT_NEAR(result.events[1].time, 5.0, 1e-11);        // half-way
  EXPECT_NEAR(result.events[2].time, 4.0 + 2.4, 1e-10);  // 0.5 N m for 1.4 s
  EXPECT_NEAR(result.state.q(0), 1.0, 1e-14);
}

TEST(SequenceFile, ReadsSensorsAndEfforts) {
  const Scenario scenario = craft(R"(
  base: {mode: fixed}
  prescribed:
    - {joint: elbow, reference: {type: quintic, to: 1, duration: 2}}
  sensors: [{type: encoder, name: e, joint: elbow, sample_period: 0.25}]
  events:
    - {type: quantity, name: read, quantity: {type: sensor, sensor: e, component: 0}, level: 0.6}
    - {type: quantity, name: braked, quantity: {type: joint_effort, joint: elbow}, level: 0,
       direction: falling}
)");
  const SimulationResult result = fly(scenario, 3.0);
  ASSERT_EQ(names_of(result), (std::vector<std::string>{"braked", "read"}));
  EXPECT_NEAR(result.events[0].time, 1.0, 1e-10);  // where the acceleration turns round
  EXPECT_EQ(result.events[1].time, 1.25);          // the sample after 0.6 rad
}

TEST(StartMomentum, IsThatOfTheFileToRounding) {
  const Scenario scenario = craft(R"(
  initial:
    momentum: {linear: [3, -4, 5], angular: [0.5, 1, -2]}
    base: {position: [10, 20, 30], rpy: [10 deg, 20 deg, 30 deg]}
    joints: {elbow: {position: 0.4, velocity: 0.7}, w: {velocity: 30}}
)");
  const Model& model = *scenario.setup.model;
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, scenario.initial, frames);
  compute_link_velocities(model, scenario.initial, frames, velocities);
  const Momentum start = momentum(model, frames, velocities);
  EXPECT_LE((start.linear - Vector3(3.0, -4.0, 5.0)).norm(), 1e-15 * 10.0);
  EXPECT_LE((start.angular_centroid - Vector3(0.5, 1.0, -2.0)).norm(), 1e-15 * 10.0);
  EXPECT_EQ(scenario.initial.qd(0), 0.7);
}

TEST(StartMomentum, OfNoneIsZeroThoughJointsMove) {
  const Scenario scenario =
      craft("  initial: {momentum: {}, joints: {elbow: {velocity: 0.7}, w: {velocity: 30}}}\n");
  const SimulationResult result = fly(scenario, 5.0);
  EXPECT_LE(result.initial_momentum.linear.norm(), 1e-15);
  EXPECT_LE(result.initial_momentum.angular_centroid.norm(), 4e-15);
  EXPECT_GT(result.state.omega_0.norm(), 0.01);
}

TEST(StartMomentum, IsThatOfItsRobotAlone) {
  const Scenario scenario = parse_scenario(R"(spacedyn: 1
scenario:
  name: two
  duration: 1
  robots:
    - name: a
      initial: {momentum: {linear: [1, 2, 3], angular: [4, 5, 6]}, base: {position: [7, 0, 0]},
                joints: {elbow: {velocity: 1}}}
      model: &robot
        name: robot
        base: {name: bus, mass: 10, inertia: [1, 2, 3], center_of_mass: [0.1, 0, 0]}
        links: [{name: arm, parent: bus, joint: {name: elbow, type: revolute}, mass: 4,
                 inertia: [1, 1, 1], center_of_mass: [0.5, 0, 0]}]
    - {name: b, model: *robot, initial: {base: {velocity: [1, 0, 0]}}}
)",
                                           "two.yaml");
  const Model& model = *scenario.setup.model;
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, scenario.initial, frames);
  compute_link_velocities(model, scenario.initial, frames, velocities);
  const RobotSums a = robot_sums(model, *model.find_robot("a"), frames, velocities);
  EXPECT_LE((a.momentum.linear - Vector3(1, 2, 3)).norm(), 1e-14);
  EXPECT_LE((a.momentum.angular_centroid - Vector3(4, 5, 6)).norm(), 1e-14);
  const RobotSums b = robot_sums(model, *model.find_robot("b"), frames, velocities);
  EXPECT_LE((b.momentum.linear - Vector3(14, 0, 0)).norm(), 1e-14);
}

}  // namespace
}  // namespace spacedyn::testing::sequence_file_test
