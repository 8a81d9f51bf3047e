// Events on quantities, after each other and under conditions; what begins at events; what they
// set.

#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/control/harmonic_reference.hpp"
#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/thruster_force.hpp"
#include "spacedyn/math/constants.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"
#include "support/slider.hpp"
#include "support/small_models.hpp"

namespace spacedyn::sequences_test {
namespace {

using Records = std::vector<EventRecord>;

std::vector<double> times_of(const Records& records, const std::string& name) {
  std::vector<double> times;
  for (const EventRecord& record : records) {
    if (record.name == name) times.push_back(record.time);
  }
  return times;
}

/// One body that slides along z on a fixed base, with steps as long as tolerances allow.
SimulationSetup sliding(double mass = 2.0) {
  SimulationSetup setup = testing::slider_setup("slide", mass);
  setup.integrator = testing::dopri5(1e-11);
  return setup;
}

Event wave(const std::string& name, double shift = 0.0) {
  return {name,
          [shift](const EvaluationContext& now) { return std::cos(now.time - shift); },
          CrossingDirection::both,
          {}};
}

SimulationResult fly(const SimulationSetup& setup, double speed, double duration,
                     double place = 0.0) {
  State state(*setup.model);
  state.q(0) = place;
  state.qd(0) = speed;
  return testing::simulate(setup, state, duration);
}

// A body in free fall: every quantity of it is known.
TEST(Quantities, OfABodyThatFallsCrossAtTheirTimes) {
  SimulationSetup setup = sliding(2.0);
  const double g = 1.5, mass = 2.0;
  setup.gravity = {0.0, 0.0, g};
  Frame base, body;
  body.body = 1;
  const Model& model = *setup.model;
  setup.events = {quantity_event("distance", distance_quantity(base, body), 3.0),
                  quantity_event("speed", relative_speed_quantity(base, body), 1.8),
                  quantity_event("position", joint_position_quantity(model, 1), 2.0),
                  quantity_event("velocity", joint_velocity_quantity(model, 1), 1.2),
                  quantity_event("momentum", linear_momentum_quantity(), 5.0),
                  quantity_event("energy", kinetic_energy_quantity(), 4.0)};
  const Records events = fly(setup, 0.0, 4.0).events;
  const auto expect = [&](const char* name, double time) {
    ASSERT_EQ(times_of(events, name).size(), 1U) << name;
    EXPECT_NEAR(times_of(events, name)[0], time, 1e-10) << name;
  };
  expect("distance", std::sqrt(2.0 * 3.0 / g));
  expect("speed", 1.8 / g);
  expect("position", std::sqrt(2.0 * 2.0 / g));
  expect("velocity", 1.2 / g);
  expect("momentum", 5.0 / mass / g);
  expect("energy", std::sqrt(2.0 * 4.0 / mass) / g);
}

// A free body that spins: its angle to another frame folds at 0 and π, and is found in steps of
// several turns.
TEST(Quantities, AnglesFoldAndAreFoundInLongSteps) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::one_link());
  setup.integrator = testing::dopri5(1e-10);
  State start(*setup.model);
  const double rate = 2.0;  // about the centroid of both the joint does not move the bodies apart
  start.qd(0) = rate;
  Frame base, arm;
  arm.body = 1;
  setup.base_mode = BaseMode::fixed;
  const double level = 0.25;
  setup.events = {quantity_event("angle", relative_angle_quantity(base, arm), level),
                  quantity_event("closing", relative_angle_quantity(base, arm), level,
                                 CrossingDirection::falling)};
  const SimulationResult result = testing::simulate(setup, start, 10.0 * kPi);
  const std::vector<double> both = times_of(result.events, "angle");
  ASSERT_EQ(both.size(), 20U);
  EXPECT_EQ(times_of(result.events, "closing").size(), 10U);
  for (int turn = 0; turn < 10; ++turn) {
    const auto i = static_cast<std::size_t>(2 * turn);
    EXPECT_NEAR(both[i], (2.0 * kPi * turn + level) / rate, 1e-10);
    EXPECT_NEAR(both[i + 1], (2.0 * kPi * (turn + 1) - level) / rate, 1e-10);
  }
}

// A torque that jumps over the level counts at its instant, and so does a speed under an impulse.
TEST(Quantities, JumpsOverTheLevelCountAtTheirInstant) {
  SimulationSetup setup = sliding(1.0);
  setup.forces = {std::make_shared<AppliedJointTorque>(
      "push", 1, TimeTable::constant(VectorX::Constant(1, 5.0), 0.3, 0.6))};
  Frame body;
  body.body = 1;
  setup.events = {quantity_event("pushed", joint_effort_quantity(*setup.model, 1), 2.0),
                  quantity_event("fast", joint_velocity_quantity(*setup.model, 1), 2.0,
                                 CrossingDirection::rising),
                  {"kick",
                   time_event(0.7),
                   CrossingDirection::rising,
                   {ImpulseAction{body, {0.0, 0.0, 1.0}, Vector3::Zero()}}}};
  const Records events = fly(setup, 0.0, 1.0).events;
  EXPECT_EQ(times_of(events, "pushed"), (std::vector<double>{0.3, 0.6}));
  // 5 N on 1 kg for 0.3 s, then 1 N s
  ASSERT_EQ(times_of(events, "fast").size(), 1U);
  EXPECT_EQ(times_of(events, "fast"), times_of(events, "kick"));
}

TEST(Sequences, NoteNoCrossingBeforeTheEventThatArmsThem) {
  SimulationSetup setup = sliding();
  setup.events = {wave("wave"), {"go", time_event(2.0), CrossingDirection::both, {}}};
  setup.events[0].after = "go";
  const std::vector<double> times = times_of(fly(setup, 0.0, 8.0).events, "wave");
  ASSERT_EQ(times.size(), 2U);  // at 3π/2 and 5π/2, not at π/2
  EXPECT_NEAR(times[0], 1.5 * kPi, 1e-11);
  EXPECT_NEAR(times[1], 2.5 * kPi, 1e-11);
}

// The impulse takes the velocity over the level: what is armed by it sees the jump.
TEST(Sequences, CountTheJumpOfTheActionsThatArmThem) {
  Frame body;
  body.body = 1;
  SimulationSetup setup = sliding(1.0);
  setup.events = {{"slow", joint_velocity_event(1, 0.5), CrossingDirection::falling, {}},
                  {"kick",
                   time_event(1.0),
                   CrossingDirection::rising,
                   {ImpulseAction{body, {0.0, 0.0, -0.8}, Vector3::Zero()}}}};
  EXPECT_TRUE(times_of(fly(setup, 1.0, 2.0).events, "slow").empty());
  setup.events[0].after = "kick";
  const Records events = fly(setup, 1.0, 2.0).events;
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].name, "kick");
  EXPECT_EQ(events[1].name, "slow");
  EXPECT_EQ(events[0].time, events[1].time);
}

TEST(Sequences, ComeATimeAfterEachTimeOfAnother) {
  SimulationSetup setup = sliding();
  setup.events = {wave("wave"), delayed_event("later", "wave", 4.0),
                  delayed_event("at once", "later", 0.0)};
  const Records events = fly(setup, 0.0, 12.0).events;
  const std::vector<double> waves = times_of(events, "wave");
  const std::vector<double> later = times_of(events, "later");
  ASSERT_EQ(waves.size(), 4U);
  ASSERT_EQ(later.size(), 3U);  // two of them wait at the same time
  for (std::size_t i = 0; i < later.size(); ++i) EXPECT_EQ(later[i], waves[i] + 4.0);
  EXPECT_EQ(times_of(events, "at once"), later);
}

// What is due at the start happens before the first step, and counts in the energy balance.
TEST(Sequences, BeginWithTheRun) {
  Frame body;
  body.body = 1;
  SimulationSetup setup = sliding(1.0);
  setup.events = {delayed_event("kick", "", 0.0), delayed_event("next", "kick", 0.0)};
  setup.events[0].actions = {ImpulseAction{body, {0.0, 0.0, 1.0}, Vector3::Zero()}};
  const SimulationResult result = fly(setup, 0.0, 2.0);
  EXPECT_EQ(times_of(result.events, "kick"), std::vector<double>{0.0});
  EXPECT_EQ(times_of(result.events, "next"), std::vector<double>{0.0});
  EXPECT_NEAR(result.state.q(0), 2.0, 1e-12);
  EXPECT_NEAR(result.integrals.work, 0.5, 1e-14);
}

TEST(Sequences, HappenOnlyWhileAllConditionsHold) {
  SimulationSetup setup = sliding();
  setup.events = {wave("wave")};
  // the body passes 2 m at 2 s and 6 m at 6 s: of π/2, 3π/2, 5π/2 the second is between
  setup.events[0].conditions = {{joint_position_quantity(*setup.model, 1), 2.0, 6.0}};
  const std::vector<double> times = times_of(fly(setup, 1.0, 9.0).events, "wave");
  ASSERT_EQ(times.size(), 1U);
  EXPECT_NEAR(times[0], 1.5 * kPi, 1e-11);
}

// Just before the instant: the impulse of an event at the same instant does not count.
TEST(Sequences, AskTheirConditionsBeforeTheActionsOfTheInstant) {
  Frame body;
  body.body = 1;
  SimulationSetup setup = sliding(1.0);
  setup.events = {{"kick",
                   time_event(1.0),
                   CrossingDirection::rising,
                   {ImpulseAction{body, {0.0, 0.0, 5.0}, Vector3::Zero()}}},
                  delayed_event("follows", "kick", 0.0)};
  setup.events[1].conditions = {{joint_velocity_quantity(*setup.model, 1), -1.0, 1.0}};
  EXPECT_EQ(times_of(fly(setup, 0.5, 2.0).events, "follows").size(), 1U);
  setup.events[1].conditions[0].above = 1.0;
  setup.events[1].conditions[0].below = 9.0;
  EXPECT_TRUE(times_of(fly(setup, 0.5, 2.0).events, "follows").empty());
}

TEST(Sequences, RefuseRingsAndEventsThatAreNotThere) {
  SimulationSetup setup = sliding();
  setup.events = {wave("a"), wave("b", 1.0)};
  setup.events[0].after = "b";
  setup.events[1].after = "a";
  EXPECT_EQ(testing::message_of<DomainError>([&] { Simulator{setup}; }),
            "event 'a' is after itself, by way of 'b'");
  setup.events[1].after = "c";
  EXPECT_EQ(testing::message_of<DomainError>([&] { Simulator{setup}; }),
            "event 'b' is after 'c', which is no event");
  setup.events.resize(1);
  setup.events[0].after.clear();
  setup.awaited = {"d"};
  EXPECT_EQ(testing::message_of<DomainError>([&] { Simulator{setup}; }),
            "something begins at event 'd', which is no event");
}

JointPd::Settings servo(std::shared_ptr<const Reference> reference) {
  JointPd::Settings pd;
  pd.joints = {1};
  pd.stiffness = VectorX::Constant(1, 9.0);
  pd.damping = VectorX::Zero(1);
  pd.reference = std::move(reference);
  return pd;
}

// The same motion, known from the start and begun by an event.
TEST(EventReferences, MoveAsOnesThatAreKnownFromTheStart) {
  const double start = 0.7;
  const auto quintic = [](double from_time) {
    return std::make_shared<QuinticReference>(VectorX::Zero(1), VectorX::Constant(1, 0.4),
                                              from_time, 1.5);
  };
  SimulationSetup known = sliding(1.0), begun = known;
  known.controllers = {std::make_shared<JointPd>("pd", servo(quintic(start)))};
  begun.controllers = {
      std::make_shared<JointPd>("pd", servo(std::make_shared<EventReference>(quintic(0.0), 0)))};
  begun.awaited = {"go"};
  begun.events = {{"go", time_event(start), CrossingDirection::rising, {}}};
  const State a = fly(known, 0.1, 3.0).state, b = fly(begun, 0.1, 3.0).state;
  EXPECT_NEAR(a.q(0), b.q(0), 1e-10);
  EXPECT_NEAR(a.qd(0), b.qd(0), 1e-10);
}

TEST(EventReferences, ImposeTheirMotionFromTheEventOn) {
  SimulationSetup setup = sliding(1.0);
  const QuinticReference quintic(VectorX::Zero(1), VectorX::Constant(1, 0.4), 0.0, 1.5);
  setup.prescribed_joints = {
      {1, std::make_shared<EventReference>(std::make_shared<QuinticReference>(quintic), 0)}};
  setup.awaited = {"go"};
  setup.events = {{"go", time_event(0.7), CrossingDirection::rising, {}}};
  Trajectory trajectory;
  Simulator(setup).run(State(*setup.model), {0.5, 1.2, 3.0}, trajectory);
  EXPECT_EQ(trajectory.points[0].state.q(0), 0.0);
  EXPECT_NEAR(trajectory.points[1].state.q(0), quintic.evaluate(0, 0.5).position, 1e-12);
  EXPECT_EQ(trajectory.points[2].state.q(0), 0.4);
}

TEST(EventReferences, MustNotJumpWhereMotionIsImposed) {
  SimulationSetup setup = sliding(1.0);
  MatrixX rows(1, 2);
  rows << 0.0, 1.0;
  const auto line = std::make_shared<TableReference>(std::vector<double>{0.0, 1.0}, rows,
                                                     TableReference::Interpolation::linear);
  setup.prescribed_joints = {{1, std::make_shared<EventReference>(line, 0)}};
  setup.awaited = {"go"};
  setup.events = {{"go", time_event(0.7), CrossingDirection::rising, {}}};
  EXPECT_NE(testing::message_of<DomainError>([&] {
              fly(setup, 0.0, 1.0);
            }).find("jumps in position or velocity 0 s after its event"),
            std::string::npos);
}

// A force of 3 N on 1.5 kg between 0.5 and 1 s after the event at 0.4 s.
TEST(EventForces, CountTheirTimesFromTheEvent) {
  SimulationSetup setup = sliding(1.5);
  const TimeTable table = TimeTable::constant(VectorX::Constant(1, 3.0), 0.5, 1.0);
  setup.forces = {std::make_shared<AppliedJointTorque>("push", 1, table.starting_at(0))};
  setup.awaited = {"go"};
  setup.events = {{"go", time_event(0.4), CrossingDirection::rising, {}},
                  {"again", time_event(1.6), CrossingDirection::rising, {}}};
  const SimulationResult result = fly(setup, 0.0, 3.0);
  EXPECT_NEAR(result.state.qd(0), 1.0, 1e-11);
  EXPECT_NEAR(result.state.q(0), 0.5 * 2.0 * 0.25 + 1.0 * (3.0 - 1.4), 1e-10);
  setup.events[0].value = time_event(5.0);
  EXPECT_EQ(fly(setup, 0.0, 3.0).state.qd(0), 0.0);
}

// cos(3 t) until the spring changes where it passes zero, at π/6, from 9 to 36 N/m.
TEST(SetActions, ChangeAControllerFromTheirInstantOn) {
  SimulationSetup setup = sliding(1.0);
  setup.controllers = {std::make_shared<JointPd>(
      "pd", servo(std::make_shared<ConstantReference>(VectorX::Zero(1))))};
  const auto stiffer = [](const Controller& now) {
    const auto& pd = dynamic_cast<const JointPd&>(now);
    JointPd::Settings settings = pd.settings();
    settings.stiffness *= 4.0;
    return std::make_shared<JointPd>(pd.name(), settings);
  };
  setup.events = {{"zero",
                   joint_position_event(1, 0.0),
                   CrossingDirection::falling,
                   {SetAction{"pd", stiffer, "stiffness"}}}};
  const double t = 0.8, since = t - kPi / 6.0;
  EXPECT_NEAR(fly(setup, 0.0, t, 1.0).state.q(0), -0.5 * std::sin(6.0 * since), 1e-9);
}

TEST(SetActions, RefuseControllersOfAnotherPeriod) {
  SimulationSetup setup = sliding(1.0);
  setup.controllers = {std::make_shared<JointPd>(
      "pd", servo(std::make_shared<ConstantReference>(VectorX::Zero(1))))};
  const auto sampled = [](const Controller& now) {
    JointPd::Settings settings = dynamic_cast<const JointPd&>(now).settings();
    settings.sample_period = 0.1;
    return std::make_shared<JointPd>("pd", settings);
  };
  setup.events = {
      {"set", time_event(0.5), CrossingDirection::rising, {SetAction{"pd", sampled, "x = 1"}}}};
  EXPECT_EQ(testing::message_of<DomainError>([&] { fly(setup, 0.0, 1.0); }),
            "an event sets 'x = 1' of 'pd', which changes its sizes, its period or its delay");
  setup.events[0].actions = {SetAction{"pid", sampled, ""}};
  EXPECT_EQ(testing::message_of<DomainError>([&] { Simulator{setup}; }),
            "event 'set' switches unknown controller 'pid'");
}

Thruster nozzle(double delay, double shortest, double rise) {
  Thruster thruster;
  thruster.name = "jet";
  thruster.at.body = 0;
  thruster.drive.direction = Vector3::UnitX();
  thruster.drive.force = 4.0;
  thruster.drive.delay = delay;
  thruster.drive.minimum_on_time = shortest;
  thruster.drive.rise_time = thruster.drive.fall_time = rise;
  return thruster;
}

/// Velocity of a body of 2 kg after pulses at some times.
double pulsed(const Thruster& thruster, const std::vector<double>& times, double duration,
              double until = 5.0) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::single_body(2.0, Vector3::Ones()));
  setup.integrator = testing::dopri5(1e-11);
  setup.forces = {std::make_shared<ThrusterForce>("pulses", thruster, std::size_t{0})};
  for (const double time : times) {
    setup.events.push_back({"pulse " + std::to_string(time),
                            time_event(time),
                            CrossingDirection::rising,
                            {PulseAction{0, duration}}});
  }
  return testing::simulate(setup, State(*setup.model), until).state.v_0.x();
}

TEST(PulseActions, OpenAThrusterForTheirTime) {
  EXPECT_NEAR(pulsed(nozzle(0.0, 0.0, 0.0), {1.0}, 0.5), 4.0 * 0.5 / 2.0, 1e-11);
  // no shorter than its minimum on-time, and late
  EXPECT_NEAR(pulsed(nozzle(0.3, 0.8, 0.0), {1.0}, 0.5), 4.0 * 0.8 / 2.0, 1e-11);
  EXPECT_EQ(pulsed(nozzle(0.3, 0.8, 0.0), {1.0}, 0.5, 1.29), 0.0);
  // pulses that overlap are one, others add up
  EXPECT_NEAR(pulsed(nozzle(0.0, 0.0, 0.0), {1.0, 1.2}, 0.5), 4.0 * 0.7 / 2.0, 1e-11);
  EXPECT_NEAR(pulsed(nozzle(0.6, 0.0, 0.0), {1.0, 1.55}, 0.5), 4.0 * 1.0 / 2.0, 1e-11);
}

// A valve that takes 0.2 s to open and to close: trapezoids of the area of the pulse; a second
// pulse that begins at half the fall rises again from there.
TEST(PulseActions, FollowTheRatesOfTheValve) {
  EXPECT_NEAR(pulsed(nozzle(0.0, 0.0, 0.2), {1.0}, 0.5), 4.0 * 0.5 / 2.0, 1e-11);
  const double both = 0.5 * 0.2 + 0.3 + (0.5 * 0.1 + 0.25 * 0.1) +  // on, and down to a half
                      (0.75 * 0.1) + 0.4 + 0.5 * 0.2;               // up from it, on, and down
  EXPECT_NEAR(pulsed(nozzle(0.0, 0.0, 0.2), {1.0, 1.6}, 0.5), 4.0 * both / 2.0, 1e-11);
}

TEST(PulseActions, NeedAForceThatTheyOpen) {
  SimulationSetup setup = sliding(1.0);
  setup.events = {{"pulse", time_event(0.5), CrossingDirection::rising, {PulseAction{0, 1.0}}}};
  EXPECT_EQ(testing::message_of<DomainError>([&] { Simulator{setup}; }),
            "event 'pulse' opens a thruster that no force of events has: slot 0");
}

}  // namespace
}  // namespace spacedyn::sequences_test
