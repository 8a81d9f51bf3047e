// Stops, bounces and brakes against closed forms, on a floating slider and a held one.
#include <cmath>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/joint_brake.hpp"
#include "spacedyn/forces/joint_stop.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::joint_limits_test {
namespace {

using ::testing::ThrowsMessage;

constexpr double kBase = 4.0, kMass = 2.0;  // kg
constexpr double kReduced =
    kBase * kMass / (kBase + kMass);  // of the motion of one against the other
constexpr double kSpeed = 1.5;        // m/s

SimulationSetup sled(BaseMode mode) {
  LinkDescription slider = testing::link_body("slider", "base", kMass, Vector3::Ones(),
                                              Vector3::Zero(), Vector3::Zero());
  slider.joint.type = JointType::prismatic;
  SimulationSetup setup;
  setup.model =
      std::make_shared<const Model>(ModelBuilder("sled")
                                        .set_base(testing::base_body(kBase, {1.0, 1.0, 1.0}))
                                        .add_link(slider)
                                        .build());
  setup.base_mode = mode;
  setup.integrator = testing::dopri5(1e-12);
  return setup;
}

State sliding(const Model& model) {
  State state(model);
  state.qd(0) = kSpeed;
  return state;
}

TEST(JointStop, GivesBackWhatItsDamperLeaves) {
  constexpr double kStiffness = 400.0, kGap = 0.5;
  for (const double ratio : {0.0, 0.2, 0.6, 0.9}) {
    SCOPED_TRACE(ratio);
    // p = (v/ω_d) e^{−ζωt} sin ω_d t until K p + D ṗ = 0
    const double omega = std::sqrt(kStiffness / kReduced);
    const double root = std::sqrt(1.0 - ratio * ratio);
    const double leaving =
        (M_PI - std::atan2(2.0 * ratio * root, 1.0 - 2.0 * ratio * ratio)) / (omega * root);
    const double turn = omega * root * leaving;
    const double decay = std::exp(-ratio * omega * leaving);
    const double back = kSpeed * decay * (std::cos(turn) - ratio / root * std::sin(turn));
    const double depth = kSpeed / (omega * root) * decay * std::sin(turn);

    SimulationSetup setup = sled(BaseMode::floating);
    JointStop::Settings stop{1, -1e9, kGap, kStiffness, 2.0 * ratio * omega * kReduced};
    setup.forces = {std::make_shared<JointStop>("stop", stop)};
    constexpr double kEnd = 0.8;
    const SimulationResult result = testing::simulate(setup, sliding(*setup.model), kEnd);
    ASSERT_EQ(result.events.size(), 2U);
    EXPECT_NEAR(result.events[0].time, kGap / kSpeed, 1e-12);
    // the tolerance, and a kink in the force where the stop is left
    EXPECT_NEAR(result.state.qd(0), back, 1e-9);
    const double expected = kGap + depth + (kEnd - kGap / kSpeed - leaving) * back;
    EXPECT_NEAR(result.state.q(0), expected, 1e-9);
    EXPECT_NEAR(result.integrals.dissipated, 0.5 * kReduced * (kSpeed * kSpeed - back * back),
                1e-8);
    EXPECT_LT(result.audit.energy_residual(), 1e-9);
    EXPECT_LT(result.audit.momentum_drift(), 1e-14);
  }
}

/// Speed after a contact with a stop of damping ratio ζ < 1, by the formula above.
double speed_after(double ratio) {
  const double root = std::sqrt(1.0 - ratio * ratio);
  const double turn = M_PI - std::atan2(2.0 * ratio * root, 1.0 - 2.0 * ratio * ratio);
  return kSpeed * std::exp(-ratio / root * turn) * (std::cos(turn) - ratio / root * std::sin(turn));
}

/// The contact lies inside a fixed step; its damper jumps there by up to 40 m/s², or 0.04 m/s a
/// step.
TEST(JointStop, IsAccurateInEveryMethodHoweverItsDamperJumps) {
  constexpr double kStiffness = 400.0, kGap = 0.50037;
  for (const double ratio : {0.2, 0.9}) {
    SimulationSetup setup = sled(BaseMode::floating);
    const double damping = 2.0 * ratio * std::sqrt(kStiffness * kReduced);
    setup.forces = {std::make_shared<JointStop>(
        "stop", JointStop::Settings{1, -1e9, kGap, kStiffness, damping})};
    for (const IntegrationMethod method : all_integration_methods()) {
      SCOPED_TRACE(std::string(to_string(method)) + " at " + std::to_string(ratio));
      setup.integrator = is_adaptive(method) ? testing::adaptive(method, 1e-10)
                                             : testing::fixed_step(method, 1e-3);
      const SimulationResult result = testing::simulate(setup, sliding(*setup.model), 0.8);
      const bool is_first_order =
          method == IntegrationMethod::euler || method == IntegrationMethod::euler_rodrigues;
      // errors of the method; a kink where the stop is left costs high orders theirs
      EXPECT_NEAR(result.state.qd(0), speed_after(ratio), is_first_order ? 4e-2 : 1e-4);
      EXPECT_LT(result.audit.energy_residual(), is_first_order ? 4e-2 : 4e-4);
    }
  }
}

/// Stops so stiff and so damped that the force changes by its whole size within a step.
TEST(JointStop, LetsNewmarkFlyWhereContactsAreHard) {
  for (const double stiffness : {1e3, 1e5, 1e7}) {
    for (const double damping : {0.0, 10.0, 1e3, 1e4}) {
      SCOPED_TRACE(std::to_string(stiffness) + " " + std::to_string(damping));
      SimulationSetup setup = sled(BaseMode::fixed);
      setup.forces = {std::make_shared<JointStop>(
          "stop", JointStop::Settings{1, -0.3, 0.50037, stiffness, damping})};
      setup.integrator = testing::fixed_step(IntegrationMethod::newmark, 1e-3);
      const SimulationResult result = testing::simulate(setup, sliding(*setup.model), 2.0);
      EXPECT_LE(std::abs(result.state.qd(0)), kSpeed * 1.05);
      EXPECT_GT(result.events.size(), 0U);
    }
  }
}

TEST(JointStop, PushesBackFromBothSides) {
  SimulationSetup setup = sled(BaseMode::fixed);
  setup.forces = {
      std::make_shared<JointStop>("stop", JointStop::Settings{1, -0.3, 0.5, 900.0, 0.0})};
  State start = sliding(*setup.model);
  // there and back again in 2 (0.8 m / v + half a period of the spring)
  const double period = 2.0 * (0.8 / kSpeed + M_PI / std::sqrt(900.0 / kMass));
  const SimulationResult result = testing::simulate(setup, start, 3.0 * period);
  EXPECT_NEAR(result.state.q(0), 0.0, 1e-8);
  EXPECT_NEAR(result.state.qd(0), kSpeed, 1e-8);
}

TEST(ImpulsiveStop, LeavesTheSameShareOfTheVelocityEachTime) {
  constexpr double kRestitution = 0.8, kTravel = 0.5;
  for (const BaseMode mode : {BaseMode::floating, BaseMode::fixed}) {
    SimulationSetup setup = sled(mode);
    const BounceAction bounce{1, kRestitution};
    setup.events = {
        {"lower", joint_position_event(1, 0.0), CrossingDirection::falling, {bounce}},
        {"upper", joint_position_event(1, kTravel), CrossingDirection::rising, {bounce}}};
    const SimulationResult result = testing::simulate(setup, sliding(*setup.model), 4.0);
    double time = 0.0, speed = kSpeed;
    ASSERT_GT(result.events.size(), 5U);
    for (const EventRecord& event : result.events) {
      time += kTravel / speed;
      speed *= kRestitution;
      EXPECT_NEAR(event.time, time, 1e-11);
    }
    EXPECT_NEAR(std::abs(result.state.qd(0)), speed, 1e-12);
    const double mass = mode == BaseMode::floating ? kReduced : kMass;
    EXPECT_NEAR(result.integrals.dissipated, 0.5 * mass * (kSpeed * kSpeed - speed * speed), 1e-12);
    EXPECT_LT(result.audit.energy_residual(), 1e-12);
    EXPECT_LT(result.audit.momentum_drift(), 1e-12);
  }
}

SimulationSetup braked(double force, double from, double until) {
  SimulationSetup setup = sled(BaseMode::fixed);
  setup.forces = {
      std::make_shared<JointBrake>("brake", JointBrake::Settings{1, force, from, until, 1.0e-4})};
  setup.integrator = testing::adaptive(IntegrationMethod::rodas, 1e-9);
  return setup;
}

TEST(JointBrake, StopsAJointWithinItsStoppingDistance) {
  constexpr double kForce = 10.0, kFrom = 0.4;
  const SimulationSetup setup = braked(kForce, kFrom, std::numeric_limits<double>::infinity());
  const SimulationResult result = testing::simulate(setup, sliding(*setup.model), 2.0);
  const double distance = kSpeed * kFrom + 0.5 * kMass * kSpeed * kSpeed / kForce;
  // a few presliding deflections while the bristle bends and springs back
  EXPECT_NEAR(result.state.q(0), distance, 5e-4);
  EXPECT_NEAR(result.state.qd(0), 0.0, 1e-7);
  EXPECT_NEAR(result.integrals.dissipated, 0.5 * kMass * kSpeed * kSpeed, 1e-6);
  EXPECT_LT(result.audit.energy_residual(), 1e-7);
}

TEST(JointBrake, HoldsLessThanItsForceAndLetsMoreSlide) {
  for (const double load : {8.0, 14.0}) {
    SimulationSetup setup = braked(10.0, 0.0, 5.0);
    setup.forces.push_back(std::make_shared<AppliedJointTorque>(
        "load", 1, TimeTable::constant(VectorX::Constant(1, load))));
    const State rest(*setup.model);
    const SimulationResult held = testing::simulate(setup, rest, 4.0);
    if (load < 10.0) {
      // the bristle yields a little under a sudden load, then nothing creeps
      EXPECT_LT(held.state.q(0), 6e-4);
      EXPECT_NEAR(held.state.q(0), testing::simulate(setup, rest, 2.0).state.q(0), 1e-8);
      EXPECT_NEAR(held.state.qd(0), 0.0, 1e-7);
    } else {
      // the load gets ahead while the bristle bends
      EXPECT_NEAR(held.state.qd(0), (load - 10.0) / kMass * 4.0, 3e-2);
    }
    // let go, the load alone acts
    const SimulationResult free = testing::simulate(setup, rest, 6.0);
    const double before = load < 10.0 ? 0.0 : (load - 10.0) / kMass * 5.0;
    EXPECT_NEAR(free.state.qd(0), before + load / kMass, 3e-2);
  }
}

TEST(JointStop, RefusesWhatCannotBe) {
  const auto stop = [](const JointStop::Settings& settings) { return JointStop("a", settings); };
  EXPECT_THAT(
      [&] {
        stop({1, 1.0, 1.0, 1.0, 0.0});
      },
      ThrowsMessage<DomainError>("joint stop 'a': the lower limit must lie below the upper one"));
  EXPECT_THAT(
      [&] {
        stop({1, 0.0, 1.0, 0.0, 0.0});
      },
      ThrowsMessage<DomainError>("joint stop 'a': the stiffness must be positive and finite"));
  EXPECT_THAT(
      [&] {
        stop({1, 0.0, 1.0, 1.0, -1.0});
      },
      ThrowsMessage<DomainError>("joint stop 'a': the damping must be finite and not negative"));
  SimulationSetup setup = sled(BaseMode::floating);
  setup.forces = {std::make_shared<JointStop>("a", JointStop::Settings{2, 0.0, 1.0, 1.0, 0.0})};
  EXPECT_THROW(Simulator{setup}, DomainError);
}

TEST(JointBrake, RefusesWhatCannotBe) {
  const auto brake = [](const JointBrake::Settings& settings) { return JointBrake("a", settings); };
  EXPECT_THAT(
      [&] {
        brake({1, 0.0, 0.0, 1.0, 1e-3});
      },
      ThrowsMessage<DomainError>("brake 'a': the torque must be positive and finite"));
  EXPECT_THAT(
      [&] {
        brake({1, 1.0, 0.0, 1.0, 0.0});
      },
      ThrowsMessage<DomainError>("brake 'a': presliding must be positive and finite"));
  EXPECT_THAT(
      [&] {
        brake({1, 1.0, 1.0, 1.0, 1e-3});
      },
      ThrowsMessage<DomainError>("brake 'a': it must be applied before it is let go"));
}

}  // namespace
}  // namespace spacedyn::joint_limits_test
