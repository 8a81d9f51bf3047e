// What a moving arm takes from its base: against the derivative of its momentum, and wheels that
// take it up.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/control/attitude_pd.hpp"
#include "spacedyn/control/momentum_feed_forward.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::momentum_feed_forward_test {
namespace {

const std::string kCraft =
    "    name: craft\n    base: {name: bus, mass: 100, inertia: [18, 19, 20]}\n"
    "    links:\n"
    "      - {name: upper, parent: bus, joint: {name: shoulder, type: revolute, axis: [0, 0, 1], "
    "origin: {xyz: [0.5, 0, 0.2]}}, mass: 8, center_of_mass: [0.5, 0, 0], inertia: [0.1, 0.7, "
    "0.7]}\n"
    "      - {name: lower, parent: upper, joint: {name: elbow, type: revolute, axis: [0, 1, 0], "
    "origin: {xyz: [1, 0, 0]}}, mass: 5, center_of_mass: [0.4, 0, 0.1], inertia: [0.1, 0.4, 0.4]}\n"
    "    reaction_wheels:\n"
    "      - {name: wx, body: bus, axis: [1, 0, 0], spin_inertia: 0.05}\n"
    "      - {name: wy, body: bus, axis: [0, 1, 0], spin_inertia: 0.05}\n"
    "      - {name: wz, body: bus, axis: [0, 0, 1], spin_inertia: 0.05}\n";

const std::string kPrescribed =
    "  prescribed:\n"
    "    - {joint: shoulder, reference: {type: quintic, to: 60 deg, duration: 8}}\n"
    "    - {joint: elbow, reference: {type: quintic, to: -80 deg, duration: 8}}\n";

Scenario flight(const std::string& rest) {
  Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: foresight\n  duration: 10\n" + rest + "  model:\n" + kCraft,
      "foresight.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  return scenario;
}

std::string attitude(const std::string& more) {
  return "{type: attitude, actuators: [wx, wy, wz], stiffness: 40, damping: 60, reference: {rpy: "
         "[0, 0, 0]}" +
         more + "}";
}

std::vector<JointMotion> motions_of(const Scenario& scenario) {
  std::vector<JointMotion> motions;
  for (const PrescribedJoint& each : scenario.setup.prescribed_joints) {
    motions.push_back({{each.joint}, each.reference});
  }
  return motions;
}

/// Angular momentum about the centroid with the base at rest and joints on their references.
Vector3 momentum_at(const Scenario& scenario, State state, double time) {
  const Model& model = *scenario.setup.model;
  for (const PrescribedJoint& each : scenario.setup.prescribed_joints) {
    const ReferenceValue value = each.reference->evaluate(0, time);
    state.q(each.joint - 1) = value.position;
    state.qd(each.joint - 1) = value.velocity;
  }
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);
  return momentum(model, frames, velocities).angular_centroid;
}

TEST(MomentumFeedForward, IsTheDerivativeOfTheArmsMomentum) {
  const Scenario scenario = flight(kPrescribed);
  const Model& model = *scenario.setup.model;
  State state = scenario.initial;
  state.A_0 = matrix_from_rpy({0.3, -0.4, 1.1});
  state.r_0 = {3, -1, 2};
  const MomentumFeedForward feed_forward("", model, 0, motions_of(scenario));
  for (const double time : {0.5, 2.0, 5.5}) {
    LinkFrames frames(model);
    const LinkVelocities velocities(model);
    compute_link_frames(model, state, frames);
    // motion of base and wheels is not looked at
    State moving = state;
    moving.omega_0 = {0.1, 0.2, 0.3};
    moving.qd.tail<3>().setConstant(100.0);
    const EvaluationContext context{time, model, moving, frames, velocities, moving.z};
    const double h = 1e-3;
    const auto L = [&](double shift) { return momentum_at(scenario, state, time + shift); };
    const Vector3 slope = (8.0 * (L(h) - L(-h)) - (L(2 * h) - L(-2 * h))) / (12.0 * h);
    // rounding of momenta of 1 N m s over h
    EXPECT_LE((feed_forward.rate(context) - slope).norm(), 1e-11);
    EXPECT_GT(slope.norm(), 0.1);
  }
}

TEST(MomentumFeedForward, KeepsABaseAtRestWhoseArmMovesAsForeseen) {
  const std::string none = attitude("");
  const auto fly = [&](const std::string& law) {
    const Scenario scenario = flight(kPrescribed + "  control: [" + law + "]\n");
    Trajectory trajectory;
    Simulator(scenario.setup).run(scenario.initial, 8.0, 0.5, trajectory);
    double most = 0.0;
    for (const TrajectoryPoint& sample : trajectory.points) {
      most = std::max(most, rpy_from_matrix(sample.state.A_0).norm());
    }
    // wheels at half time have what the arm took
    const State& half = trajectory.points[8].state;
    const Vector3 wheels = 0.05 * half.qd.tail<3>();
    if (law != none) {
      EXPECT_LE((wheels + momentum_at(scenario, scenario.initial, 4.0)).norm(), 1e-9);
      EXPECT_GT(wheels.norm(), 0.5);
    }
    return most;
  };
  EXPECT_LE(fly(attitude(", feed_forward: [elbow, shoulder]")), 1e-10);
  // without feedback
  EXPECT_LE(fly("{type: base_feed_forward, actuators: [wx, wy, wz], of: [elbow, shoulder]}"), 1e-9);
  EXPECT_GT(fly(none), 5e-3);
}

TEST(MomentumFeedForward, HelpsAsFarAsTheArmFollows) {
  const std::string slew =
      "{type: joint_pd, name: slew, joints: [shoulder, elbow], stiffness: 4000, damping: 900, "
      "reference: {type: quintic, to: [60 deg, -80 deg], duration: 8}}";
  const auto excursion = [&](const std::string& more) {
    const Scenario scenario = flight("  control: [" + slew + ", " + attitude(more) + "]\n");
    Trajectory trajectory;
    Simulator(scenario.setup).run(scenario.initial, 8.0, 0.25, trajectory);
    double most = 0.0;
    for (const TrajectoryPoint& sample : trajectory.points) {
      most = std::max(most, rpy_from_matrix(sample.state.A_0).norm());
    }
    return most;
  };
  // of a lag D/K = 0.225 s in 8 s nothing but its second derivative counts
  EXPECT_LT(excursion(", feed_forward: [slew]"), 0.2 * excursion(""));
}

TEST(MomentumFeedForward, IsThatOfItsOwnRobot) {
  const Scenario alone = flight(kPrescribed);
  const Scenario pair = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: pair\n  duration: 10\n  robots:\n"
      "    - name: target\n      model: {name: target, base: {name: body, mass: 900, inertia: [90, "
      "80, 70]}}\n      initial: {base: {position: [0, 20, 0]}}\n"
      "    - name: chaser\n      initial: {base: {position: [1, 2, 3], rpy: [0.1, 0.2, 0.3]}}\n"
      "      prescribed:\n"
      "        - {joint: shoulder, reference: {type: quintic, to: 60 deg, duration: 8}}\n"
      "        - {joint: elbow, reference: {type: quintic, to: -80 deg, duration: 8}}\n"
      "      model:\n" +
          std::string("        name: craft\n") +
          "        base: {name: bus, mass: 100, inertia: [18, 19, 20]}\n"
          "        links:\n"
          "          - {name: upper, parent: bus, joint: {name: shoulder, type: revolute, axis: "
          "[0, "
          "0, 1], origin: {xyz: [0.5, 0, 0.2]}}, mass: 8, center_of_mass: [0.5, 0, 0], inertia: "
          "[0.1, 0.7, 0.7]}\n"
          "          - {name: lower, parent: upper, joint: {name: elbow, type: revolute, axis: [0, "
          "1, 0], origin: {xyz: [1, 0, 0]}}, mass: 5, center_of_mass: [0.4, 0, 0.1], inertia: "
          "[0.1, 0.4, 0.4]}\n",
      "pair.yaml");
  const auto rate = [](const Scenario& scenario, const State& state, int body) {
    const Model& model = *scenario.setup.model;
    LinkFrames frames(model);
    const LinkVelocities velocities(model);
    compute_link_frames(model, state, frames);
    const EvaluationContext context{2.0, model, state, frames, velocities, state.z};
    return MomentumFeedForward("", model, body, motions_of(scenario)).rate(context);
  };
  State state = alone.initial;
  state.A_0 = matrix_from_rpy({0.1, 0.2, 0.3});
  const int bus = pair.setup.model->find_robot("chaser")->base.body;
  EXPECT_LE((rate(alone, state, 0) - rate(pair, pair.initial, bus)).norm(), 1e-12);
}

TEST(MomentumFeedForward, RefusesWhatMakesNoSense) {
  const Scenario scenario = flight(kPrescribed);
  const Model& model = *scenario.setup.model;
  const auto reference = scenario.setup.prescribed_joints.front().reference;
  const auto build = [&](const std::vector<JointMotion>& motions) {
    return message_of<Error>([&] { MomentumFeedForward("'point': ", model, 0, motions); });
  };
  EXPECT_EQ(build({{{1}, nullptr}}), "'point': a reference of its feed-forward is missing");
  EXPECT_EQ(build({{{9}, reference}}),
            "'point': its feed-forward has joint 9, which the model has not");
  EXPECT_EQ(build({{{1}, reference}, {{1}, reference}}),
            "'point': its feed-forward has 'shoulder' twice");
  EXPECT_NE(build({{{1, 2}, reference}}).find("a reference of its feed-forward"),
            std::string::npos);
}

}  // namespace
}  // namespace spacedyn::testing::momentum_feed_forward_test
