#include <cmath>
#include <limits>

// before the Eigen adapter, which it does not need here
#include <boost/numeric/odeint.hpp>
#include <boost/numeric/odeint/stepper/rosenbrock4.hpp>

#include "spacedyn/forces/function_force.hpp"
#include "spacedyn/forces/joint_stop.hpp"
#include "support/recorders.hpp"
#include "support/slider.hpp"
#include "support/small_models.hpp"

namespace spacedyn::rodas_test {
namespace {

using UblasVector = boost::numeric::ublas::vector<double>;
using UblasMatrix = boost::numeric::ublas::matrix<double>;

constexpr double kGravity = 9.81, kDrive = 2.0, kFrequency = 3.0;

/// A point-mass pendulum of length 1 on a fixed base, driven by a torque 2 sin 3t or not at all.
SimulationSetup pendulum(const IntegratorOptions& integrator, double drive) {
  BaseDescription base;
  base.name = "base";
  base.fixed = true;
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(
      ModelBuilder("pendulum")
          .set_base(base)
          .add_link(testing::link_body("bob", "base", 1.0, Vector3::Zero(), Vector3::Zero(),
                                       Vector3::UnitX()))
          .build());
  setup.base_mode = BaseMode::fixed;
  setup.gravity = {0.0, -kGravity, 0.0};
  setup.forces = {
      std::make_shared<FunctionForce>("drive", [drive](const EvaluationContext& now, Loads& loads) {
        loads.tau(0) += drive * std::sin(kFrequency * now.time);
      })};
  setup.integrator = integrator;
  return setup;
}

/// The pendulum without a drive by odeint's own Rosenbrock method with exact derivatives. Motions
/// that depend on time are no reference: one of its coefficients has the wrong sign.
UblasVector odeint_pendulum(double duration, int steps) {
  const auto rate = [](const UblasVector& x, UblasVector& xd, double) {
    xd[0] = x[1];
    xd[1] = -kGravity * std::cos(x[0]);
  };
  const auto jacobian = [](const UblasVector& x, UblasMatrix& J, double, UblasVector& by_time) {
    J(0, 0) = J(1, 1) = 0.0;
    J(0, 1) = 1.0;
    J(1, 0) = kGravity * std::sin(x[0]);
    by_time[0] = by_time[1] = 0.0;
  };
  boost::numeric::odeint::rosenbrock4<double> stepper;
  UblasVector x(2);
  x[0] = x[1] = 0.0;
  const double h = duration / steps;
  for (int i = 0; i < steps; ++i) stepper.do_step(std::make_pair(rate, jacobian), x, i * h, h);
  return x;
}

TEST(Rodas, TakesTheStepsOfOdeintsRosenbrockMethod) {
  const UblasVector expected = odeint_pendulum(1.0, 10);
  const SimulationSetup setup = pendulum(testing::fixed_step(IntegrationMethod::rodas, 0.1), 0.0);
  const SimulationResult result = testing::simulate(setup, State(*setup.model), 1.0);
  EXPECT_EQ(result.statistics.steps, 10);
  // rounding of ten steps of another linear algebra
  EXPECT_NEAR(result.state.q(0), expected[0], 1e-13);
  EXPECT_NEAR(result.state.qd(0), expected[1], 1e-13);
  // steps of that size are far from exact: the agreement is that of the method, not of the motion
  const SimulationSetup exact = pendulum(testing::dopri5(1e-13), 0.0);
  const double q = testing::simulate(exact, State(*exact.model), 1.0).state.q(0);
  EXPECT_GT(std::abs(result.state.q(0) - q), 1e-6);
}

TEST(Rodas, KeepsItsOrderUnderForcesThatDependOnTime) {
  const auto angle = [](const IntegratorOptions& integrator) {
    const SimulationSetup setup = pendulum(integrator, kDrive);
    return testing::simulate(setup, State(*setup.model), 1.0).state.q(0);
  };
  const double exact = angle(testing::dopri5(1e-13));
  const auto error = [&](double step) {
    return std::abs(angle(testing::fixed_step(IntegrationMethod::rodas, step)) - exact);
  };
  // at these steps the next power still adds a tenth
  EXPECT_NEAR(std::log2(error(0.02) / error(0.005)) / 2.0, 4.0, 0.2);
}

/// A mass of 2 kg under a force 2t² N: v = t³/3, x = t⁴/12, which a method of order 4 hits exactly.
TEST(Rodas, IntegratesAForceThatIsAPolynomialOfTimeExactly) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(
      ModelBuilder("mass").set_base(testing::base_body(2.0, Vector3::Ones())).build());
  setup.forces = {
      std::make_shared<FunctionForce>("push", [](const EvaluationContext& now, Loads& loads) {
        loads.F_b(0) += 2.0 * now.time * now.time;
      })};
  setup.integrator = testing::fixed_step(IntegrationMethod::rodas, 0.5);
  const State end = testing::simulate(setup, State(*setup.model), 2.0).state;
  // differences in time over a thousandth of a step have 13 digits
  EXPECT_NEAR(end.v_0.x(), 8.0 / 3.0, 1e-12);
  EXPECT_NEAR(end.r_0.x(), 4.0 / 3.0, 1e-12);
}

/// A joint whose damper stops it within microseconds, while the base drifts on for a second.
TEST(Rodas, TakesFewStepsWhereADamperMakesExplicitMethodsCrawl) {
  LinkDescription slider =
      testing::link_body("slider", "base", 2.0, Vector3::Ones(), Vector3::Zero(), Vector3::Zero());
  slider.joint.type = JointType::prismatic;
  slider.joint.stiffness = 1e4;
  slider.joint.damping = 1e5;
  SimulationSetup setup;
  setup.model =
      std::make_shared<const Model>(ModelBuilder("stiff")
                                        .set_base(testing::base_body(3.0, Vector3::Ones()))
                                        .add_link(slider)
                                        .build());
  State initial(*setup.model);
  initial.q(0) = 0.1;
  const auto run = [&](IntegrationMethod method) {
    setup.integrator = testing::adaptive(method, 1e-6);
    return testing::simulate(setup, initial, 20.0);
  };
  const SimulationResult implicit = run(IntegrationMethod::rodas);
  const SimulationResult explicit_one = run(IntegrationMethod::dopri5);
  EXPECT_LT(100 * implicit.statistics.evaluations, explicit_one.statistics.evaluations);
  // overdamped: the slow root of μ s² + d s + k = 0, μ = 6/5 kg
  const double mu = 1.2;
  const double slow = (-1e5 + std::sqrt(1e10 - 4.0 * mu * 1e4)) / (2.0 * mu);
  EXPECT_NEAR(implicit.state.q(0), 0.1 * std::exp(slow * 20.0), 1e-5);
  EXPECT_LT(implicit.audit.momentum_drift(), 1e-6);
}

/// x = cos t of a mass on a spring that a strong damper ties to it, and the same without the
/// damper.
TEST(ExplicitMethods, SayWhenStabilityKeepsTheirStepsShort) {
  const auto is_limited = [](IntegrationMethod method, double damping, double tolerance) {
    SimulationSetup setup = testing::slider_setup("follower", 1.0, 1.0);
    setup.forces = {std::make_shared<FunctionForce>(
        "drag", [damping](const EvaluationContext& now, Loads& loads) {
          loads.tau(0) -= damping * (now.state.qd(0) + std::sin(now.time));
        })};
    setup.integrator = testing::adaptive(method, tolerance);
    State initial(*setup.model);
    initial.q(0) = 1.0;
    const SimulationResult result = testing::simulate(setup, initial, damping > 0.0 ? 3.0 : 2000.0);
    EXPECT_GT(result.statistics.steps, method == IntegrationMethod::rodas ? 10 : 1000);
    return result.limited_by_stability;
  };
  for (const IntegrationMethod method :
       {IntegrationMethod::dop853, IntegrationMethod::dopri5, IntegrationMethod::cash_karp54,
        IntegrationMethod::fehlberg78, IntegrationMethod::bulirsch_stoer}) {
    SCOPED_TRACE(std::string(to_string(method)));
    EXPECT_TRUE(is_limited(method, 2e4, 1e-6));
    for (const double tolerance : {1e-4, 1e-9}) EXPECT_FALSE(is_limited(method, 0.0, tolerance));
  }
  EXPECT_FALSE(is_limited(IntegrationMethod::rodas, 2e4, 1e-6));
}

/// A point mass of 1 kg on an arm of 1 m, on a spring of 1e8 N m/rad and its damper, driven slowly:
/// I q̈ + D q̇ + K q = T sin ωt has the steady answer (a sin ωt + b cos ωt), on which it starts.
TEST(Rodas, FollowsASlowForceOnAStiffJointInFewSteps) {
  constexpr double K = 1e8, D = 1e5, T = 1e6, omega = 0.5, duration = 10.0;
  const double real = K - omega * omega, imaginary = D * omega;
  const double a = T * real / (real * real + imaginary * imaginary);
  const double b = -T * imaginary / (real * real + imaginary * imaginary);
  BaseDescription base;
  base.name = "base";
  base.fixed = true;
  LinkDescription bob =
      testing::link_body("bob", "base", 1.0, Vector3::Zero(), Vector3::Zero(), Vector3::UnitX());
  bob.joint.stiffness = K;
  bob.joint.damping = D;
  SimulationSetup setup;
  setup.model =
      std::make_shared<const Model>(ModelBuilder("stiff").set_base(base).add_link(bob).build());
  setup.base_mode = BaseMode::fixed;
  setup.forces = {
      std::make_shared<FunctionForce>("drive", [](const EvaluationContext& now, Loads& loads) {
        loads.tau(0) += T * std::sin(omega * now.time);
      })};
  State initial(*setup.model);
  initial.q(0) = b;
  initial.qd(0) = a * omega;
  setup.integrator = testing::adaptive(IntegrationMethod::rodas, 1e-5);
  const SimulationResult result = testing::simulate(setup, initial, duration);
  const double s = std::sin(omega * duration), c = std::cos(omega * duration);
  EXPECT_NEAR(result.state.q(0), a * s + b * c, 1e-8);
  EXPECT_NEAR(result.state.qd(0), omega * (a * c - b * s), 1e-5);
  // stability holds explicit methods to 3 I/D, 3e-5 s: more than 300,000 steps
  EXPECT_LT(result.statistics.steps, 300);
}

/// A mass of 2 kg that falls by 5 cm on a stop of 1e8 N/m and stays there.
TEST(Rodas, ComesToRestOnAStiffStop) {
  constexpr double K = 1e8, D = 1e5, kMass = 2.0;
  SimulationSetup setup = testing::slider_setup("fall", kMass);
  setup.gravity = {0.0, 0.0, -kGravity};
  const double infinity = std::numeric_limits<double>::infinity();
  setup.forces = {
      std::make_shared<JointStop>("floor", JointStop::Settings{1, 0.0, infinity, K, D})};
  setup.events = {{"contact", joint_position_event(1, 0.0), CrossingDirection::both, {}}};
  State initial(*setup.model);
  initial.q(0) = 0.05;
  const auto run = [&](IntegrationMethod method, double duration) {
    setup.integrator = testing::adaptive(method, 1e-8);
    return testing::simulate(setup, initial, duration);
  };
  const SimulationResult result = run(IntegrationMethod::rodas, 10.0);
  ASSERT_GE(result.events.size(), 1U);
  EXPECT_NEAR(result.events[0].time, std::sqrt(2.0 * 0.05 / kGravity), 1e-10);
  EXPECT_NEAR(result.state.q(0), -kMass * kGravity / K, 1e-10);
  EXPECT_NEAR(result.state.qd(0), 0.0, 1e-8);
  // what the fall has gained is dissipated, but for what the spring keeps
  const double kept = 0.5 * kMass * kGravity * kMass * kGravity / K;
  const double fall = kMass * kGravity * (0.05 + kMass * kGravity / K);
  EXPECT_NEAR(result.integrals.dissipated, fall - kept, 1e-6 * fall);
  // at rest the default is held to steps of some 2 m/D: a second of it costs more than ten of these
  const SimulationResult second = run(IntegrationMethod::dopri5, 1.0);
  EXPECT_GT(second.statistics.steps, 20 * result.statistics.steps);
}

}  // namespace
}  // namespace spacedyn::rodas_test
