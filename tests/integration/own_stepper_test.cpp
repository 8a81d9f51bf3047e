// Steppers of a user in the place of the library's methods.
#include <cmath>

#include "spacedyn/integration/dop853.hpp"
#include "spacedyn/integration/odeint_stepper.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"
#include "support/slider.hpp"

namespace spacedyn::own_stepper_test {
namespace {

/// A tumbling tree.
struct Flight {
  SimulationSetup setup;
  State start;
};

Flight tumbling() {
  testing::RandomModels random(11);
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(random.model(testing::TreeShape{5, 2, 0.3, true}));
  return {setup, random.state(*setup.model)};
}

State fly(const Flight& flight, const IntegratorOptions& options) {
  SimulationSetup setup = flight.setup;
  setup.integrator = options;
  return testing::simulate(setup, flight.start, 1.0).state;
}

double distance(const State& a, const State& b) {
  return std::max({(a.r_0 - b.r_0).norm(), (a.A_0 - b.A_0).norm(), (a.q - b.q).norm(),
                   (a.velocity() - b.velocity()).norm()});
}

/// Options at 1e-10 and of 1 ms, for methods of both kinds.
template <typename Method>
IntegratorOptions own(Method method) {
  IntegratorOptions options = testing::adaptive(IntegrationMethod::dop853, 1e-10);
  options.stepper = make_stepper(std::move(method), "mine");
  if (!is_adaptive(options)) options.step = 1e-3;
  return options;
}

TEST(OwnStepper, OfOdeintFliesAsTheLibrarysMethods) {
  const Flight flight = tumbling();
  const State exact = fly(flight, testing::adaptive(IntegrationMethod::dop853, 1e-13));
  // tolerances add up over some tens of steps; errors of fixed steps are C h^order, C of some 100
  EXPECT_LT(distance(fly(flight, own(odeint::runge_kutta_fehlberg78<VectorX>())), exact), 1e-8);
  EXPECT_LT(distance(fly(flight, own(odeint::runge_kutta_dopri5<VectorX>())), exact), 1e-8);
  EXPECT_LT(distance(fly(flight, own(Dop853())), exact), 1e-8);
  EXPECT_LT(distance(fly(flight, own(odeint::runge_kutta4<VectorX>())), exact), 1e-9);
  EXPECT_LT(distance(fly(flight, own(odeint::modified_midpoint<VectorX>(6))), exact), 1e-4);
}

TEST(OwnStepper, IsBitForBitTheMethodOfTheSameTable) {
  const Flight flight = tumbling();
  EXPECT_EQ(distance(fly(flight, own(odeint::runge_kutta_cash_karp54<VectorX>())),
                     fly(flight, testing::adaptive(IntegrationMethod::cash_karp54, 1e-10))),
            0.0);
  EXPECT_EQ(
      distance(fly(flight, own(odeint::runge_kutta4<VectorX>())), fly(flight, testing::rk4(1e-3))),
      0.0);
}

/// Heun's rule of order 3, of a user who knows no odeint.
class Heun final : public OneStepMethod {
 public:
  Heun() : OneStepMethod("heun3", 3, 0) {}

  std::unique_ptr<OneStepMethod> clone() const override { return std::make_unique<Heun>(*this); }
  void attempt(DifferentialEquation& equation, Step& step) override {
    const double h = step.size();
    second_.resize(step.x_old.size());
    third_.resize(step.x_old.size());
    equation(step.x_old + h / 3.0 * step.rate_old, second_, step.t_old + h / 3.0);
    equation(step.x_old + 2.0 * h / 3.0 * second_, third_, step.t_old + 2.0 * h / 3.0);
    step.x_new = step.x_old + h * (0.25 * step.rate_old + 0.75 * third_);
    equation(step.x_new, step.rate_new, step.t_new);
  }
  void interpolate(DifferentialEquation& /*equation*/, const Step& step, double time,
                   VectorX& x) override {
    interpolate_by_hermite(step, time, x);
  }

 private:
  VectorX second_, third_;
};

IntegratorOptions heun(double step) {
  IntegratorOptions options;
  options.stepper = std::make_shared<Heun>();
  options.step = step;
  return options;
}

TEST(OwnStepper, ClassOfAUserKeepsItsOrder) {
  const Flight flight = tumbling();
  const State exact = fly(flight, testing::adaptive(IntegrationMethod::dop853, 1e-13));
  const double coarse = distance(fly(flight, heun(2e-3)), exact);
  const double fine = distance(fly(flight, heun(1e-3)), exact);
  EXPECT_NEAR(std::log2(coarse / fine), 3.0, 0.15);
}

/// A slider of 2 kg on a spring of 8 N/m, ω = 2 rad/s, from 1 m; blown back where it passes 0.5 m.
Flight bounced() {
  SimulationSetup setup = testing::slider_setup("oscillator", 2.0, 8.0);
  setup.events.push_back({"wall",
                          joint_position_event(1, 0.5),
                          CrossingDirection::falling,
                          {BounceAction{1, 1.0, false}}});
  State start(*setup.model);
  start.q(0) = 1.0;
  return {setup, start};
}

/// It strikes the wall at t₁ = π/6 and every 2 t₁ later; between, q = cos(2 s), s from the nearest
/// turning point.
double bounced_position(double time) {
  const double period = M_PI / 3.0;
  return std::cos(2.0 * (time - period * std::round(time / period)));
}

double worst_row(const IntegratorOptions& options, std::size_t* events) {
  Flight flight = bounced();
  flight.setup.integrator = options;
  Trajectory trajectory;
  const SimulationResult result = Simulator(flight.setup).run(flight.start, 2.0, 0.013, trajectory);
  *events = result.events.size();
  double worst = 0.0;
  for (const TrajectoryPoint& sample : trajectory.points) {
    worst = std::max(worst, std::abs(sample.state.q(0) - bounced_position(sample.time)));
  }
  return worst;
}

TEST(OwnStepper, FindsEventsAndFillsRowsBetweenSteps) {
  // two blows, at π/6 and π/2; rows are as exact as steps, by whatever they are filled
  std::size_t events = 0;
  EXPECT_LT(worst_row(own(odeint::runge_kutta_fehlberg78<VectorX>()), &events), 1e-8);
  EXPECT_EQ(events, 2u);
  EXPECT_LT(worst_row(own(odeint::runge_kutta_dopri5<VectorX>()), &events), 1e-8);
  EXPECT_EQ(events, 2u);
  EXPECT_LT(worst_row(own(Dop853()), &events), 1e-8);
  EXPECT_EQ(events, 2u);
  // (ω h)³ / 24 of 20 steps of 5 ms
  EXPECT_LT(worst_row(heun(5e-3), &events), 1e-6);
  EXPECT_EQ(events, 2u);
}

TEST(OwnStepper, RunsWithItGoOnWhereTheyWereBroken) {
  class Breaking final : public testing::StoppedTrajectory {
   public:
    void on_checkpoint(const Checkpoint& checkpoint) override { kept = checkpoint; }
    Checkpoint kept;
  };
  Flight flight = bounced();
  flight.setup.integrator = own(odeint::runge_kutta_cash_karp54<VectorX>());
  Breaking breaking;
  breaking.stop_at = 0.9;
  const SimulationResult half = Simulator(flight.setup).run(flight.start, 2.0, 0.1, breaking);
  ASSERT_TRUE(half.interrupted);
  SimulationObserver observer;
  const SimulationResult rest = Simulator(flight.setup).resume(breaking.kept, observer);
  const SimulationResult whole = Simulator(flight.setup).run(flight.start, 2.0, 0.1, observer);
  EXPECT_EQ(rest.state.q(0), whole.state.q(0));
  EXPECT_EQ(rest.statistics.steps, whole.statistics.steps);
}

std::string refusal(const IntegratorOptions& options) {
  try {
    fly(tumbling(), options);
  } catch (const DomainError& error) {
    return error.what();
  }
  return "";
}

TEST(OwnStepper, Misuse) {
  IntegratorOptions options = own(odeint::runge_kutta_cash_karp54<VectorX>());
  options.method = IntegrationMethod::rodas;
  EXPECT_EQ(refusal(options),
            "a stepper of one's own takes the place of the method, which must be left at its "
            "default");
  options = heun(0.0);
  EXPECT_EQ(refusal(options), "heun3 needs a positive, finite step");
  options = heun(1e-3);
  options.max_step = 1.0;
  EXPECT_EQ(refusal(options), "max_step belongs to adaptive methods; heun3 has a step");

  class Wrong final : public OneStepMethod {
   public:
    using OneStepMethod::OneStepMethod;
    std::unique_ptr<OneStepMethod> clone() const override { return nullptr; }
    void attempt(DifferentialEquation&, Step&) override {}
    void interpolate(DifferentialEquation&, const Step&, double, VectorX&) override {}
  };
  EXPECT_THROW(Wrong("w", 0, 0), DomainError);
  EXPECT_THROW(Wrong("w", 1, -1), DomainError);
  EXPECT_THROW(Wrong("w", 1, 0, 0.0), DomainError);
}

}  // namespace
}  // namespace spacedyn::own_stepper_test
