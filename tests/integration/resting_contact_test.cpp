// Joints that come to rest on impulsive stops, and leave them, against closed forms.
#include <cmath>

#include "spacedyn/control/function_controller.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::resting_contact_test {
namespace {

constexpr double kGravity = 9.81, kMass = 2.0;
constexpr double kWeight = kMass * kGravity;

LinkDescription slider(const std::string& name, const std::string& parent) {
  LinkDescription link =
      testing::link_body(name, parent, kMass, Vector3::Ones(), Vector3::Zero(), Vector3::Zero());
  link.joint.type = JointType::prismatic;
  return link;
}

BaseDescription ground() {
  BaseDescription base;
  base.name = "base";
  base.fixed = true;
  return base;
}

Event floor_of(int joint, double restitution) {
  return {"floor",
          joint_position_event(joint, 0.0),
          CrossingDirection::falling,
          {BounceAction{joint, restitution, true}}};
}

/// A ball that can only fall along −z, on a floor at 0.
SimulationSetup ball(double restitution) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(
      ModelBuilder("ball").set_base(ground()).add_link(slider("ball", "base")).build());
  setup.base_mode = BaseMode::fixed;
  setup.gravity = {0.0, 0.0, -kGravity};
  setup.events = {floor_of(1, restitution)};
  setup.integrator = testing::dopri5(1e-10);
  return setup;
}

State at_height(const SimulationSetup& setup, double height) {
  State state(*setup.model);
  state.q(0) = height;
  return state;
}

/// Force on the joint that grows by 10 N/s from 4 s on.
constexpr double kRate = 10.0, kRampStart = 4.0;
void add_ramp(SimulationSetup& setup) {
  const auto push = [](const EvaluationContext& now, VectorRef tau) {
    tau(0) = std::max(0.0, kRate * (now.time - kRampStart));
  };
  setup.controllers.push_back(std::make_shared<FunctionController>("push", 1, push));
}

std::vector<std::string> names(const SimulationResult& result) {
  std::vector<std::string> list;
  for (const EventRecord& event : result.events) list.push_back(event.name);
  return list;
}

TEST(RestingContact, EndsTheBouncesOfABallWhereTheirSumDoes) {
  for (const double restitution : {0.2, 0.5, 0.9}) {
    SCOPED_TRACE(restitution);
    SimulationSetup setup = ball(restitution);
    constexpr double kHeight = 0.1;
    Trajectory trajectory;
    const SimulationResult result =
        Simulator(setup).run(at_height(setup, kHeight), 4.0, 0.5, trajectory);
    ASSERT_GE(result.events.size(), 2U);
    EXPECT_EQ(result.events.back().name, "floor rests");
    const double speed = std::sqrt(2.0 * kGravity * kHeight);
    const double sum = speed / kGravity * (1.0 + 2.0 * restitution / (1.0 - restitution));
    // what is left of the bounces when they lift by less than 2e-10 m
    const double rest = 2.0 * std::sqrt(2.0 * kGravity * 2e-10) / kGravity / (1.0 - restitution);
    EXPECT_LE(result.events.back().time, sum + 1e-9);
    EXPECT_GE(result.events.back().time, sum - rest);
    EXPECT_NEAR(result.state.q(0), 0.0, 1e-15);
    EXPECT_EQ(result.state.qd(0), 0.0);
    EXPECT_NEAR(trajectory.points.back().forces(6), kWeight, 1e-12);
    EXPECT_EQ(trajectory.points.back().acceleration(6), 0.0);
    EXPECT_NEAR(result.integrals.dissipated, kWeight * kHeight, 1e-9);
    EXPECT_LT(result.audit.energy_residual(), 1e-9);
    EXPECT_LT(result.audit.momentum_drift(), 1e-9);
  }
}

class RestBy : public ::testing::TestWithParam<IntegrationMethod> {
 protected:
  SimulationSetup pushed_ball(double restitution) const {
    SimulationSetup setup = ball(restitution);
    setup.integrator = is_adaptive(GetParam()) ? testing::adaptive(GetParam(), 1e-8)
                                               : testing::fixed_step(GetParam(), 0.01);
    if (is_adaptive(GetParam())) setup.integrator.max_step = 0.3;
    add_ramp(setup);
    return setup;
  }
};

TEST_P(RestBy, EndsWhereFloorsPull) {
  const SimulationSetup setup = pushed_ball(0.3);
  constexpr double kEnd = 7.0;
  const SimulationResult result = testing::simulate(setup, at_height(setup, 0.1), kEnd);
  const std::vector<std::string> what = names(result);
  ASSERT_GE(what.size(), 3U);
  EXPECT_EQ(what[what.size() - 2], "floor rests");
  EXPECT_EQ(what.back(), "floor leaves");
  const double leaving = kRampStart + kWeight / kRate;
  EXPECT_NEAR(result.events.back().time, leaving, 2e-12);
  if (GetParam() == IntegrationMethod::euler || GetParam() == IntegrationMethod::euler_rodrigues) {
    return;  // of first order
  }
  const double flown = kEnd - leaving;
  const double exact = kRate * flown * flown * flown / (6.0 * kMass);
  // the methods of order 2 at steps of 10 ms
  EXPECT_NEAR(result.state.q(0), exact, 1e-4);
  EXPECT_LT(result.audit.momentum_drift(), 1e-4);
}

TEST_P(RestBy, ContinuesBitForBit) {
  const SimulationSetup setup = pushed_ball(0.4);
  class Keeper final : public Trajectory {
   public:
    bool wants_checkpoint() override { return true; }
    void on_checkpoint(const Checkpoint& checkpoint) override { checkpoints.push_back(checkpoint); }
    std::vector<Checkpoint> checkpoints;
  } whole;
  const SimulationResult expected = Simulator(setup).run(at_height(setup, 0.1), 7.0, 0.1, whole);
  int resting = 0;
  const std::size_t stride = std::max<std::size_t>(1, whole.checkpoints.size() / 12);
  for (std::size_t i = 0; i < whole.checkpoints.size(); i += stride) {
    const Checkpoint& checkpoint = whole.checkpoints[i];
    resting += checkpoint.time > 1.0 && checkpoint.time < 5.9 ? 1 : 0;
    Trajectory rest;
    const SimulationResult result = Simulator(setup).resume(checkpoint, rest);
    EXPECT_EQ(result.state.q, expected.state.q);
    EXPECT_EQ(result.state.qd, expected.state.qd);
    EXPECT_EQ(result.integrals.dissipated, expected.integrals.dissipated);
    EXPECT_EQ(result.statistics.evaluations, expected.statistics.evaluations);
    EXPECT_EQ(names(result), names(expected));
    EXPECT_EQ(result.events.back().time, expected.events.back().time);
    if (!rest.points.empty()) {
      EXPECT_EQ(rest.points.back().forces, whole.points.back().forces);
    }
  }
  EXPECT_GE(resting, 1);
}

std::vector<IntegrationMethod> locking_methods() {
  std::vector<IntegrationMethod> methods = all_integration_methods();
  methods.erase(std::find(methods.begin(), methods.end(), IntegrationMethod::variational));
  return methods;
}

INSTANTIATE_TEST_SUITE_P(Methods, RestBy, ::testing::ValuesIn(locking_methods()),
                         [](const auto& method) { return std::string(to_string(method.param)); });

TEST(RestingContact, WithoutRestitutionStaysUntilASwitch) {
  for (const double period : {0.0, 0.01}) {
    SimulationSetup setup = ball(0.0);
    constexpr double kForce = 30.0;
    const auto push = [](const EvaluationContext& now, VectorRef tau) {
      tau(0) = now.time < 0.995 ? 0.0 : kForce;
    };
    setup.controllers = {std::make_shared<FunctionController>("push", 1, push, period)};
    setup.events.push_back(
        {"off", time_event(1e-9), CrossingDirection::rising, {SwitchAction{"push", false}}});
    setup.events.push_back(
        {"on", time_event(1.0), CrossingDirection::rising, {SwitchAction{"push", true}}});
    const SimulationResult result = testing::simulate(setup, at_height(setup, 0.1), 1.5);
    EXPECT_EQ(names(result),
              (std::vector<std::string>{"off", "floor", "floor rests", "on", "floor leaves"}));
    EXPECT_NEAR(result.events[2].time, std::sqrt(0.2 / kGravity), 1e-11);
    // a sampled controller that is switched on commands at its next sample
    EXPECT_NEAR(result.events[4].time, 1.0 + period, 2e-12);
    const double flown = 0.5 - period;
    EXPECT_NEAR(result.state.q(0), 0.5 * flown * flown * (kForce / kMass - kGravity), 1e-9);
    EXPECT_LT(result.audit.energy_residual(), 1e-9);
  }
}

TEST(RestingContact, BeginsAtOnceOnAStopThatAJointStartsOn) {
  SimulationSetup setup = ball(0.5);
  add_ramp(setup);
  SimulationResult result = testing::simulate(setup, at_height(setup, 0.0), 6.5);
  EXPECT_EQ(names(result), (std::vector<std::string>{"floor rests", "floor leaves"}));
  EXPECT_EQ(result.events[0].time, 0.0);
  EXPECT_NEAR(result.events[1].time, kRampStart + kWeight / kRate, 2e-12);
  // from below the other way round, at a position that has roundings
  setup.gravity = {0.0, 0.0, kGravity};
  setup.controllers.clear();
  setup.events = {{"ceiling",
                   joint_position_event(1, 0.7),
                   CrossingDirection::rising,
                   {BounceAction{1, 0.5, true}}}};
  result = testing::simulate(setup, at_height(setup, 0.7), 2.0);
  EXPECT_EQ(names(result), std::vector<std::string>{"ceiling rests"});
  EXPECT_NEAR(result.state.q(0), 0.7, 1e-15);
  State fast = at_height(setup, 0.7);
  fast.qd(0) = 1.0;
  result = testing::simulate(setup, fast, 2.0);
  EXPECT_EQ(names(result).front(), "ceiling");
  EXPECT_NEAR(result.events.front().time, 0.0, 1e-11);
  EXPECT_EQ(names(result).back(), "ceiling rests");
  EXPECT_NEAR(result.events.back().time, 2.0 * 0.5 / (0.5 * kGravity), 1e-4);
}

TEST(RestingContact, PreservesTheMomentumOfAFloatingBase) {
  constexpr double kForce = -3.0;
  SimulationSetup setup;
  setup.model =
      std::make_shared<const Model>(ModelBuilder("sled")
                                        .set_base(testing::base_body(4.0, {1.0, 1.0, 1.0}))
                                        .add_link(slider("slider", "base"))
                                        .build());
  setup.events = {floor_of(1, 0.6)};
  setup.forces = {std::make_shared<AppliedJointTorque>(
      "load", 1, TimeTable::constant(VectorX::Constant(1, kForce)))};
  setup.integrator = testing::dopri5(1e-11);
  State start = at_height(setup, 0.3);
  start.v_0 = {0.1, 0.2, -0.3};
  Trajectory trajectory;
  const SimulationResult result = Simulator(setup).run(start, 6.0, 1.0, trajectory);
  EXPECT_EQ(result.events.back().name, "floor rests");
  EXPECT_LT((result.final_momentum.linear - 6.0 * start.v_0).norm(), 1e-13);
  EXPECT_LT((result.state.v_0 - start.v_0).norm(), 1e-13);
  // the stop takes the whole load
  EXPECT_NEAR(trajectory.points.back().forces(6), 0.0, 1e-12);
  EXPECT_LT(result.audit.momentum_drift(), 1e-13);
  EXPECT_NEAR(result.integrals.work, -kForce * 0.3, 1e-9);
  EXPECT_NEAR(result.integrals.dissipated, -kForce * 0.3, 1e-9);
}

TEST(RestingContact, OfAnElbowEndsWhereItsReactionChangesSign) {
  // joint 1 follows a quintic, the elbow rests on a lower stop at q_2 = 0.5 rad:
  // τ_2 = (I + m c² + m l c cos q_2) q̈_1 + m l c sin q_2 q̇_1²
  constexpr double kElbow = 0.5, kAngle = 1.0, kDuration = 2.0;
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::planar_two_link());
  setup.base_mode = BaseMode::fixed;
  setup.prescribed_joints = {
      {1, std::make_shared<QuinticReference>(VectorX::Zero(1), VectorX::Constant(1, kAngle), 0.0,
                                             kDuration)}};
  setup.events = {{"stop",
                   joint_position_event(2, kElbow),
                   CrossingDirection::falling,
                   {BounceAction{2, 0.5, true}}}};
  setup.integrator = testing::dopri5(1e-11);
  setup.integrator.max_step = 0.02;  // while nothing is free, nothing else limits the step
  State start(*setup.model);
  start.q(1) = kElbow;
  const auto torque = [&](double time) {
    const ReferenceValue motion = setup.prescribed_joints[0].reference->evaluate(0, time);
    const double m = 10.0, c = 0.5, l = 1.0, inertia = 1.0;
    return (inertia + m * c * c + m * l * c * std::cos(kElbow)) * motion.acceleration +
           m * l * c * std::sin(kElbow) * motion.velocity * motion.velocity;
  };
  double left = 0.5 * kDuration, right = 0.9 * kDuration;
  ASSERT_TRUE(torque(left) > 0.0 && torque(right) < 0.0);
  while (right - left > 1e-14)
    (torque(0.5 * (left + right)) > 0.0 ? left : right) = 0.5 * (left + right);

  Trajectory trajectory;
  const SimulationResult result = Simulator(setup).run(start, kDuration, 0.1, trajectory);
  EXPECT_EQ(names(result), (std::vector<std::string>{"stop rests", "stop leaves"}));
  EXPECT_NEAR(result.events[1].time, left, 2e-12);
  for (const TrajectoryPoint& sample : trajectory.points) {
    if (sample.time > left) continue;
    EXPECT_NEAR(sample.forces(7), torque(sample.time), 1e-12);
    EXPECT_NEAR(sample.state.q(1), kElbow, 1e-15);
  }
  EXPECT_GT(result.state.q(1), kElbow + 1e-3);
  EXPECT_LT(result.audit.energy_residual(), 1e-9);
}

/// Two weights one upon the other, both at rest.
SimulationSetup stack() {
  SimulationSetup setup = ball(0.0);
  setup.model = std::make_shared<const Model>(ModelBuilder("stack")
                                                  .set_base(ground())
                                                  .add_link(slider("lower", "base"))
                                                  .add_link(slider("upper", "lower"))
                                                  .build());
  setup.events.push_back(floor_of(2, 0.0));
  setup.events.back().name = "lid";
  return setup;
}

TEST(RestingContact, IsLeftByAnImpulseThatLifts) {
  constexpr double kImpulse = 4.0, kStrike = 0.5;
  const auto strike = [&](int body, double impulse) {
    SimulationSetup setup = stack();
    Frame at;
    at.body = body;
    setup.events.push_back({"strike",
                            time_event(kStrike),
                            CrossingDirection::rising,
                            {ImpulseAction{at, {0.0, 0.0, impulse}, Vector3::Zero()}}});
    return testing::simulate(setup, State(*setup.model), kStrike + 1e-3);
  };
  // the upper one alone flies
  SimulationResult result = strike(2, kImpulse);
  EXPECT_EQ(names(result),
            (std::vector<std::string>{"floor rests", "lid rests", "strike", "lid leaves"}));
  EXPECT_EQ(result.state.qd(0), 0.0);
  EXPECT_NEAR(result.state.qd(1), kImpulse / kMass - 1e-3 * kGravity, 1e-12);
  EXPECT_LT(result.audit.momentum_drift(), 1e-12);
  EXPECT_LT(result.audit.energy_residual(), 1e-12);
  // the lower one takes the upper one along
  result = strike(1, kImpulse);
  EXPECT_EQ(names(result).back(), "floor leaves");
  EXPECT_NEAR(result.state.qd(0), kImpulse / (2.0 * kMass) - 1e-3 * kGravity, 1e-12);
  EXPECT_NEAR(result.state.qd(1), 0.0, 1e-12);
  // the floor takes what presses
  for (const int body : {1, 2}) {
    result = strike(body, -kImpulse);
    EXPECT_EQ(names(result), (std::vector<std::string>{"floor rests", "lid rests", "strike"}));
    EXPECT_TRUE(result.state.qd.isZero(0.0));
    EXPECT_LT(result.audit.momentum_drift(), 1e-12);
  }
}

TEST(RestingContact, OfSeveralJointsEndsForThoseThatArePulled) {
  // the upper one is drawn up by a force from the lower one, which is pressed down by it
  SimulationSetup setup = stack();
  const auto push = [](const EvaluationContext&, VectorRef tau) { tau(1) = 50.0; };
  setup.controllers = {std::make_shared<FunctionController>("push", 2, push)};
  setup.events.push_back(
      {"off", time_event(1e-9), CrossingDirection::rising, {SwitchAction{"push", false}}});
  setup.events.push_back(
      {"on", time_event(1.0), CrossingDirection::rising, {SwitchAction{"push", true}}});
  Trajectory trajectory;
  const SimulationResult result = Simulator(setup).run(State(*setup.model), 1.2, 1.1, trajectory);
  EXPECT_EQ(result.events.back().name, "lid leaves");
  EXPECT_EQ(result.state.q(0), 0.0);
  EXPECT_NEAR(trajectory.points.back().forces(6), kWeight + 50.0, 1e-11);
  EXPECT_NEAR(result.state.qd(1), 0.2 * (50.0 / kMass - kGravity), 1e-7);
}

TEST(RestingContact, MayBeLockedAndReleased) {
  SimulationSetup setup = ball(0.0);
  add_ramp(setup);
  setup.events.push_back({"hold", time_event(1.0), CrossingDirection::rising, {LockAction{1}}});
  SimulationResult result = testing::simulate(setup, at_height(setup, 0.1), 7.0);
  EXPECT_EQ(result.state.qd(0), 0.0);  // locked, it does not leave
  setup.events.push_back({"go", time_event(6.5), CrossingDirection::rising, {ReleaseAction{1}}});
  result = testing::simulate(setup, at_height(setup, 0.1), 7.0);
  EXPECT_EQ(result.events.back().name, "floor leaves");
  EXPECT_EQ(result.events.back().time, result.events[result.events.size() - 2].time);
  const double excess = kRate * 2.5 - kWeight;
  EXPECT_NEAR(result.state.qd(0), (excess * 0.5 + 0.5 * kRate * 0.25) / kMass, 1e-9);
  // released while it is pressed, it stays on the floor
  setup.events.back().value = time_event(2.0);
  result = testing::simulate(setup, at_height(setup, 0.1), 7.0);
  EXPECT_NEAR(result.events.back().time, kRampStart + kWeight / kRate, 2e-12);
  // a release alone does not end a rest
  setup.events.erase(setup.events.begin() + 1);
  result = testing::simulate(setup, at_height(setup, 0.1), 3.0);
  EXPECT_EQ(names(result), (std::vector<std::string>{"floor", "floor rests", "go"}));
  EXPECT_NEAR(result.state.q(0), 0.0, 1e-15);
}

TEST(RestingContact, IsNotForTheVariationalMethod) {
  SimulationSetup setup = ball(0.5);
  setup.integrator = testing::fixed_step(IntegrationMethod::variational, 0.01);
  EXPECT_THAT(testing::message_of<NumericalError>(
                  [&] { testing::simulate(setup, at_height(setup, 0.1), 5.0); }),
              ::testing::HasSubstr("event 'floor' chatters"));
}

TEST(RestingContact, NeedsADirection) {
  SimulationSetup setup = ball(0.5);
  setup.events[0].direction = CrossingDirection::both;
  EXPECT_EQ(testing::message_of<DomainError>([&] { Simulator{setup}; }),
            "event 'floor' needs a direction, rising or falling, for a joint to rest on its stop");
}

}  // namespace
}  // namespace spacedyn::resting_contact_test
