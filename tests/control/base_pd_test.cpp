// A flying base under force and torque, against closed forms of a body that flies alone.
#include "spacedyn/control/base_pd.hpp"

#include <cmath>

#include "spacedyn/error.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::base_pd_test {
namespace {

using testing::simulate;

constexpr double kMass = 40.0;
const Vector3 kInertia(3.0, 5.0, 7.0);

SimulationSetup flight(const BasePd::Settings& settings) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::single_body(kMass, kInertia));
  setup.controllers.push_back(std::make_shared<BasePd>("pilot", settings));
  setup.integrator = testing::dopri5(1e-11);
  return setup;
}

/// x(t)/x(0) of m ẍ + d ẋ + k x = 0 released at rest, underdamped.
double released(double m, double d, double k, double t) {
  const double sigma = d / (2.0 * m), omega = std::sqrt(k / m - sigma * sigma);
  return std::exp(-sigma * t) * (std::cos(omega * t) + sigma / omega * std::sin(omega * t));
}

TEST(BasePd, BringsTheCentroidBackAsADampedOscillator) {
  BasePd::Settings settings;
  settings.position = {160.0, 32.0};
  const SimulationSetup setup = flight(settings);
  State start(*setup.model);
  start.r_0 = {0.3, -0.2, 0.5};
  const SimulationResult result = simulate(setup, start, 3.0);
  EXPECT_LT((result.state.r_0 - released(kMass, 32.0, 160.0, 3.0) * start.r_0).norm(), 1e-10);
  // the thrust is external: what it gives is counted, nothing is left over
  EXPECT_LT(result.audit.momentum_drift(), 1e-10);
  EXPECT_LT(result.audit.energy_residual(), 1e-10);
  EXPECT_NEAR(result.integrals.work, result.final_energy.total(), 1e-9);
}

TEST(BasePd, TurnsAboutAPrincipalAxisAsADampedOscillator) {
  BasePd::Settings settings;
  settings.attitude = {20.0, 4.0};
  settings.motion.initial_attitude = exp_so3(Vector3(0, 0, 2.5));
  const SimulationSetup setup = flight(settings);
  const SimulationResult result = simulate(setup, State(*setup.model), 4.0);
  const double angle = 2.5 * (1.0 - released(7.0, 4.0, 20.0, 4.0));
  EXPECT_LT((result.state.A_0 - exp_so3(Vector3(0, 0, angle))).norm(), 1e-9);
  EXPECT_LT(result.audit.momentum_drift(), 1e-9);
  EXPECT_LT(result.audit.energy_residual(), 1e-9);
}

TEST(BasePd, PushesNoHarderThanItsLimitsAndKeepsTheDirection) {
  BasePd::Settings settings;
  settings.position = {1e4, 0.0, 20.0};
  settings.attitude = {1e4, 0.0, 3.5};
  settings.motion.initial_position = {300.0, 400.0, 0.0};
  settings.motion.initial_attitude = exp_so3(Vector3(0, 0, 3.0));
  const SimulationSetup setup = flight(settings);
  const SimulationResult result = simulate(setup, State(*setup.model), 2.0);
  // ½ F/m t² towards the goal, ½ N/I t² about z
  EXPECT_LT((result.state.r_0 - Vector3(0.6, 0.8, 0.0) * (0.5 * 20.0 / kMass * 4.0)).norm(), 1e-12);
  EXPECT_LT((result.state.A_0 - exp_so3(Vector3(0, 0, 0.5 * 3.5 / 7.0 * 4.0))).norm(), 1e-10);
}

TEST(BasePd, FollowsAMovingGoalWithoutLagOnceThere) {
  BasePd::Settings settings;
  settings.position = {160.0, 160.0};
  const VectorX from = VectorX::Zero(3);
  settings.motion.position = std::make_shared<QuinticReference>(from, Vector3(1, 2, -1), 1.0, 5.0);
  const SimulationSetup setup = flight(settings);
  const SimulationResult result = simulate(setup, State(*setup.model), 30.0);
  EXPECT_LT((result.state.r_0 - Vector3(1, 2, -1)).norm(), 1e-9);
  EXPECT_LT(result.state.v_0.norm(), 1e-9);
}

TEST(BasePd, HoldsASampledCommandBetweenInstants) {
  BasePd::Settings settings;
  settings.position = {160.0, 32.0};
  settings.sample_period = 0.25;
  const SimulationSetup setup = flight(settings);
  State start(*setup.model);
  start.r_0.x() = 1.0;
  // x_{k+1} = x_k + T v_k + ½ T² a_k, v_{k+1} = v_k + T a_k, a_k = −(K x_k + D v_k)/m
  double x = 1.0, v = 0.0;
  for (int k = 0; k < 8; ++k) {
    const double a = -(160.0 * x + 32.0 * v) / kMass;
    x += 0.25 * v + 0.5 * 0.25 * 0.25 * a;
    v += 0.25 * a;
  }
  const SimulationResult result = simulate(setup, start, 2.0);
  EXPECT_NEAR(result.state.r_0.x(), x, 1e-12);
  EXPECT_NEAR(result.state.v_0.x(), v, 1e-12);
}

TEST(BasePd, RefusesWhatCannotAct) {
  const auto message = [](const auto& change) -> std::string {
    BasePd::Settings settings;
    settings.position = {1.0, 1.0};
    change(settings);
    try {
      BasePd("pilot", settings);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  using Settings = BasePd::Settings;
  EXPECT_EQ(message([](Settings& s) { s.position.stiffness = -1.0; }),
            "'pilot': position stiffness must be finite and not negative");
  EXPECT_EQ(message([](Settings& s) { s.attitude.damping = NAN; }),
            "'pilot': attitude damping must be finite and not negative");
  EXPECT_EQ(message([](Settings& s) { s.position = {}; }), "'pilot' has no gain that is not zero");
  EXPECT_EQ(message([](Settings& s) { s.attitude.limit = 0.0; }),
            "'pilot': attitude limit must be positive");
  EXPECT_EQ(message([](Settings& s) { s.sample_period = -0.1; }),
            "'pilot': sample_period must be finite and not negative");
  EXPECT_EQ(message([](Settings& s) {
              s.motion.axis = {0, 0, 2};
            }),
            "'pilot': the axis of the motion has not length 1");
  EXPECT_EQ(message([](Settings& s) {
              s.robot = Robot();
              s.robot->floats = false;
            }),
            "'pilot': the base of the robot does not float");
  EXPECT_EQ(message([](Settings& s) {
              s.motion.position = std::make_shared<ConstantReference>(VectorX::Zero(2));
            }),
            "'pilot': the reference of position has 2 components, expected 3");
}

}  // namespace
}  // namespace spacedyn::base_pd_test
