// Several robots and their connections in scenario files.
#include <gtest/gtest.h>

#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/recording/channels.hpp"
#include "spacedyn/state/robot_state.hpp"
#include "spacedyn/system/discrete_state.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::robots_file_test {
namespace {

const std::string kArm = R"(
        name: arm
        base: {name: bus, mass: 20, center_of_mass: [0.1, 0, 0.05], inertia: [2, 3, 4]}
        links:
          - {name: upper, parent: bus, joint: {name: shoulder, type: revolute, origin: {xyz: [0.5, 0, 0]}, axis: [0, 1, 0],
                                               stiffness: 3, damping: 0.1},
             mass: 3, center_of_mass: [0.4, 0, 0], inertia: [0.1, 0.3, 0.3]}
          - {name: lower, parent: upper, joint: {name: elbow, type: revolute, origin: {xyz: [0.8, 0, 0]}, axis: [0, 0, 1]},
             mass: 2, center_of_mass: [0.3, 0, 0], inertia: [0.05, 0.2, 0.2]}
        frames:
          - {name: hand, link: lower, xyz: [0.6, 0, 0]}
)";

const std::string kStart = R"(
        base: {position: [1, 2, 3], rpy: [0.3, -0.2, 0.5], velocity: [0.1, -0.2, 0.3], angular_velocity: [0.2, 0.1, -0.3]}
        joints: {shoulder: {position: 0.3, velocity: 0.2}, elbow: {position: -0.5}}
)";

const std::string kEnd = R"(
  duration: 2
  environment: {gravity: [0, 0, -1]}
  integrator: {method: dop853, relative_tolerance: 1.0e-12, absolute_tolerance: 1.0e-12}
)";

Scenario read(const std::string& text) {
  return parse_scenario("spacedyn: 1\nscenario:\n  name: test\n" + text, "test.yaml");
}

SimulationResult fly(const Scenario& scenario) {
  SimulationObserver observer;
  return Simulator(scenario.setup)
      .run(scenario.initial, scenario.duration, scenario.duration, observer);
}

// the same robot under `model:` and under `robots:`, to the error of integration at 1e-12
TEST(RobotsFile, OneOfSeveralIsTheRobotAlone) {
  const Scenario alone = read("  model:" + kArm + "  initial:" + kStart + kEnd);
  const Scenario among =
      read("  robots:\n    - name: one\n      model:" + kArm + "      initial:" + kStart + kEnd);
  const Robot& robot = among.setup.model->robots().at(0);
  const State start = robot_state(*among.setup.model, robot, among.initial);
  EXPECT_LT((start.r_0 - alone.initial.r_0).norm(), 1e-15);
  EXPECT_LT((start.A_0 - alone.initial.A_0).norm(), 1e-15);
  const SimulationResult a = fly(alone), b = fly(among);
  const State end = robot_state(*among.setup.model, robot, b.state);
  EXPECT_GT((a.state.A_0 - alone.initial.A_0).norm(), 0.1);
  EXPECT_LT((end.r_0 - a.state.r_0).norm(), 1e-9);
  EXPECT_LT((end.A_0 - a.state.A_0).norm(), 1e-9);
  EXPECT_LT((end.v_0 - a.state.v_0).norm(), 1e-9);
  EXPECT_LT((end.omega_0 - a.state.omega_0).norm(), 1e-9);
  EXPECT_LT((end.q - a.state.q).norm(), 1e-9);
  EXPECT_LT((end.qd - a.state.qd).norm(), 1e-9);
  EXPECT_NEAR(b.final_energy.total(), a.final_energy.total(), 1e-9);
  EXPECT_LT(b.audit.momentum_drift(), 1e-10);
}

/// Ends of a flight of a robot alone and as one of two, the other one adrift, with a base mode.
struct AloneAndAmong {
  Scenario alone, among;
  SimulationResult a, b;
  State end;  // of the robot among others

  explicit AloneAndAmong(const std::string& base)
      : alone(read("  model:" + kArm + "  base: " + base + "\n  initial:" + kJoints + kEnd)),
        among(read("  robots:\n    - name: one\n      model:" + kArm + "      base: " + base +
                   "\n      initial:" + kJoints + "    - name: other\n      model:" + kArm + kEnd)),
        a(fly(alone)),
        b(fly(among)),
        end(robot_state(*among.setup.model, among.setup.model->robots().at(0), b.state)) {}

  /// Largest difference of pose and velocity of the base and of the joints.
  double difference() const {
    return std::max({(end.r_0 - a.state.r_0).norm(), (end.A_0 - a.state.A_0).norm(),
                     (end.v_0 - a.state.v_0).norm(), (end.omega_0 - a.state.omega_0).norm(),
                     (end.q - a.state.q).norm(), (end.qd - a.state.qd).norm()});
  }

  static inline const std::string kJoints = R"(
        base: {rpy: [0.3, -0.2, 0.5]}
        joints: {shoulder: {position: 0.3, velocity: 0.2}, elbow: {position: -0.5}}
)";
};

// to the error of integration at 1e-12; work of the imposed motion besides
TEST(RobotsFile, BaseOfOneOfSeveralFollowsAMotion) {
  const AloneAndAmong flights(
      "{mode: prescribed, motion: {position: {type: quintic, to: [1, -2, 0.5], duration: 1.5}, "
      "rotation: {axis: [1, 2, 2], angle: {type: quintic, to: 200 deg, duration: 1.8}}}}");
  EXPECT_LT(flights.difference(), 1e-9);
  EXPECT_LT((flights.end.r_0 - Vector3(1.0, -2.0, 0.5)).norm(), 1e-14);
  EXPECT_GT((flights.end.A_0 - flights.alone.initial.A_0).norm(), 0.5);
  EXPECT_LT(flights.b.audit.energy_residual(), 1e-8);
  const Model& model = *flights.among.setup.model;
  EXPECT_TRUE(model.robots()[0].is_carried);
  EXPECT_EQ(model.joint(4).name, "one.base_angle");
  EXPECT_EQ(model.robots()[0].joint_count(), 2);
  // the pose is what a result has of it
  State state(model);
  set_base_motion(model, model.robots()[0], {flights.end.r_0, flights.end.A_0, {}, {}}, state);
  const BaseMotion back = base_motion(model, model.robots()[0], state);
  EXPECT_LT((back.r_0 - flights.end.r_0).norm() + (back.A_0 - flights.end.A_0).norm(), 1e-14);
}

TEST(RobotsFile, BaseOfOneOfSeveralFlies) {
  for (const char* extra : {"", ", sample_period: 0.1"}) {
    const AloneAndAmong flights(
        std::string("{mode: flying, motion: {position: {type: constant, position: [0.5, 0, 0]}}, "
                    "position: {stiffness: 30, damping: 40, force_limit: 8}, "
                    "attitude: {stiffness: 20, damping: 15}") +
        extra + "}");
    EXPECT_LT(flights.difference(), 1e-9);
    EXPECT_GT(flights.end.v_0.norm(), 0.01);
    EXPECT_EQ(flights.among.setup.controllers.at(0)->name(), "one.flying_base");
    EXPECT_LT(flights.b.audit.momentum_drift(), 1e-9);
  }
}

TEST(RobotsFile, ColumnsAreNamedAfterRobots) {
  const Scenario pair =
      read("  robots:\n    - name: a\n      model:" + kArm + "    - name: b\n      model:" + kArm +
           "      base: {mode: fixed}\n" + kEnd);
  const RowLayout layout(pair.setup, pair.initial,
                         {Channel::state, Channel::momentum, Channel::energy});
  const auto column = [&](const std::string& name) {
    for (const Column& each : layout.columns()) {
      if (each.name == name) return each.dataset;
    }
    return std::string("none");
  };
  EXPECT_EQ(column("robots_a_base_position_x_m"), "/robots/a/base/position");
  EXPECT_EQ(column("robots_b_base_quaternion_w"), "/robots/b/base/quaternion_wxyz");
  EXPECT_EQ(column("joints_a_shoulder_rad"), "/joints/q");
  EXPECT_EQ(column("robots_b_linear_momentum_z_kg_m_s"), "/robots/b/momentum/linear");
  EXPECT_EQ(column("robots_a_energy_total_J"), "/robots/a/energy/total");
  EXPECT_EQ(column("linear_momentum_x_kg_m_s"), "/momentum/linear");
  EXPECT_EQ(column("base_position_x_m"), "none");
  EXPECT_EQ(column("joints_a_base_x_m"), "none");
}

// the hand reaches for the other robot's; what is given stays
TEST(RobotsFile, AssemblyClosesConnections) {
  const std::string tail =
      "  connections: [{name: grasp, type: spherical, from: a.hand, to: b.hand}]\n" + kEnd;
  const std::string b = "    - name: b\n      model:" + kArm +
                        "      initial: {base: {position: [3.2, 0, 0], rpy: [0, 0, 180 deg]}, "
                        "joints: {elbow: {position: 0.2}}}\n";
  const Scenario held =
      read("  robots:\n    - name: a\n      model:" + kArm +
           "      initial: {base: {position: [0, 0, 0]}, joints: {elbow: {position: 0.3}}, "
           "assemble: true, hold: []}\n" +
           b + tail);
  const auto residual = [](const Scenario& scenario) {
    const std::vector<Loop> loops = active_loops(scenario.setup, DiscreteState(scenario.setup));
    return position_residual(*scenario.setup.model, loops, scenario.initial).value;
  };
  EXPECT_LT(residual(held), 1e-9);
  const Model& model = *held.setup.model;
  // the other robot stays as it is
  const State other = robot_state(model, model.robots()[1], held.initial);
  EXPECT_LT((other.r_0 - Vector3(3.2, 0.0, 0.0)).norm(), 1e-14);
  EXPECT_EQ(other.q(1), 0.2);

  const Scenario both = read("  initial: {assemble: true, hold: [b.base, b.elbow]}\n" +
                             ("  robots:\n    - name: a\n      model:" + kArm + b) + tail);
  EXPECT_LT(residual(both), 1e-9);
  EXPECT_EQ(robot_state(model, model.robots()[1], both.initial).q(1), 0.2);
}

}  // namespace
}  // namespace spacedyn::testing::robots_file_test
