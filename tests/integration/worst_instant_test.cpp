// When the errors of a run were largest and what was at work: against errors that a test sums up.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/function_force.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::worst_instant_test {
namespace {

constexpr double kStep = 0.02;

/// Errors of energy at the ends of steps, from what is recorded there.
struct Errors {
  explicit Errors(const Trajectory& flight) {
    double last = 0.0;
    const TrajectoryPoint& first = flight.points.front();
    for (const TrajectoryPoint& at : flight.points) {
      const double error =
          at.energy.total() - first.energy.total() - at.integrals.work + at.integrals.dissipated;
      if (std::abs(error) > largest) {
        largest = std::abs(error);
        time = at.time;
      }
      if (std::abs(error - last) > growth) {
        growth = std::abs(error - last);
        to = at.time;
      }
      last = error;
    }
  }
  double largest = 0.0, time = 0.0, growth = 0.0, to = 0.0;
};

SimulationSetup tumbling() {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(one_link());
  setup.integrator = rk4(kStep);
  return setup;
}

State spun(const Model& model) {
  State state(model);
  state.omega_0 = {0.4, -0.9, 1.4};
  state.qd << -2.0;
  return state;
}

/// A pendulum on a base that is held, whose steps nothing corrects afterwards.
SimulationSetup swinging() {
  SimulationSetup setup = tumbling();
  setup.base_mode = BaseMode::fixed;
  setup.gravity = {0, -9.81, 0};
  return setup;
}

void expect_worst(const SimulationSetup& setup, double duration, const std::string& kind,
                  const std::string& cause) {
  State start(*setup.model);
  start.qd << -2.0;
  const Trajectory flight = simulate(setup, start, duration, kStep);
  const Errors errors(flight);
  const ConservationAudit& audit = flight.result.audit;
  const auto worst = audit.worst_energy();
  ASSERT_TRUE(worst.has_value());
  const double scale = audit.energy_scale();
  EXPECT_NEAR(audit.energy_residual() * scale, errors.largest, 1e-6 * errors.largest);
  EXPECT_NEAR(worst->growth * scale, errors.growth, 1e-6 * errors.growth);
  EXPECT_NEAR(worst->time, errors.time, 1e-9);
  EXPECT_NEAR(worst->to, errors.to, 1e-9);
  EXPECT_NEAR(worst->to - worst->from, kStep, 1e-9);
  EXPECT_EQ(worst->cause_kind, kind);
  EXPECT_EQ(worst->cause, cause);
}

TEST(WorstInstant, IsThatOfTheFastestBodyWhereNothingActs) {
  expect_worst(swinging(), 4.0, "body", "arm");
}

TEST(WorstInstant, NamesNoCarrierBetweenCoordinates) {
  LinkDescription ball =
      link_body("ball", "base", 5.0, {0.3, 0.4, 0.6}, {0.5, 0, 0}, {0.2, 0, 0.1});
  ball.joint.type = JointType::spherical;
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(
      ModelBuilder("ball").set_base(base_body(20.0, {2, 3, 4})).add_link(ball).build());
  setup.integrator = rk4(kStep);
  State start(*setup.model);
  start.omega_0 = {0, 0, -1.0};
  start.qd << 2.0, 0.0, 1.0;
  const auto worst = simulate(setup, start, 4.0 * kStep).audit.worst_energy();
  ASSERT_TRUE(worst.has_value());
  EXPECT_THAT(worst->cause, ::testing::AnyOf("base", "ball"));
}

TEST(WorstInstant, IsThatOfTheSourceWithMostPower) {
  SimulationSetup setup = swinging();
  const auto push = [](double torque, double rate) {
    return [=](const EvaluationContext& now, Loads& loads) {
      loads.tau(0) += torque * std::sin(rate * now.time);
    };
  };
  setup.forces = {std::make_shared<FunctionForce>("weak", push(0.1, 1.0)),
                  std::make_shared<FunctionForce>("strong", push(60.0, 40.0))};
  expect_worst(setup, 4.0, "source", "strong");
}

TEST(WorstInstant, IsThatOfAnEventWhoseStepFollows) {
  SimulationSetup setup = swinging();
  Event blow{"blow", time_event(2.0), CrossingDirection::rising, {}};
  blow.actions = {
      ImpulseAction{setup.model->frame("arm.com"), {200.0, 300.0, 0.0}, Vector3::Zero()}};
  setup.events = {blow};
  // it is slowed down from there on, so the first step errs most
  setup.forces = {
      std::make_shared<FunctionForce>("drag", [](const EvaluationContext& now, Loads& loads) {
        if (now.time > 2.0) loads.tau(0) -= 300.0 * now.state.qd(0);
      })};
  expect_worst(setup, 4.0, "event", "blow");
}

TEST(WorstInstant, IsUnknownWithoutError) {
  SimulationSetup setup = tumbling();
  const SimulationResult rest = simulate(setup, State(*setup.model), 1.0);
  EXPECT_FALSE(rest.audit.worst_energy().has_value());
  EXPECT_FALSE(rest.audit.worst_momentum().has_value());
}

TEST(WorstInstant, OutlivesAnInterruption) {
  class Halves final : public SimulationObserver {
   public:
    bool on_step(double time, const IntegratorStatistics&) override { return time < 2.0; }
    void on_checkpoint(const Checkpoint& given) override { checkpoint = given; }
    Checkpoint checkpoint;
  } halves;
  const SimulationSetup setup = tumbling();
  Simulator simulator(setup);
  simulator.run(spun(*setup.model), 4.0, kStep, halves);
  SimulationObserver observer;
  const SimulationResult resumed = simulator.resume(halves.checkpoint, observer);
  const SimulationResult whole = Simulator(setup).run(spun(*setup.model), 4.0, kStep, observer);
  const auto a = resumed.audit.worst_energy(), b = whole.audit.worst_energy();
  ASSERT_TRUE(a && b);
  EXPECT_EQ(to_string(*a), to_string(*b));
  EXPECT_EQ(a->growth, b->growth);
  EXPECT_THAT(to_string(*a), ::testing::MatchesRegex(
                                 "at t = .* s; grew most, by .*, from .* s to .* s, body 'base'"));
}

TEST(WorstInstant, TellsMomentumApart) {
  SimulationSetup setup = tumbling();
  setup.forces = {std::make_shared<FunctionForce>("shake", [](const EvaluationContext& now,
                                                              Loads& loads) {
    loads.F_b(0) += now.time > 1.0 && now.time < 1.05 ? 800.0 * std::sin(300.0 * now.time) : 0.0;
  })};
  const SimulationResult end = simulate(setup, spun(*setup.model), 3.0);
  const auto worst = end.audit.worst_momentum();
  ASSERT_TRUE(worst.has_value());
  EXPECT_EQ(worst->cause_kind, "source");
  EXPECT_EQ(worst->cause, "shake");
  EXPECT_GE(worst->to, 1.0);
  EXPECT_LE(worst->from, 1.06);
}

// steps do not resolve a motion within the tolerances, nor its energy
TEST(EnergyScale, OfWhatRestsWithinTheTolerancesIsNotItsEnergy) {
  LinkDescription link =
      link_body("arm", "base", 10.0, {2.0, 2.0, 2.0}, {0.5, 0.0, 0.0}, {0.75, 0.0, 0.0});
  link.joint.stiffness = 100.0;
  const BaseDescription base = base_body(100.0, {20.0, 20.0, 20.0});
  SimulationSetup setup;
  setup.model =
      std::make_shared<const Model>(ModelBuilder("sprung").set_base(base).add_link(link).build());
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-9);
  State start(*setup.model);
  for (const double q : {1e-13, 1e-11, 1e-10}) {
    start.q << q;
    EXPECT_LE(simulate(setup, start, 20.0).audit.energy_residual(), 1e-7) << q;
  }
  // what is resolved is judged by its own energy
  start.q << 1e-4;
  const ConservationAudit audit = simulate(setup, start, 20.0).audit;
  EXPECT_LE(audit.energy_residual(), 1e-6);
  EXPECT_GE(audit.energy_scale(), 0.5 * 100.0 * 1e-8);
}

}  // namespace
}  // namespace spacedyn::testing::worst_instant_test
