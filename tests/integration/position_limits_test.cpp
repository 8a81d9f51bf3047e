// Joints that pass their position limits: noted without a change of the motion, or stopped.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/control/reference.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/joint_stop.hpp"
#include "spacedyn/integration/position_stops.hpp"
#include "spacedyn/math/constants.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::position_limits_test {
namespace {

using ::testing::ThrowsMessage;

constexpr double kOmega = 3.0;  // rad/s

/// A slide of 2 kg on a wall, perhaps on a spring of frequency kOmega, limits at ±0.5 m.
SimulationSetup slide(bool sprung, IntegrationMethod method = IntegrationMethod::dop853) {
  BaseDescription wall;
  wall.name = "wall";
  wall.fixed = true;
  LinkDescription link = link_body("slide", "wall", 2.0, {1, 1, 1}, {0, 0, 0}, {0, 0, 0});
  link.joint.type = JointType::prismatic;
  link.joint.position_lower = -0.5;
  link.joint.position_upper = 0.5;
  if (sprung) link.joint.stiffness = 2.0 * kOmega * kOmega;
  SimulationSetup setup;
  setup.model =
      std::make_shared<const Model>(ModelBuilder("slide").set_base(wall).add_link(link).build());
  setup.base_mode = BaseMode::fixed;
  setup.integrator = is_adaptive(method) ? adaptive(method, 1e-9) : fixed_step(method, 0.01);
  return setup;
}

State moving(const SimulationSetup& setup, double q, double qd) {
  State state(*setup.model);
  state.q(0) = q;
  state.qd(0) = qd;
  return state;
}

class PassedLimits : public ::testing::TestWithParam<IntegrationMethod> {};

TEST_P(PassedLimits, AreNotedOnce) {
  const SimulationSetup setup = slide(true, GetParam());
  // q = cos ωt: beyond −0.5 from 2π/3 to 4π/3 of each turn, beyond 0.5 in the last sixth and on
  const SimulationResult result = simulate(setup, moving(setup, 1.0, 0.0), 4.4 * kPi / kOmega);
  const std::vector<double> phases{2.0 / 3, 5.0 / 3, 8.0 / 3, 11.0 / 3};
  ASSERT_EQ(result.events.size(), phases.size());
  // the error of the motion itself: methods of order 2 lag by (ω h)²/12 of the phase
  const double tolerance = is_adaptive(GetParam()) ? 3e-7 : 6e-4;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    EXPECT_NEAR(result.events[i].time, phases[i] * kPi / kOmega, tolerance);
    EXPECT_EQ(result.events[i].name,
              i % 2 == 0 ? "slide passes its lower limit" : "slide passes its upper limit");
    EXPECT_TRUE(result.events[i].is_warning);
  }
}

TEST_P(PassedLimits, LeaveTheMotion) {
  SimulationSetup setup = slide(true, GetParam());
  const State start = moving(setup, 1.0, 0.3);
  const SimulationResult watched = simulate(setup, start, 5.0);
  setup.warn_at_position_limits = false;
  const SimulationResult plain = simulate(setup, start, 5.0);
  EXPECT_FALSE(watched.events.empty());
  EXPECT_TRUE(plain.events.empty());
  EXPECT_EQ(watched.state.q(0), plain.state.q(0));
  EXPECT_EQ(watched.state.qd(0), plain.state.qd(0));
  EXPECT_EQ(watched.audit.energy_residual(), plain.audit.energy_residual());
  EXPECT_EQ(watched.statistics.steps, plain.statistics.steps);
  EXPECT_EQ(watched.statistics.evaluations, plain.statistics.evaluations);
}

INSTANTIATE_TEST_SUITE_P(Method, PassedLimits,
                         ::testing::Values(IntegrationMethod::dop853, IntegrationMethod::dopri5,
                                           IntegrationMethod::fehlberg78,
                                           IntegrationMethod::bulirsch_stoer,
                                           IntegrationMethod::rodas, IntegrationMethod::rk4,
                                           IntegrationMethod::adams_bashforth_moulton,
                                           IntegrationMethod::variational,
                                           IntegrationMethod::newmark),
                         [](const auto& method) { return std::string(to_string(method.param)); });

TEST(PositionLimits, AreFoundInsideOneLongStep) {
  SimulationSetup setup = slide(false);
  // nothing acts: a few steps for the whole flight
  const SimulationResult result = simulate(setup, moving(setup, 0.0, 0.01), 1000.0);
  EXPECT_LT(result.statistics.steps, 60);
  ASSERT_EQ(result.events.size(), 1u);
  EXPECT_NEAR(result.events[0].time, 50.0, 1e-8);
}

TEST(PositionLimits, BeyondWhichAJointStartsAreNotedLater) {
  const SimulationSetup setup = slide(true);
  const SimulationResult result = simulate(setup, moving(setup, 0.6, 0.0), 1.8 * kPi / kOmega);
  ASSERT_EQ(result.events.size(), 1u);
  EXPECT_EQ(result.events[0].name, "slide passes its lower limit");
}

TEST(PositionLimits, OfAJointThatIsImposedAreNotedToo) {
  SimulationSetup setup = slide(false);
  setup.prescribed_joints = {
      {1, std::make_shared<QuinticReference>(VectorX::Zero(1), VectorX::Ones(1), 0.0, 2.0)}};
  const SimulationResult result = simulate(setup, State(*setup.model), 3.0);
  ASSERT_EQ(result.events.size(), 1u);
  EXPECT_NEAR(result.events[0].time, 1.0, 1e-9);  // half way
}

TEST(PositionLimits, AtWhichStopsStandAreNotPassed) {
  SimulationSetup compliant = slide(false);
  add_compliant_stops(compliant, 1000.0, 5.0);
  ASSERT_EQ(compliant.forces.size(), 1u);
  EXPECT_EQ(compliant.forces[0]->name(), "slide limit");
  const auto& stop = dynamic_cast<const JointStop&>(*compliant.forces[0]).settings();
  EXPECT_EQ(stop.lower, -0.5);
  EXPECT_EQ(stop.upper, 0.5);
  const SimulationResult pushed = simulate(compliant, moving(compliant, 0.0, 1.0), 2.0);
  for (const EventRecord& event : pushed.events) EXPECT_FALSE(event.is_warning) << event.name;
  EXPECT_EQ(pushed.events.front().name, "slide limit upper");
  EXPECT_LT(pushed.state.q(0), 0.5);

  SimulationSetup rigid = slide(false);
  add_impulsive_stops(rigid, 0.5);
  const SimulationResult bounced = simulate(rigid, moving(rigid, 0.0, 1.0), 1.0);
  ASSERT_EQ(bounced.events.size(), 1u);
  EXPECT_EQ(bounced.events[0].name, "slide limit upper");
  EXPECT_NEAR(bounced.events[0].time, 0.5, 1e-11);
  EXPECT_NEAR(bounced.state.q(0), 0.25, 1e-9);
  EXPECT_NEAR(bounced.integrals.dissipated, 0.75, 1e-11);  // ½ m v² (1 − e²)
}

TEST(PositionLimits, BehindWhichAStopStandsAreNoted) {
  SimulationSetup setup = slide(false);
  setup.forces = {
      std::make_shared<JointStop>("far", JointStop::Settings{1, -1.0, 1.0, 100.0, 0.0})};
  EXPECT_TRUE(joints_without_stops(setup).empty());
  const SimulationResult result = simulate(setup, moving(setup, 0.0, 1.0), 1.2);
  ASSERT_EQ(result.events.size(), 2u);
  EXPECT_NEAR(result.events[0].time, 0.5, 1e-9);
  EXPECT_TRUE(result.events[0].is_warning);
  EXPECT_EQ(result.events[1].name, "far upper");
}

TEST(PositionStops, AddedByHandHaveTheirOwnEvents) {
  // as a file's: steps end at contact, or the jump of the damper would spoil the order
  SimulationSetup setup = slide(false);
  setup.warn_at_position_limits = false;
  setup.forces = {
      std::make_shared<JointStop>("wall", JointStop::Settings{1, -0.25, 0.25, 400.0, 10.0})};
  const std::vector<Event> events = all_events(setup);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].name, "wall lower");
  const SimulationResult result = simulate(setup, moving(setup, 0.0, 1.0), 0.75);
  ASSERT_EQ(result.events.size(), 2u);
  EXPECT_EQ(result.events[0].name, "wall upper");
  EXPECT_NEAR(result.events[0].time, 0.25, 1e-12);
  // half a damped period for which the stop pushes, then off at constant speed
  EXPECT_EQ(result.events[1].name, "wall upper");
  EXPECT_LE(result.audit.energy_residual(), 1e-8);  // ten times the tolerance

  setup.events = {{"wall upper", joint_position_event(1, 0.25), CrossingDirection::rising, {}}};
  EXPECT_EQ(all_events(setup).size(), 2u);  // the one given takes the place of the stop's own
}

TEST(PositionStops, RefuseWhatCannotBe) {
  SimulationSetup setup = slide(false);
  EXPECT_THROW(add_compliant_stops(setup, 0.0), DomainError);
  EXPECT_THROW(add_compliant_stops(setup, 1.0, -1.0), DomainError);
  for (const double wrong : {-0.1, 1.1, std::nan("")}) {
    EXPECT_THAT([&] { add_impulsive_stops(setup, wrong); },
                ThrowsMessage<DomainError>(
                    "the restitution of stops at position limits must lie between 0 and 1"));
  }
}

/// Keeps the checkpoint after a step.
class Breaker final : public SimulationObserver {
 public:
  explicit Breaker(int at) : left_(at) {}
  void on_output(const SimulationPoint&) override {}
  bool on_step(double, const IntegratorStatistics&) override { return --left_ > 0; }
  void on_checkpoint(const Checkpoint& checkpoint) override { kept = checkpoint; }
  Checkpoint kept;

 private:
  int left_;
};

TEST(PositionLimits, AreNotedOnceAcrossACheckpoint) {
  const SimulationSetup setup = slide(true, IntegrationMethod::rk4);
  const State start = moving(setup, 1.0, 0.0);
  const SimulationResult whole = simulate(setup, start, 3.0);
  for (const int steps : {50, 90, 150}) {  // inside, beyond, back
    Breaker breaker(steps);
    Simulator(setup).run(start, 3.0, 3.0, breaker);
    SimulationObserver observer;
    const SimulationResult resumed = Simulator(setup).resume(breaker.kept, observer);
    ASSERT_EQ(resumed.events.size(), whole.events.size()) << steps;
    for (std::size_t i = 0; i < whole.events.size(); ++i) {
      EXPECT_EQ(resumed.events[i].time, whole.events[i].time);
      EXPECT_EQ(resumed.events[i].is_warning, whole.events[i].is_warning);
    }
  }
}

}  // namespace
}  // namespace spacedyn::testing::position_limits_test
