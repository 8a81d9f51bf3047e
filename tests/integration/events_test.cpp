#include <cmath>

#include "spacedyn/control/function_controller.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/impulse.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"
#include "support/slider.hpp"
#include "support/small_models.hpp"

namespace spacedyn::events_test {
namespace {

constexpr double kGravity = 9.81;

IntegratorOptions usual(IntegrationMethod method) {
  return is_adaptive(method) ? testing::adaptive(method, 1e-9) : testing::fixed_step(method, 0.01);
}

/// A slider on a fixed base, falling along −z.
SimulationSetup falling_slider() {
  SimulationSetup setup = testing::slider_setup("fall", 2.0);
  setup.gravity = {0.0, 0.0, -kGravity};
  setup.integrator = testing::dopri5(1e-10);
  return setup;
}

State at_height(const Model& model, double height) {
  State state(model);
  state.q(0) = height;
  return state;
}

class EventTime : public ::testing::TestWithParam<IntegrationMethod> {};

TEST_P(EventTime, IsTheRoot) {
  SimulationSetup setup = falling_slider();
  setup.integrator = usual(GetParam());
  setup.events = {{"ground", joint_position_event(1, 0.0), CrossingDirection::falling, {}},
                  {"alarm", time_event(0.3), CrossingDirection::rising, {StopAction{}}}};
  const SimulationResult result = testing::simulate(setup, at_height(*setup.model, 0.2), 1.0);
  ASSERT_EQ(result.events.size(), 2U);
  EXPECT_EQ(result.events[0].name, "ground");
  EXPECT_EQ(result.stopped_by, "alarm");
  EXPECT_FALSE(result.interrupted);
  EXPECT_NEAR(result.time, 0.3, 1e-12);
  // parabolas are exact for every method of order two and more
  if (GetParam() == IntegrationMethod::euler || GetParam() == IntegrationMethod::euler_rodrigues) {
    return;
  }
  EXPECT_NEAR(result.events[0].time, std::sqrt(2.0 * 0.2 / kGravity), 1e-12);
  EXPECT_NEAR(result.state.q(0), 0.2 - 0.5 * kGravity * 0.09, 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Methods, EventTime, ::testing::ValuesIn(all_integration_methods()),
                         [](const auto& instance) {
                           return std::string(to_string(instance.param));
                         });

TEST(Events, AreShownInOutputsAsTheyAreAtTheirInstant) {
  SimulationSetup setup = falling_slider();
  setup.events = {{"alarm", time_event(0.25), CrossingDirection::rising, {}}};
  Trajectory trajectory;
  Simulator(setup).run(at_height(*setup.model, 0.5), {0.25, 0.3}, trajectory);
  const TrajectoryPoint& sample = trajectory.points.at(0);
  EXPECT_NEAR(sample.state.q(0), 0.5 - 0.5 * kGravity * 0.25 * 0.25, 1e-13);
  EXPECT_NEAR(sample.state.qd(0), -kGravity * 0.25, 1e-13);
}

TEST(Events, CountOnlyTheDirectionAskedFor) {
  for (const auto& [direction, expected] :
       {std::pair{CrossingDirection::rising, 1U}, std::pair{CrossingDirection::falling, 2U},
        std::pair{CrossingDirection::both, 3U}}) {
    SimulationSetup setup = falling_slider();
    setup.gravity.setZero();
    setup.integrator.max_step = 1.0;  // so that no quarter of a step has two zeros
    setup.events = {
        {"wave", [](const EvaluationContext& now) { return std::cos(now.time); }, direction, {}}};
    EXPECT_EQ(testing::simulate(setup, State(*setup.model), 8.0).events.size(), expected);
  }
}

TEST(Events, HappenOnceWhereRoundingsHoldZero) {
  // a slider so slow that its position keeps each number for 14 ps and more
  for (const double velocity : {-1e-6, -1e-9, 1e-6, 1e-9}) {
    SCOPED_TRACE(velocity);
    SimulationSetup setup = falling_slider();
    setup.gravity.setZero();
    setup.events = {{"pass", joint_position_event(1, 0.1), CrossingDirection::both, {}}};
    State state = at_height(*setup.model, 0.1 - velocity);
    state.qd(0) = velocity;
    const SimulationResult result = testing::simulate(setup, state, 3.0);
    ASSERT_EQ(result.events.size(), 1U);
    EXPECT_NEAR(result.events[0].time, 1.0, 1e-16 / std::abs(velocity));
  }
}

TEST(Events, AreSeenInsideTheLongStepsOfDop853) {
  SimulationSetup setup = falling_slider();
  setup.gravity.setZero();
  setup.integrator = testing::adaptive(IntegrationMethod::dop853, 1e-9);
  setup.integrator.max_step = 2.0;  // five zeros lie inside
  setup.events = {{"wave",
                   [](const EvaluationContext& now) { return std::cos(8.0 * now.time); },
                   CrossingDirection::both,
                   {}}};
  const SimulationResult result = testing::simulate(setup, State(*setup.model), 8.0);
  ASSERT_EQ(result.events.size(), 20U);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_NEAR(result.events[i].time, (static_cast<double>(i) + 0.5) * std::acos(-1.0) / 8.0,
                1e-11)
        << i;
  }
}

TEST(Events, AtOneInstantAllHappenInTheirOrder) {
  SimulationSetup setup = falling_slider();
  setup.events = {{"second", time_event(0.25), CrossingDirection::both, {}},
                  {"later", time_event(0.2500001), CrossingDirection::both, {}},
                  {"third", time_event(0.25), CrossingDirection::both, {}}};
  const SimulationResult result = testing::simulate(setup, State(*setup.model), 1.0);
  ASSERT_EQ(result.events.size(), 3U);
  EXPECT_EQ(result.events[0].name, "second");
  EXPECT_EQ(result.events[1].name, "third");
  EXPECT_EQ(result.events[1].time, result.events[0].time);
  EXPECT_EQ(result.events[2].name, "later");
}

TEST(Events, BounceAtTheTimesOfABouncingBall) {
  SimulationSetup setup = falling_slider();
  constexpr double kRestitution = 0.8;
  setup.events = {{"ground",
                   joint_position_event(1, 0.0),
                   CrossingDirection::falling,
                   {BounceAction{1, kRestitution}}}};
  const SimulationResult result = testing::simulate(setup, at_height(*setup.model, 1.0), 3.0);
  double speed = std::sqrt(2.0 * kGravity);
  double time = speed / kGravity;
  ASSERT_GE(result.events.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(result.events[i].time, time, 1e-10) << i;
    speed *= kRestitution;
    time += 2.0 * speed / kGravity;
  }
  EXPECT_LT(result.audit.energy_residual(), 1e-9);  // what a bounce takes is counted as dissipated
  EXPECT_LT(result.audit.momentum_drift(), 1e-9);   // and the ground's impulse as external
}

TEST(Events, ThatHappenEverFasterStopTheRunWithAName) {
  SimulationSetup setup = falling_slider();
  setup.events = {
      {"ground", joint_position_event(1, 0.0), CrossingDirection::falling, {BounceAction{1, 0.5}}}};
  try {
    testing::simulate(setup, at_height(*setup.model, 1.0), 10.0);
    FAIL() << "a ball came to rest in no time";
  } catch (const NumericalError& error) {
    EXPECT_NE(std::string(error.what()).find("event 'ground' chatters"), std::string::npos)
        << error.what();
    // the bounces accumulate at t_1 (1 + e) / (1 − e)
    EXPECT_NEAR(error.time(), 3.0 * std::sqrt(2.0 / kGravity), 1e-6);
  }
}

TEST(Events, LockAndReleaseAJointWithoutLosingMomentum) {
  testing::RandomModels random(21);
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(random.model(testing::TreeShape{4, 2, 0.3, true}));
  setup.integrator = testing::dopri5(1e-11);
  setup.events = {{"lock", time_event(0.5), CrossingDirection::rising, {LockAction{2}}},
                  {"release", time_event(1.0), CrossingDirection::rising, {ReleaseAction{2}}}};
  Trajectory trajectory;
  const SimulationResult result =
      Simulator(setup).run(random.state(*setup.model), 1.5, 0.01, trajectory);
  double locked_at = 0.0;
  for (const TrajectoryPoint& sample : trajectory.points) {
    if (sample.time > 0.505 && sample.time < 0.515) locked_at = sample.state.q(1);
    if (sample.time < 0.515 || sample.time > 0.995) continue;
    EXPECT_EQ(sample.state.q(1), locked_at) << sample.time;
    EXPECT_EQ(sample.state.qd(1), 0.0) << sample.time;
  }
  EXPECT_GT(std::abs(result.state.q(1) - locked_at), 1e-4);  // it moves again
  EXPECT_GT(result.integrals.dissipated, 1e-6);
  EXPECT_LT(result.audit.momentum_drift(), 1e-10);
  EXPECT_LT(result.audit.energy_residual(), 1e-9);
}

/// Against the response computed through the generalized Jacobian, another path to the same jump.
TEST(Events, ImpulsesChangeVelocitiesAsTheImpulseResponseSays) {
  testing::RandomModels random(22);
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(random.model(testing::TreeShape{4, 2, 0.3, true}));
  setup.integrator = testing::dopri5(1e-12);
  State initial = random.state(*setup.model);
  initial.v_0.setZero();
  initial.omega_0.setZero();
  initial.qd.setZero();
  const Frame hand = setup.model->frame("hand");
  const Vector6 impulse = (Vector6() << 1.0, -0.5, 0.3, 0.2, 0.1, -0.4).finished();
  setup.events = {{"strike",
                   time_event(0.5),
                   CrossingDirection::rising,
                   {ImpulseAction{hand, impulse.head<3>(), impulse.tail<3>()}, StopAction{}}}};
  const SimulationResult result = testing::simulate(setup, initial, 1.0);
  const VectorX expected =
      impulse_response(*setup.model, initial, hand).velocity_per_impulse * impulse;
  EXPECT_LT((result.state.velocity() - expected).norm(), 1e-12 * expected.norm());
  EXPECT_LT(result.audit.momentum_drift(), 1e-12);
}

TEST(Events, SwitchControllersOffAndOn) {
  SimulationSetup setup = falling_slider();
  setup.gravity.setZero();
  setup.controllers = {std::make_shared<FunctionController>(
      "push", 1, [](const EvaluationContext&, VectorRef tau) { tau(0) = 2.0; })};
  setup.events = {
      {"off", time_event(1.0), CrossingDirection::rising, {SwitchAction{"push", false}}},
      {"on", time_event(2.0), CrossingDirection::rising, {SwitchAction{"push", true}}}};
  const State end = testing::simulate(setup, State(*setup.model), 3.0).state;
  EXPECT_NEAR(end.qd(0), 2.0, 1e-11);  // 1 m/s² for two of three seconds
  EXPECT_NEAR(end.q(0), 0.5 + 1.0 + 1.5, 1e-11);
}

std::string message_of(SimulationSetup setup, const Event& event) {
  setup.events = {event};
  try {
    const Simulator simulator(setup);
  } catch (const DomainError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Events, RefuseWhatCannotBe) {
  const SimulationSetup setup = falling_slider();
  const auto event = [](EventAction action) {
    return Event{"e", time_event(1.0), CrossingDirection::both, {std::move(action)}};
  };
  EXPECT_EQ(message_of(setup, {"e", nullptr, CrossingDirection::both, {}}),
            "event 'e' has no root function");
  EXPECT_EQ(message_of(setup, event(LockAction{2})),
            "event 'e' acts on joint 2, but model 'fall' has joints 1 to 1");
  EXPECT_EQ(message_of(setup, event(BounceAction{1, 1.5})),
            "the restitution of event 'e' must lie between 0 and 1");
  EXPECT_EQ(message_of(setup, event(SwitchAction{"x", true})),
            "event 'e' switches unknown controller 'x'");
  SimulationSetup other = setup;
  other.integrator = testing::fixed_step(IntegrationMethod::variational, 0.1);
  EXPECT_EQ(message_of(other, event(LockAction{1})),
            "event 'e' locks a joint, which the variational method cannot do");
  other = setup;
  other.prescribed_joints = {{1, std::make_shared<ConstantReference>(VectorX::Zero(1))}};
  EXPECT_EQ(message_of(other, event(ReleaseAction{1})),
            "event 'e' acts on joint 'slider', whose motion is prescribed");
}

TEST(Events, OutputsAtTheirInstantShowTheStateThen) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::single_body(4.0, {1.0, 1.0, 1.0}));
  setup.events = {{"noon", time_event(0.5), CrossingDirection::rising, {}}};
  State start(*setup.model);
  start.v_0 = {2.0, 0.0, 0.0};
  Trajectory flight;
  Simulator(setup).run(start, 1.0, 0.5, flight);
  ASSERT_EQ(flight.points.size(), 3U);
  EXPECT_NEAR(flight.points[1].state.r_0.x(), 1.0, 1e-15);
}

}  // namespace
}  // namespace spacedyn::events_test
