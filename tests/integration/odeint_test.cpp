// Dop853 as a stepper of Boost.Odeint, through odeint's own controlled and dense-output steppers.
#include "spacedyn/integration/dop853.hpp"

#include <cmath>
#include <limits>

#include "support/random_models.hpp"
#include "support/recorders.hpp"
#include "textbook/canonical_forms.hpp"

namespace spacedyn::odeint_test {
namespace {

/// An oscillator of 1 rad/s.
void oscillator(const VectorX& x, VectorX& rate, double /*time*/) {
  rate.resize(2);
  rate << x(1), -x(0);
}

VectorX at_rest_at_one() {
  VectorX x(2);
  x << 1.0, 0.0;
  return x;
}

double error_at(const VectorX& x, double time) {
  return std::hypot(x(0) - std::cos(time), x(1) + std::sin(time));
}

double error_of_fixed_steps(int steps) {
  constexpr double kDuration = 10.0;
  Dop853 stepper;
  VectorX x = at_rest_at_one();
  odeint::integrate_n_steps(std::ref(stepper), oscillator, x, 0.0, kDuration / steps,
                            static_cast<std::size_t>(steps));
  return error_at(x, kDuration);
}

TEST(OdeintDop853, StepsAreOfOrderEight) {
  // on an oscillator the leading terms of the error are in phase and amplitude: 8 or 9
  const double coarse = error_of_fixed_steps(8), fine = error_of_fixed_steps(16);
  EXPECT_GT(fine, 1e-13) << "round-off";
  EXPECT_GT(std::log2(coarse / fine), 7.7) << coarse << ' ' << fine;
  EXPECT_LT(std::log2(coarse / fine), 9.5) << coarse << ' ' << fine;
}

TEST(OdeintDop853, ControlledSteps) {
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    VectorX x = at_rest_at_one();
    const std::size_t steps = odeint::integrate_adaptive(
        odeint::make_controlled(tolerance, tolerance, Dop853()), oscillator, x, 0.0, 20.0, 0.1);
    // errors of some ten steps add up
    EXPECT_LT(error_at(x, 20.0), 30.0 * tolerance);
    EXPECT_LT(steps, 120u);
  }
}

TEST(OdeintDop853, LongestStepIsKept) {
  VectorX x = at_rest_at_one();
  double last = 0.0, longest = 0.0;
  odeint::integrate_adaptive(odeint::make_controlled(1e-6, 1e-6, 0.25, Dop853()), oscillator, x,
                             0.0, 5.0, 0.1, [&](const VectorX& /*x*/, double time) {
                               longest = std::max(longest, time - last);
                               last = time;
                             });
  EXPECT_LE(longest, 0.25 * (1.0 + 1e-12));
}

TEST(OdeintDop853, DenseOutputFollowsTheMotion) {
  VectorX x = at_rest_at_one();
  double worst = 0.0;
  int rows = 0;
  odeint::integrate_const(odeint::make_dense_output(1e-10, 1e-10, Dop853()), oscillator, x, 0.0,
                          20.0, 0.01, [&](const VectorX& row, double time) {
                            worst = std::max(worst, error_at(row, time));
                            ++rows;
                          });
  EXPECT_EQ(rows, 2001);
  // global errors of the steps and local ones between them, both of some tolerances
  EXPECT_LT(worst, 1e-8);
}

TEST(OdeintDop853, SaysWhenStatesInsideAStepWereNotPrepared) {
  Dop853 stepper;
  const VectorX x = at_rest_at_one();
  VectorX rate, out, out_rate, inside;
  oscillator(x, rate, 0.0);
  stepper.do_step(oscillator, x, rate, 0.0, out, out_rate, 0.5);
  EXPECT_THROW(stepper.calc_state(0.2, inside, x, rate, 0.0, out, out_rate, 0.5), DomainError);
  stepper.prepare_dense_output(oscillator, x, 0.0, 0.5);
  stepper.calc_state(0.2, inside, x, rate, 0.0, out, out_rate, 0.5);
  // 0.5⁸ = 4e-3 times the error constant of the polynomial of degree 7
  EXPECT_LT(error_at(inside, 0.2), 1e-8);
}

TEST(OdeintDop853, DoesNotAcceptStepsThatAreNoNumbers) {
  // ẋ = −1/(2x) reaches zero at t = x₀² and has no real continuation
  const auto falling = [](const VectorX& x, VectorX& rate, double /*time*/) {
    rate.resize(1);
    rate(0) = x(0) > 0.0 ? -0.5 / x(0) : std::numeric_limits<double>::quiet_NaN();
  };
  VectorX x = VectorX::Ones(1);
  EXPECT_THROW(odeint::integrate_adaptive(odeint::make_controlled(1e-9, 1e-9, Dop853()), falling, x,
                                          0.0, 2.0, 0.1),
               std::exception);
  EXPECT_TRUE(x.allFinite());
}

TEST(OdeintDop853, ErrorEstimateOfEachComponentIsHairers) {
  Dop853 stepper;
  const VectorX x = at_rest_at_one();
  VectorX rate, out, out_rate, error;
  oscillator(x, rate, 0.0);
  stepper.do_step(oscillator, x, rate, 0.0, out, out_rate, 0.8, error);
  Dop853::Errors errors;
  stepper.estimate_errors(0.8, errors);
  for (int i = 0; i < 2; ++i) {
    const double fifth = errors.fifth(i), third = errors.third(i);
    EXPECT_NEAR(std::abs(error(i)), fifth * fifth / std::hypot(fifth, 0.1 * third),
                1e-15 * std::abs(fifth));
  }
}

TEST(OdeintDop853, FliesAFloatingRobotAsTheSimulatorDoes) {
  testing::RandomModels random(7);
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(random.model(testing::TreeShape{5, 2, 0.3, true}));
  const State start = random.state(*setup.model);
  setup.integrator = testing::adaptive(IntegrationMethod::dop853, 1e-12);
  Trajectory trajectory;
  const SimulationResult result = Simulator(setup).run(start, 1.0, 1.0, trajectory);

  CanonicalForm form(*setup.model, AttitudeCoordinates::quaternion);
  const VectorX tau = VectorX::Zero(form.velocity_size());
  VectorX x = form.state_vector(start);
  odeint::integrate_adaptive(
      odeint::make_controlled(1e-12, 1e-12, Dop853()),
      [&](const VectorX& at, VectorX& rate, double /*time*/) {
        rate.resize(at.size());
        form.FDx(at, tau, rate);
      },
      x, 0.0, 1.0, 0.01);
  const State end = form.state(x.head(form.position_size()), x.tail(form.velocity_size()));
  // two flights at 1e-12 over some tens of steps
  EXPECT_LT((end.q - result.state.q).norm(), 1e-9);
  EXPECT_LT((end.A_0 - result.state.A_0).norm(), 1e-9);
  EXPECT_LT((end.velocity() - result.state.velocity()).norm(), 1e-8);
}

}  // namespace
}  // namespace spacedyn::odeint_test
