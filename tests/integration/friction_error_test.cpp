// Where motion turns sharply, an error estimate must see it: a joint slides and sticks.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "spacedyn/control/joint_pd.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::friction_error_test {
namespace {

/// An arm with dry friction follows its reference under sampled control, swings past it and sticks.
SimulationSetup rubbing_arm() {
  ModelDescription description = testing::one_link_description();
  description.links[0].joint.friction = {0.2, 0.3, 0.1, 1e-3};
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(ModelBuilder(description).build());
  JointPd::Settings pd;
  pd.joints = {1};
  pd.stiffness = VectorX::Constant(1, 30.0);
  pd.damping = VectorX::Constant(1, 4.0);
  pd.effort_limit = VectorX::Constant(1, std::numeric_limits<double>::infinity());
  pd.sample_period = 0.1;
  pd.reference =
      std::make_shared<QuinticReference>(VectorX::Zero(1), VectorX::Constant(1, 0.8), 0.0, 2.0);
  setup.controllers = {std::make_shared<JointPd>("pd", pd)};
  return setup;
}

double final_angle(IntegrationMethod method, double tolerance) {
  SimulationSetup setup = rubbing_arm();
  setup.integrator = testing::adaptive(method, tolerance);
  return testing::simulate(setup, State(*setup.model), 6.0).state.q(0);
}

class FrictionError : public ::testing::TestWithParam<IntegrationMethod> {};

// errors of some hundred steps add up to 72 tolerances at most: slip begins within a tenth of the
// bristle's deflection; the reference is good to 1e-12
TEST_P(FrictionError, FollowsTheTolerance) {
  static const double reference = final_angle(IntegrationMethod::dopri5, 1e-13);
  EXPECT_NEAR(final_angle(GetParam(), 1e-9), reference, 1e-7);
  EXPECT_NEAR(final_angle(GetParam(), 1e-7), reference, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Method, FrictionError,
                         ::testing::Values(IntegrationMethod::dopri5, IntegrationMethod::dop853,
                                           IntegrationMethod::cash_karp54,
                                           IntegrationMethod::rodas),
                         [](const auto& method) { return std::string(to_string(method.param)); });

// the estimate of fehlberg78 looks at the two ends of a step alone, and the long steps of
// bulirsch_stoer pass over the onset of slip
TEST(FrictionErrorOfLongSteps, DoesNotFollowTheTolerance) {
  const double reference = final_angle(IntegrationMethod::dopri5, 1e-13);
  EXPECT_GT(std::abs(final_angle(IntegrationMethod::fehlberg78, 1e-11) - reference), 1e-9);
  EXPECT_GT(std::abs(final_angle(IntegrationMethod::bulirsch_stoer, 1e-9) - reference), 1e-6);
}

}  // namespace
}  // namespace spacedyn::friction_error_test
