#include <cmath>

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>

#include "spacedyn/forces/applied_loads.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::closed_form_test {
namespace {

using testing::dopri5;
using testing::simulate;

std::shared_ptr<const Model> share(Model model) {
  return std::make_shared<const Model>(std::move(model));
}

double yaw(const State& state) { return std::atan2(state.A_0(1, 0), state.A_0(0, 0)); }

// Global errors: the tolerance times the growth of errors over the run, bounded by the tests.
constexpr double kTight = 1e-13;

TEST(ClosedForm, TorqueFreeAsymmetricTopFollowsJacobiElliptics) {
  const Vector3 I(1.0, 2.0, 3.0);
  SimulationSetup setup;
  setup.model = share(testing::single_body(5.0, I));
  setup.integrator = dopri5(kTight);
  State initial(*setup.model);
  initial.omega_0 = {0.0, 0.5, 1.0};
  Trajectory trajectory;
  Simulator(setup).run(initial, 20.0, 0.5, trajectory);

  const double energy2 = I.dot(initial.omega_0.cwiseAbs2());  // 2 E
  const double momentum2 = I.cwiseProduct(initial.omega_0).squaredNorm();
  const double a1 = std::sqrt((energy2 * I(2) - momentum2) / (I(0) * (I(2) - I(0))));
  const double a2 = std::sqrt((energy2 * I(2) - momentum2) / (I(1) * (I(2) - I(1))));
  const double a3 = std::sqrt((momentum2 - energy2 * I(0)) / (I(2) * (I(2) - I(0))));
  const double lambda =
      std::sqrt((I(2) - I(1)) * (momentum2 - energy2 * I(0)) / (I(0) * I(1) * I(2)));
  const double k = std::sqrt((I(1) - I(0)) * (energy2 * I(2) - momentum2) /
                             ((I(2) - I(1)) * (momentum2 - energy2 * I(0))));
  EXPECT_NEAR(lambda, 1.04083299973, 1e-11);
  const double quarter = boost::math::ellint_1(k);  // the start is a quarter period after sn = 0
  for (const TrajectoryPoint& sample : trajectory.points) {
    const double u = quarter + lambda * sample.time;
    const double sn = boost::math::jacobi_sn(k, u);
    const double cn = boost::math::jacobi_cn(k, u);
    const double dn = std::sqrt(1.0 - k * k * sn * sn);  // Boost's own divides 0 by 0 at u = K
    const Vector3 omega_body = sample.state.A_0.transpose() * sample.state.omega_0;
    EXPECT_LT((omega_body - Vector3(a1 * cn, a2 * sn, a3 * dn)).norm(), 1e-11) << sample.time;
  }
}

TEST(ClosedForm, DzhanibekovBodyFlipsOnTime) {
  constexpr double kFlip = 20.75460976465;  // s, half the period of the elliptic functions
  SimulationSetup setup;
  setup.model = share(testing::single_body(1.0, {1.0, 2.0, 3.0}));
  setup.integrator = dopri5(kTight);
  State initial(*setup.model);
  initial.omega_0 = {0.01, 1.0, 0.0};
  for (int flips = 1; flips <= 2; ++flips) {
    const State end = simulate(setup, initial, flips * kFlip).state;
    const Vector3 omega_body = end.A_0.transpose() * end.omega_0;
    const Vector3 expected(0.01, flips == 1 ? -1.0 : 1.0, 0.0);
    // the time is known to 5e-12 s; errors grow by e^{0.577 t} near the unstable axis
    EXPECT_LT((omega_body - expected).norm(), 1e-9);
  }
}

TEST(ClosedForm, PendulumA01SwingsAsPublished) {
  LinkDescription bob =
      testing::link_body("bob", "base", 1.0, Vector3::Zero(), Vector3::Zero(), Vector3::UnitX());
  BaseDescription base;
  base.name = "base";
  base.fixed = true;
  SimulationSetup setup;
  setup.model = share(ModelBuilder("a01").set_base(base).add_link(bob).build());
  setup.base_mode = BaseMode::fixed;
  setup.gravity = {0.0, -9.81, 0.0};
  setup.integrator = dopri5(kTight);
  State initial(*setup.model);
  initial.q(0) = std::acos(-1.0);
  Trajectory trajectory;
  const SimulationResult result = Simulator(setup).run(initial, 10.0, 1.0, trajectory);

  const auto position = [&](std::size_t second) {
    const double q = trajectory.points[second].state.q(0);
    return Eigen::Vector2d(std::cos(q), std::sin(q));
  };
  EXPECT_LT((position(1) - Eigen::Vector2d(0.986291751132, -0.165010853126)).norm(), 1e-10);
  EXPECT_LT((position(5) - Eigen::Vector2d(-0.942305435044, -0.334754338414)).norm(), 1e-10);
  // the support's reaction is an external force like gravity
  EXPECT_LT(result.audit.momentum_drift(), 1e-11);
  EXPECT_LT(result.audit.energy_residual(), 1e-11);
  const double period = 2.367841947576;
  EXPECT_NEAR(simulate(setup, initial, period).state.q(0), initial.q(0), 1e-10);
}

/// Two unit-size bodies on a slider along z with a spring and a damper.
std::shared_ptr<const Model> spring_pair(double m0, double m1, double k, double d) {
  LinkDescription slider =
      testing::link_body("slider", "base", m1, {1.0, 1.0, 1.0}, Vector3::Zero(), Vector3::Zero());
  slider.joint.type = JointType::prismatic;
  slider.joint.stiffness = k;
  slider.joint.damping = d;
  return share(ModelBuilder("pair")
                   .set_base(testing::base_body(m0, {1.0, 1.0, 1.0}))
                   .add_link(slider)
                   .build());
}

TEST(ClosedForm, DampedTwoBodySpringOscillatesWithTheReducedMass) {
  const double m0 = 3.0;
  const double m1 = 2.0;
  const double k = 40.0;
  const double d = 0.7;
  SimulationSetup setup;
  setup.model = spring_pair(m0, m1, k, d);
  setup.integrator = dopri5(1e-12);
  State initial(*setup.model);
  initial.q(0) = 0.1;
  Trajectory trajectory;
  const SimulationResult result = Simulator(setup).run(initial, 10.0, 0.25, trajectory);

  const double mu = m0 * m1 / (m0 + m1);
  const double sigma = d / (2.0 * mu);
  const double omega = std::sqrt(k / mu - sigma * sigma);
  for (const TrajectoryPoint& sample : trajectory.points) {
    const double t = sample.time;
    const double q =
        0.1 * std::exp(-sigma * t) * (std::cos(omega * t) + sigma / omega * std::sin(omega * t));
    EXPECT_NEAR(sample.state.q(0), q, 1e-11);
    // the common centroid stays
    EXPECT_NEAR(m0 * sample.state.r_0.z() + m1 * (sample.state.r_0.z() + sample.state.q(0)),
                m1 * 0.1, 1e-11);
  }
  const double lost = 0.5 * k * 0.01 - result.final_energy.total();
  EXPECT_NEAR(result.integrals.dissipated, lost, 1e-11);
  EXPECT_NEAR(result.integrals.work, 0.0, 1e-11);
}

TEST(ClosedForm, FlexibleAppendageVibratesFasterOnAFreeBase) {
  ModelDescription description = testing::one_link_description();
  description.links[0].joint.stiffness = 50.0;
  SimulationSetup setup;
  setup.model = share(ModelBuilder(description).build());
  setup.integrator = dopri5(1e-13);
  setup.integrator.absolute_tolerance = {1e-18, 1e-18, 1e-18, 1e-18, 1e-18, 1e-18, 1e-18};
  State initial(*setup.model);
  const double amplitude = 1e-5;  // rad; its square is the relative change of frequency
  initial.q(0) = amplitude;
  for (const auto& [mode, omega] :
       {std::pair{BaseMode::floating, 3.51137029694},
        std::pair{BaseMode::fixed, std::sqrt(50.0 / (2.0 + 10.0 * 0.75 * 0.75))}}) {
    setup.base_mode = mode;
    Trajectory trajectory;
    Simulator(setup).run(initial, 10.0, 0.5, trajectory);
    for (const TrajectoryPoint& sample : trajectory.points) {
      EXPECT_NEAR(sample.state.q(0), amplitude * std::cos(omega * sample.time), 1e-8 * amplitude);
    }
  }
}

/// Base angle of the one-link robot at zero angular momentum, from θ(0) = 0; |q| < π.
double one_link_base_angle(double q) {
  const double A = 7.1136363636363636;
  const double B = 3.4090909090909091;
  const double D = 29.3863636363636364;
  const double root = std::sqrt(D * D - 4.0 * B * B);
  return -0.5 * q - (2.0 * A - D) / root *
                        std::atan(std::sqrt((D - 2.0 * B) / (D + 2.0 * B)) * std::tan(0.5 * q));
}

TEST(ClosedForm, OneLinkRobotTurnsItsBaseByTheKnownAngle) {
  EXPECT_NEAR(one_link_base_angle(0.5 * std::acos(-1.0)), -0.430969311414, 1e-12);
  SimulationSetup setup;
  setup.model = share(testing::one_link());
  setup.integrator = dopri5(1e-12);
  setup.forces = {std::make_shared<AppliedJointTorque>(
      "motor", 1, TimeTable({0.0, 1.0, 3.0}, (MatrixX(1, 3) << 0.0, 5.0, -2.0).finished()))};
  Trajectory trajectory;
  Simulator(setup).run(State(*setup.model), 3.5, 0.1, trajectory);
  EXPECT_GT(trajectory.points.back().state.q(0), 1.5);
  for (const TrajectoryPoint& sample : trajectory.points) {
    ASSERT_LT(sample.state.q(0), 3.0);
    EXPECT_NEAR(yaw(sample.state), one_link_base_angle(sample.state.q(0)), 1e-11) << sample.time;
  }
}

TEST(ClosedForm, OneLinkRobotAcceleratesAsItsReducedEquationSays) {
  SimulationSetup setup;
  setup.model = share(testing::one_link());
  setup.forces = {
      std::make_shared<AppliedJointTorque>("motor", 1, TimeTable::constant(VectorX::Ones(1)))};
  State initial(*setup.model);
  initial.q(0) = 0.5 * std::acos(-1.0);
  initial.qd(0) = 1.0;
  initial.omega_0.z() = -0.242072699149;  // zero momentum: ω_0, and v_0 of the base centroid
  initial.v_0 =
      -10.0 / 110.0 * (initial.omega_0.cross(Vector3(0.5, 0.75, 0.0)) + Vector3(-0.75, 0.0, 0.0));
  Trajectory trajectory;
  Simulator(setup).run(initial, 0.1, 0.1, trajectory);
  EXPECT_NEAR(trajectory.points.front().acceleration(6), 0.0694637583, 1e-10);
  EXPECT_LT(trajectory.points.front().momentum.linear.norm(), 1e-13);
  EXPECT_NEAR(trajectory.points.front().momentum.angular_centroid.z(), 0.0, 1e-10);
}

}  // namespace
}  // namespace spacedyn::closed_form_test
