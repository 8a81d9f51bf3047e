#include <cmath>

#include "support/recorders.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::convergence_test {
namespace {

using testing::reference;

constexpr double kDuration = 1.6;

/// A tumbling base with two swinging arms of three joints.
SimulationSetup tumbling_arms() {
  SimulationSetup setup;
  setup.model =
      std::make_shared<const Model>(testing::reference_model(reference("dual_arm").at("model")));
  return setup;
}

State tumbling_state(const Model& model) {
  State state(model);
  state.v_0 = {0.1, -0.2, 0.15};
  state.omega_0 = {0.4, -0.5, 0.6};
  state.q << 0.3, -0.5, 0.8, -0.4, 0.6, 0.2;
  state.qd << 0.4, -0.35, 0.45, 0.55, -0.65, 0.75;
  return state;
}

double distance(const State& a, const State& b) {
  return std::max({(a.r_0 - b.r_0).norm(), (a.A_0 - b.A_0).norm(), (a.v_0 - b.v_0).norm(),
                   (a.omega_0 - b.omega_0).norm(), (a.q - b.q).norm(), (a.qd - b.qd).norm()});
}

std::vector<TrajectoryPoint> run(const IntegratorOptions& options, double interval) {
  SimulationSetup setup = tumbling_arms();
  setup.integrator = options;
  Trajectory trajectory;
  Simulator(setup).run(tumbling_state(*setup.model), kDuration, interval, trajectory);
  return trajectory.points;
}

struct Case {
  IntegrationMethod method;
  const char* name;
  double coarsest;
  double order;         // of the method
  double output_order;  // of states between steps: that of the interpolation if lower
};

std::ostream& operator<<(std::ostream& stream, const Case& method) { return stream << method.name; }

class ConvergenceOrder : public ::testing::TestWithParam<Case> {};

/// Slopes between successive halvings; all must be near the order.
void expect_slopes(const std::vector<double>& errors, double order, double below, double above) {
  for (std::size_t i = 1; i < errors.size(); ++i) {
    const double slope = std::log2(errors[i - 1] / errors[i]);
    EXPECT_GT(slope, order - below) << "halving " << i << ", error " << errors[i];
    EXPECT_LT(slope, order + above) << "halving " << i << ", error " << errors[i];
  }
}

TEST_P(ConvergenceOrder, HoldsAtTheEnd) {
  const State exact = run(testing::dopri5(1e-14), kDuration).back().state;
  std::vector<double> errors;
  for (int halving = 0; halving < 4; ++halving) {
    const double step = GetParam().coarsest / (1 << halving);
    errors.push_back(
        distance(run(testing::fixed_step(GetParam().method, step), kDuration).back().state, exact));
  }
  EXPECT_LT(errors.back(), 1e-7);
  expect_slopes(errors, GetParam().order, 0.1, 0.7);
}

TEST_P(ConvergenceOrder, HoldsBetweenSteps) {
  constexpr double kInterval = kDuration / 997.0;  // many places in each step
  const std::vector<TrajectoryPoint> exact = run(testing::dopri5(1e-14), kInterval);
  std::vector<double> errors;
  for (int halving = 0; halving < 4; ++halving) {
    const double step = GetParam().coarsest / (1 << halving);
    const std::vector<TrajectoryPoint> outputs =
        run(testing::fixed_step(GetParam().method, step), kInterval);
    ASSERT_EQ(outputs.size(), exact.size());
    double worst = 0.0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      worst = std::max(worst, distance(outputs[i].state, exact[i].state));
    }
    errors.push_back(worst);
  }
  expect_slopes(errors, GetParam().output_order, 0.2, 0.5);
}

TEST_P(ConvergenceOrder, HoldsForTheAudit) {
  std::vector<double> drifts;
  for (int halving = 0; halving < 4; ++halving) {
    SimulationSetup setup = tumbling_arms();
    setup.integrator = testing::fixed_step(GetParam().method, GetParam().coarsest / (1 << halving));
    drifts.push_back(
        testing::simulate(setup, tumbling_state(*setup.model), kDuration).audit.momentum_drift());
  }
  expect_slopes(drifts, GetParam().order, 0.1, 1.0);
}

INSTANTIATE_TEST_SUITE_P(Methods, ConvergenceOrder,
                         ::testing::Values(Case{IntegrationMethod::rk4, "rk4", 0.02, 4.0, 4.0},
                                           Case{IntegrationMethod::dopri5, "dopri5", 0.04, 5.0,
                                                5.0}),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(Tolerance, IsMetInProportion) {
  const State exact = run(testing::dopri5(1e-14), kDuration).back().state;
  for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
    const double error = distance(run(testing::dopri5(tolerance), kDuration).back().state, exact);
    EXPECT_LT(error, 100.0 * tolerance);
    EXPECT_GT(error, 1e-3 * tolerance);
  }
}

TEST(Tolerance, OfOneGroupAloneShortensTheSteps) {
  const auto steps = [](double AbsoluteTolerance::*group) {
    SimulationSetup setup = tumbling_arms();
    setup.integrator = testing::dopri5(1e-3);
    setup.integrator.relative_tolerance = 0.0;
    if (group != nullptr) setup.integrator.absolute_tolerance.*group = 1e-10;
    return testing::simulate(setup, tumbling_state(*setup.model), kDuration).statistics.steps;
  };
  const long loose = steps(nullptr);
  for (const auto group :
       {&AbsoluteTolerance::position, &AbsoluteTolerance::attitude, &AbsoluteTolerance::joint,
        &AbsoluteTolerance::linear_velocity, &AbsoluteTolerance::angular_velocity,
        &AbsoluteTolerance::joint_velocity}) {
    EXPECT_GT(steps(group), 4 * loose);
  }
  EXPECT_EQ(steps(&AbsoluteTolerance::auxiliary), loose);
}

}  // namespace
}  // namespace spacedyn::convergence_test
