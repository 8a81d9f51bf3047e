#include <cmath>

#include "support/recorders.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::method_order_test {
namespace {

constexpr double kDuration = 0.5;

/// The twelve-joint tree of the reference data, all of it tumbling.
SimulationSetup tumbling_tree(const IntegratorOptions& integrator) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(
      testing::reference_model(testing::reference("tree12").at("model")));
  setup.integrator = integrator;
  return setup;
}

State fly(const IntegratorOptions& integrator) {
  const SimulationSetup setup = tumbling_tree(integrator);
  State initial(*setup.model);
  initial.v_0 = {0.1, -0.2, 0.15};
  initial.omega_0 = {0.8, -1.0, 1.2};  // the chart of the attitude moves during the flight
  for (int i = 0; i < setup.model->joint_count(); ++i) {
    initial.q(i) = 0.3 * std::cos(i);
    initial.qd(i) = 0.5 * std::cos(2.0 * i);
  }
  return testing::simulate(setup, initial, kDuration).state;
}

const State& exact() {
  static const State state = fly(testing::adaptive(IntegrationMethod::dopri5, 2e-15));
  return state;
}

double error(const IntegratorOptions& integrator) {
  const State end = fly(integrator);
  return std::max({(end.r_0 - exact().r_0).norm(), (end.A_0 - exact().A_0).norm(),
                   (end.q - exact().q).norm(), (end.velocity() - exact().velocity()).norm()});
}

struct Expected {
  IntegrationMethod method;
  double order;
  int coarsest;   // steps, in the range where the error follows the order
  double ratio;   // of step numbers, small where round-off is soon reached
  double margin;  // of the observed order
};

class MethodOrder : public ::testing::TestWithParam<Expected> {};

/// Slope of the best straight line through log error over log step.
double observed_order(const Expected& expected) {
  constexpr int kPoints = 5;
  double sum_x = 0.0, sum_y = 0.0, sum_xx = 0.0, sum_xy = 0.0;
  for (int i = 0; i < kPoints; ++i) {
    const double steps = std::round(expected.coarsest * std::pow(expected.ratio, i));
    const double x = std::log(1.0 / steps);
    const double distance = error(testing::fixed_step(expected.method, kDuration / steps));
    EXPECT_GT(distance, 1e-13) << "round-off with " << steps << " steps";
    const double y = std::log(distance);
    sum_x += x;
    sum_y += y;
    sum_xx += x * x;
    sum_xy += x * y;
  }
  return (kPoints * sum_xy - sum_x * sum_y) / (kPoints * sum_xx - sum_x * sum_x);
}

TEST_P(MethodOrder, OnATumblingTree) {
  EXPECT_NEAR(observed_order(GetParam()), GetParam().order, GetParam().margin);
}

INSTANTIATE_TEST_SUITE_P(
    Methods, MethodOrder,
    ::testing::Values(Expected{IntegrationMethod::dop853, 8.0, 6, 1.3, 0.4},
                      Expected{IntegrationMethod::dopri5, 5.0, 40, 1.4, 0.1},
                      Expected{IntegrationMethod::euler, 1.0, 512, 1.7, 0.1},
                      Expected{IntegrationMethod::midpoint, 2.0, 64, 1.7, 0.1},
                      Expected{IntegrationMethod::rk4, 4.0, 32, 1.7, 0.1},
                      Expected{IntegrationMethod::cash_karp54, 5.0, 12, 1.5, 0.1},
                      Expected{IntegrationMethod::fehlberg78, 8.0, 6, 1.3, 0.4},
                      Expected{IntegrationMethod::adams_bashforth_moulton, 6.0, 40, 1.4, 0.1},
                      Expected{IntegrationMethod::rodas, 4.0, 16, 1.7, 0.1},
                      Expected{IntegrationMethod::variational, 2.0, 32, 1.7, 0.1},
                      Expected{IntegrationMethod::euler_rodrigues, 1.0, 512, 1.7, 0.1},
                      Expected{IntegrationMethod::rk4_quaternion, 4.0, 32, 1.7, 0.1},
                      Expected{IntegrationMethod::simpson, 3.0, 64, 1.7, 0.1},
                      Expected{IntegrationMethod::newmark, 2.0, 32, 1.7, 0.1}),
    [](const auto& instance) { return std::string(to_string(instance.param.method)); });

/// Tolerances from 1e-4 to 1e-11: the error follows them over seven decades.
TEST(BulirschStoer, MakesErrorsInProportionToTheTolerance) {
  for (double tolerance = 1e-4; tolerance > 0.5e-11; tolerance /= 10.0) {
    const double actual = error(testing::adaptive(IntegrationMethod::bulirsch_stoer, tolerance));
    EXPECT_LT(actual, 20.0 * tolerance) << tolerance;
    EXPECT_GT(actual, 1e-3 * tolerance) << tolerance;
  }
}

}  // namespace
}  // namespace spacedyn::method_order_test
