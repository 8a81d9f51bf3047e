// Flights of 10⁷ steps, 10⁴ revolutions, an orbit and a thousand of them. Label `long`.
#include <cmath>
#include <cstdio>

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>

#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "support/recorders.hpp"
#include "support/shipped.hpp"
#include "support/small_models.hpp"

namespace spacedyn::long_flights_test {
namespace {

/// Prints a figure for the record, and bounds it.
void expect_below(const char* what, double value, double limit) {
  std::printf("%-56s %.3g, limit %g\n", what, value, limit);
  EXPECT_LT(value, limit) << what;
}

/// Largest deviations from the start, the energy by tenths of the run.
class Drift final : public SimulationObserver {
 public:
  explicit Drift(double duration) : tenth_(duration / 10.0) {}

  void on_output(const SimulationPoint& point) override {
    if (point.time == 0.0) {
      momentum_ = point.momentum;
      energy_ = point.energy.total();
    }
    linear = std::max(linear, (point.momentum.linear - momentum_.linear).norm());
    angular =
        std::max(angular, (point.momentum.angular_centroid - momentum_.angular_centroid).norm());
    const int part = std::min(9, static_cast<int>(point.time / tenth_));
    energy[part] = std::max(energy[part], std::abs(point.energy.total() - energy_));
  }

  double linear = 0.0, angular = 0.0;
  double energy[10] = {};

 private:
  double tenth_;
  Momentum momentum_;
  double energy_ = 0.0;
};

TEST(LongFlight, VariationalKeepsItForTenMillionSteps) {
  constexpr double kStep = 0.05;
  constexpr double kDuration = 1.0e7 * kStep;
  ModelDescription description = testing::one_link_description();
  description.links[0].joint.stiffness = 3.0;
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(ModelBuilder(description).build());
  setup.integrator = testing::fixed_step(IntegrationMethod::variational, kStep);
  State initial(*setup.model);
  initial.omega_0 = {0.4, 0.5, 0.6};
  initial.v_0 = {0.3, -0.2, 0.1};
  initial.q(0) = 0.5;
  Drift drift(kDuration);
  const SimulationResult result = Simulator(setup).run(initial, kDuration, 37.3, drift);
  EXPECT_EQ(result.statistics.steps, 10000000);
  expect_below("variational, 1e7 steps: linear momentum, relative",
               drift.linear / result.initial_momentum.linear.norm(), 1e-11);
  expect_below("variational, 1e7 steps: angular momentum, relative",
               drift.angular / result.initial_momentum.angular_centroid.norm(), 1e-11);
  const double first = drift.energy[0] / result.initial_energy.kinetic;
  const double last = drift.energy[9] / result.initial_energy.kinetic;
  std::printf("%-56s %.3g and %.3g\n", "energy error in the first and the last tenth", first, last);
  EXPECT_GT(first, 1e-7);  // it does err, by h²
  EXPECT_LT(last, 1.05 * first);
}

TEST(LongFlight, FreeTopFollowsTenThousandPeriods) {
  // ω = (a1 cn, a2 sn, a3 dn)(λ t), the solution through ω = (0, 0.5, 1), begun where sn = 0
  const Vector3 I(1.0, 2.0, 3.0);
  const double L2 = 4.0 * 0.25 + 9.0;  // of ω = (0, 0.5, 1)
  const double E2 = 2.0 * 0.25 + 3.0;
  const double a1 = std::sqrt((3.0 * E2 - L2) / 2.0), a2 = std::sqrt((3.0 * E2 - L2) / 2.0);
  const double a3 = std::sqrt((L2 - E2) / 6.0);
  const double lambda = std::sqrt((L2 - E2) / 6.0);
  const double k = std::sqrt((3.0 * E2 - L2) / (L2 - E2));
  const double period = 4.0 * boost::math::ellint_1(k) / lambda;

  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::single_body(5.0, I));
  setup.integrator = testing::adaptive(IntegrationMethod::fehlberg78, 1e-15);
  State initial(*setup.model);
  initial.omega_0 = {a1, 0.0, a3};
  Trajectory trajectory;
  const double duration = 10000.0 * period;
  const SimulationResult result =
      Simulator(setup).run(initial, duration, duration / 977.0, trajectory);
  double worst = 0.0;
  for (const TrajectoryPoint& sample : trajectory.points) {
    const double u = lambda * std::remainder(sample.time, period);
    double cn = 0.0, dn = 0.0;
    const double sn = boost::math::jacobi_elliptic(k, u, &cn, &dn);
    const Vector3 omega_body = sample.state.A_0.transpose() * sample.state.omega_0;
    const Vector3 expected(a1 * cn, a2 * sn, a3 * std::sqrt(1.0 - k * k * sn * sn));
    worst = std::max(worst, (omega_body - expected).norm());
  }
  EXPECT_GT(trajectory.points.size(), 900U);
  // rounding of some 10⁶ steps changes energy and so the period; the phase adds that up over time
  expect_below("free top, 1e4 periods: error of the body rates, rad/s", worst, 1e-7);
  expect_below("free top, 1e4 periods: momentum drift", result.audit.momentum_drift(), 1e-11);
  expect_below("free top, 1e4 periods: energy residual", result.audit.energy_residual(), 1e-11);
}

TEST(LongFlight, Ets7WithPaddlesKeepsItsBalanceForAnOrbit) {
  Scenario scenario = testing::shipped_scenario("ets7_arm_slew");
  SimulationObserver observer;
  const SimulationResult result =
      Simulator(scenario.setup).run(scenario.initial, 6000.0, 10.0, observer);
  EXPECT_EQ(result.time, 6000.0);
  expect_below("ETS-VII with paddles, 6000 s: momentum drift", result.audit.momentum_drift(), 1e-9);
  expect_below("ETS-VII with paddles, 6000 s: energy residual", result.audit.energy_residual(),
               1e-8);
  // the arm has slewed and the base has turned against it
  EXPECT_GT((result.state.q.head(6) - scenario.initial.q.head(6)).cwiseAbs().maxCoeff(), 0.5);
  EXPECT_GT((result.state.A_0 - scenario.initial.A_0).norm(), 0.01);
}

TEST(LongFlight, KeepsAnOrbitForAThousandRevolutions) {
  constexpr double kMu = 3.986004418e14;
  // the orbit of Basilisk's examples, a = 10,000 km
  Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: orbit\n  duration: 1\n"
      "  initial: {base: {position: [-4020338.690396649, 7490566.741852513, 5248299.211589362], "
      "velocity: [-5199.77710904224, -3436.681645356935, 1041.576797498721]}}\n"
      "  environment: {bodies: {earth: {mu: 3.986004418e14}}}\n"
      "  model: {name: hub, base: {name: bus, mass: 750, inertia: [900, 800, 600]}}\n",
      "orbit.yaml");
  scenario.setup.integrator = testing::adaptive(IntegrationMethod::dop853, 1e-13);
  const auto energy = [&](const State& state) {
    return 0.5 * state.v_0.squaredNorm() - kMu / state.r_0.norm();
  };
  const State& start = scenario.initial;
  const double a = -0.5 * kMu / energy(start), period = 2.0 * kPi * std::sqrt(a / kMu) * a;
  EXPECT_NEAR(a, 1e7, 1.0);
  const Vector3 momentum = start.r_0.cross(start.v_0);
  Trajectory trajectory;
  const SimulationResult result =
      Simulator(scenario.setup).run(start, 1000.0 * period, 9.7 * period, trajectory);
  double energy_error = 0.0, momentum_error = 0.0;
  for (const TrajectoryPoint& sample : trajectory.points) {
    energy_error = std::max(energy_error, std::abs(energy(sample.state) / energy(start) - 1.0));
    const Vector3 change = sample.state.r_0.cross(sample.state.v_0) - momentum;
    momentum_error = std::max(momentum_error, change.norm() / momentum.norm());
  }
  // 8·10⁴ steps, each of which errs by its tolerance of 1e-13 at most and most by far less
  expect_below("1000 orbits: orbital energy, relative", energy_error, 1e-11);
  expect_below("1000 orbits: angular momentum, relative", momentum_error, 1e-11);
  // an error of the energy is one of the period, which the place adds up over 6·10⁷ km
  expect_below("1000 orbits: distance from the start, m", (result.state.r_0 - start.r_0).norm(),
               1.0);
  expect_below("1000 orbits: energy residual", result.audit.energy_residual(), 1e-12);
}

}  // namespace
}  // namespace spacedyn::long_flights_test
