#include <cmath>

#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::attitude_chart_test {
namespace {

const Vector3 kOmega(3.0, 0.0, 8.0);  // rad/s, about 136 revolutions in 100 s

/// Symmetric top with I = 1, 1, 1.6 and attitude identity at the start.
SimulationSetup symmetric_top() {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::single_body(2.0, {1.0, 1.0, 1.6}));
  return setup;
}

State spinning(const Model& model) {
  State state(model);
  state.omega_0 = kOmega;
  return state;
}

/// Precession about L at |L|/I after a rotation about the body's own axis at −(I₃ − I)/I ω_z.
Matrix3 exact_attitude(double time) {
  const Vector3 precession(kOmega.x(), 0.0, 1.6 * kOmega.z());
  return exp_so3(time * precession) * rotation_z(-0.6 * kOmega.z() * time);
}

TEST(AttitudeChart, FollowsHundredsOfRevolutions) {
  SimulationSetup setup = symmetric_top();
  setup.integrator = testing::dopri5(1e-13);
  Trajectory trajectory;
  Simulator(setup).run(spinning(*setup.model), 100.0, 0.5, trajectory);
  double worst = 0.0;
  for (const TrajectoryPoint& sample : trajectory.points) {
    worst = std::max(worst, (sample.state.A_0 - exact_attitude(sample.time)).norm());
    EXPECT_LT(orthogonality_error(sample.state.A_0), 4e-15);
  }
  // ω drifts by a fraction of 1e-13 per step, the angle by its integral: 10⁴ steps, 900 rad
  EXPECT_LT(worst, 1e-8);
}

TEST(AttitudeChart, KeepsTheOrderOfTheMethodThroughRecentring) {
  double last = 0.0;
  for (const double step : {0.04, 0.02, 0.01, 0.005}) {
    SimulationSetup setup = symmetric_top();
    setup.integrator = testing::dopri5(0.5);
    setup.integrator.absolute_tolerance = {1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9};
    setup.integrator.step = setup.integrator.max_step = step;
    const State end = testing::simulate(setup, spinning(*setup.model), 10.0).state;
    const double error = (end.A_0 - exact_attitude(10.0)).norm();
    if (last > 0.0) {
      EXPECT_GT(std::log2(last / error), 4.75) << "step " << step << ", error " << error;
    }
    last = error;
  }
}

TEST(AttitudeChart, CostsNoExtraEvaluations) {
  SimulationSetup setup = symmetric_top();
  setup.integrator = testing::dopri5(1e-9);
  const IntegratorStatistics cost =
      testing::simulate(setup, spinning(*setup.model), 20.0).statistics;
  // one at the start, one for the first step size, six per attempt, one at the end
  EXPECT_EQ(cost.evaluations, 3 + 6 * (cost.steps + cost.rejected));
}

}  // namespace
}  // namespace spacedyn::attitude_chart_test
