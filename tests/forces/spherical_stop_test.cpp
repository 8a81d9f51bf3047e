// Stops of spherical joints: closed forms, energy, derivatives.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/analysis/linearization.hpp"
#include "spacedyn/diagnostics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/joint_stop.hpp"
#include "spacedyn/forces/load_derivatives.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/state/configuration.hpp"
#include "support/message_of.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::spherical_stop_test {
namespace {

using ::testing::HasSubstr;

constexpr double kAngle = 0.8, kStiffness = 50.0, kMoment = 0.5;

/// A body on a spherical joint through its centroid, on a fixed base.
std::shared_ptr<const Model> gimbal(const Vector3& inertia) {
  BaseDescription base = base_body(5.0, {2, 3, 4});
  base.fixed = true;
  LinkDescription body = link_body("body", "base", 1.0, inertia, {0, 0, 0.4}, {0, 0, 0});
  body.joint.type = JointType::spherical;
  return std::make_shared<const Model>(
      ModelBuilder("gimbal").set_base(base).add_link(body).build());
}

SimulationSetup setup_of(const std::shared_ptr<const Model>& model, double damping) {
  SimulationSetup setup;
  setup.model = model;
  setup.base_mode = BaseMode::fixed;
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  setup.forces = {std::make_shared<SphericalStop>(
      "stop", SphericalStop::Settings{1, kAngle, kStiffness, damping})};
  return setup;
}

TEST(SphericalStop, ThrowsABallBackAfterHalfASwing) {
  // beyond the angle I p̈ = −K p: half a period of ω = √(K/I), and back at the same rate
  const auto model = gimbal(Vector3::Constant(kMoment));
  const Vector3 axis = Vector3(1, -2, 0.5).normalized();
  constexpr double kRate = 1.5;
  State start(*model);
  start.qd = kRate * axis;
  const double contact = kAngle / kRate, omega = std::sqrt(kStiffness / kMoment);
  const Trajectory flight =
      simulate(setup_of(model, 0.0), start, 2.0 * contact + kPi / omega, 0.01);
  for (const TrajectoryPoint& at : flight.points) {
    const double beyond = at.time - contact;
    double angle = kRate * at.time;
    if (beyond > kPi / omega) {
      angle = kAngle - kRate * (beyond - kPi / omega);
    } else if (beyond > 0.0) {
      angle = kAngle + kRate / omega * std::sin(omega * beyond);
    }
    EXPECT_LT((at.state.q - angle * axis).norm(), 1e-9) << at.time;
  }
  ASSERT_EQ(flight.result.events.size(), 2U);
  EXPECT_EQ(flight.result.events[0].name, "stop limit");
  EXPECT_NEAR(flight.result.events[0].time, contact, 1e-10);
  EXPECT_NEAR(flight.result.events[1].time, contact + kPi / omega, 1e-9);
  EXPECT_LT(flight.result.audit.energy_residual(), 1e-10);
}

TEST(SphericalStop, IsDampedFromItsLimitOnWhereverAFlightStarts) {
  // beyond the angle I p̈ = −K p − D ṗ from p = 0: p = ṗ_0/ν sin(ν t) exp(−D t/2I)
  constexpr double kRate = 1.5, kDamping = 2.0, kBegin = 0.5;
  const auto model = gimbal(Vector3::Constant(kMoment));
  const Vector3 axis = Vector3(1, -2, 0.5).normalized();
  State start(*model);
  start.q = kBegin * axis;  // 0.3 rad before the limit: a chart is centred here
  start.qd = kRate * axis;
  const double contact = (kAngle - kBegin) / kRate, decay = 0.5 * kDamping / kMoment;
  const double nu = std::sqrt(kStiffness / kMoment - decay * decay);
  const Trajectory flight = simulate(setup_of(model, kDamping), start, contact + 0.2, 0.02);
  int touching = 0;
  for (const TrajectoryPoint& at : flight.points) {
    const double t = at.time - contact;
    if (t < 0.0) continue;
    ++touching;
    const double beyond = kRate / nu * std::sin(nu * t) * std::exp(-decay * t);
    // tolerance of the flight
    EXPECT_LT((at.state.q - (kAngle + beyond) * axis).norm(), 1e-10) << t;
  }
  EXPECT_GE(touching, 10);
}

TEST(SphericalStop, TakesEnergyByItsDamperAlone) {
  const auto model = gimbal({0.3, 0.4, 0.6});
  State start(*model);
  start.q << 0.2, 0.1, -0.1;
  start.qd << 1.0, -2.0, 1.5;
  const SimulationResult end = simulate(setup_of(model, 2.0), start, 6.0);
  EXPECT_GT(end.integrals.dissipated, 0.1);
  EXPECT_NEAR(end.integrals.work, 0.0, 1e-10);
  EXPECT_NEAR(end.initial_energy.total() - end.final_energy.total(), end.integrals.dissipated,
              1e-9);
  EXPECT_GE(end.events.size(), 2U);
}

TEST(SphericalStop, DifferentiatesItsTorque) {
  const auto model = gimbal({0.3, 0.4, 0.6});
  const SphericalStop stop("stop", {1, kAngle, kStiffness, 2.0});
  RandomModels random(7);
  const LinkFrames frames(*model);
  const LinkVelocities velocities(*model);
  const VectorX none;
  const auto torque = [&](const State& state) {
    Loads loads(*model);
    stop.apply({0.0, *model, state, frames, velocities, none}, loads);
    return VectorX(loads.tau);
  };
  int touched = 0;
  for (int i = 0; i < 50; ++i) {
    State state(*model);
    state.q = random.vector(3, 1.4);
    state.qd = random.vector(3, 2.0);
    LoadDerivatives derivatives(*model, 0);
    ASSERT_TRUE(stop.differentiate({0.0, *model, state, frames, velocities, none}, derivatives));
    touched += torque(state).isZero(0.0) ? 0 : 1;
    // away from where it begins to touch, and to push
    if (std::abs(state.q.norm() - kAngle) < 0.01) continue;
    constexpr double kStep = 1e-4;
    for (int k = 0; k < 3; ++k) {
      const auto turned = [&](double t) {
        State other = state;
        displace_joints(*model, VectorX(t * Vector3::Unit(k)), other.q);
        return torque(other);
      };
      const auto faster = [&](double t) {
        State other = state;
        other.qd(k) += t;
        return torque(other);
      };
      const VectorX slope =
          (8.0 * (turned(kStep) - turned(-kStep)) - (turned(2.0 * kStep) - turned(-2.0 * kStep))) /
          (12.0 * kStep);
      const VectorX gain = (faster(kStep) - faster(-kStep)) / (2.0 * kStep);
      const Eigen::Index column = LoadDerivatives::joint(1 + k);
      EXPECT_LT((derivatives.force_configuration.col(column).tail(3) - slope).norm(), 1e-8);
      EXPECT_LT((derivatives.force_velocity.col(column).tail(3) - gain).norm(), 1e-8);
    }
  }
  EXPECT_GT(touched, 10);
}

TEST(SphericalStop, RefusesWhatItCannotBe) {
  const auto make = [](const SphericalStop::Settings& settings) {
    return message_of<DomainError>([&] { SphericalStop("stop", settings); });
  };
  EXPECT_THAT(make({1, kPi, 1.0, 0.0}), HasSubstr("the angle must lie between 0 and π"));
  EXPECT_THAT(make({1, 1.0, 0.0, 0.0}), HasSubstr("the stiffness must be positive"));
  EXPECT_THAT(make({1, 1.0, 1.0, -1.0}), HasSubstr("the damping must be finite"));
  EXPECT_THAT(message_of<DomainError>([] {
                SphericalStop("stop", {2, 1.0, 1.0, 0.0}).check(*gimbal({1, 1, 1}));
              }),
              HasSubstr("'stop' needs a spherical joint"));
}

std::string scenario(const std::string& stop) {
  return R"(
spacedyn: 1
scenario:
  name: ball
  model:
    name: ball
    base: {name: base, mass: 5, inertia: [2, 3, 4], fixed: true}
    links:
      - {name: body, parent: base, mass: 1, inertia: [0.5, 0.5, 0.5], joint: {name: neck, type: spherical}}
      - {name: tail, parent: base, mass: 1, inertia: [0.5, 0.5, 0.5], joint: {name: hinge, type: revolute, axis: [0, 0, 1]}}
  initial: {joints: {neck: {angular_velocity: [1.5, 0, 0]}}}
  forces: [)" +
         stop + R"(]
  duration: 2
)";
}

TEST(SphericalStop, IsReadFromFiles) {
  const Scenario read = parse_scenario(
      scenario("{type: joint_stop, name: stop, joint: neck, angle: 60 deg, stiffness: 50}"),
      "ball.yaml");
  const SimulationResult end = simulate(read.setup, read.initial, 2.0);
  ASSERT_EQ(end.events.size(), 2U);
  EXPECT_EQ(end.events[0].name, "stop limit");
  EXPECT_NEAR(end.events[0].time, kPi / 3.0 / 1.5, 1e-9);
  const auto refusal = [](const std::string& stop) {
    return message_of<ParseError>([&] { parse_scenario(scenario(stop), "ball.yaml"); });
  };
  EXPECT_THAT(refusal("{type: joint_stop, joint: hinge, angle: 60 deg, stiffness: 50}"),
              HasSubstr("expected a spherical joint, got 'hinge'"));
  EXPECT_THAT(refusal("{type: joint_stop, joint: neck, angle: 200 deg, stiffness: 50}"),
              HasSubstr("expected less than 180 deg"));
  EXPECT_THAT(refusal("{type: joint_stop, joint: neck, stiffness: 50}"), HasSubstr("neck"));
}

/// The same with a limit of the angle in the model.
Scenario limited(const std::string& stop, const std::string& more = "") {
  std::string text = scenario(stop) + more;
  const std::string place = "type: spherical";
  text.replace(text.find(place), place.size(), place + ", angle_limit: 60 deg");
  return parse_scenario(text, "ball.yaml");
}

TEST(AngleLimit, IsNotedWhereTheJointPassesIt) {
  const Scenario free = limited("");
  EXPECT_NEAR(free.setup.model->find_compound_joint("neck")->angle_limit, kPi / 3.0, 1e-15);
  const SimulationResult end = simulate(free.setup, free.initial, 1.0);
  ASSERT_EQ(end.events.size(), 1U);
  EXPECT_EQ(end.events[0].name, "neck passes its angle limit");
  EXPECT_NEAR(end.events[0].time, kPi / 3.0 / 1.5, 1e-9);
}

TEST(AngleLimit, IsWhereStopsStand) {
  for (const Scenario& stopped :
       {limited("{type: joint_stop, name: neck limit, joint: neck, stiffness: 50}"),
        limited("", "  position_limits: {action: stop, stiffness: 50}\n")}) {
    const SimulationResult end = simulate(stopped.setup, stopped.initial, 2.0);
    ASSERT_EQ(end.events.size(), 2U);
    EXPECT_EQ(end.events[0].name, "neck limit limit");
    EXPECT_NEAR(end.events[0].time, kPi / 3.0 / 1.5, 1e-9);
    EXPECT_NEAR(end.state.qd(0), -1.5, 1e-7);
  }
  const auto refusal = [](const auto& function) { return message_of<ParseError>(function); };
  EXPECT_THAT(refusal([] { limited("", "  position_limits: {action: stop, restitution: 0.5}\n"); }),
              HasSubstr("expected a stiffness, got a restitution: the stop at the angle_limit of "
                        "spherical joint 'neck' yields"));
  EXPECT_THAT(refusal([] {
                parse_scenario(scenario("{type: joint_stop, joint: neck, stiffness: 50}"),
                               "ball.yaml");
              }),
              HasSubstr("expected 'angle', for joint 'neck' has no angle_limit of its own"));
}

TEST(AngleLimit, OfOtherJointsAndOfHalfATurnIsRefused) {
  ModelDescription robot = gimbal({1, 1, 1})->description();
  const auto problem = [&] {
    const std::vector<Problem> problems = ModelBuilder(robot).validate();
    return problems.empty() ? std::string()
                            : problems.front().path + ": " + problems.front().message;
  };
  robot.links[0].joint.angle_limit = kPi;
  EXPECT_THAT(problem(), HasSubstr("links.0.joint.angle_limit: expected an angle of more than 0"));
  robot.links[0].joint.type = JointType::revolute;
  robot.links[0].joint.angle_limit = 1.0;
  EXPECT_THAT(problem(), HasSubstr("only a spherical joint has a total angle"));
}

}  // namespace
}  // namespace spacedyn::testing::spherical_stop_test
