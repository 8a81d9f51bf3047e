// The integral term of joint_pd: the third-order loop in closed form, both rules that stop z, and
// the recursion of a sampled controller.
#include <cmath>

#include <gtest/gtest.h>
#include <unsupported/Eigen/MatrixFunctions>

#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/case_name.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::joint_integral_test {
namespace {

constexpr double kInertia = 2.0, kDisturbance = -0.7;

JointPd::Settings settings(double K, double D, double I) {
  JointPd::Settings pd;
  pd.joints = {1};
  pd.stiffness = VectorX::Constant(1, K);
  pd.damping = VectorX::Constant(1, D);
  pd.integral = VectorX::Constant(1, I);
  pd.reference = std::make_shared<ConstantReference>(VectorX::Zero(1));
  return pd;
}

/// A rotor about its centroid on a base that is held: J q̈ = τ + d.
SimulationSetup rotor(const JointPd::Settings& pd, double disturbance) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(
      ModelBuilder("rotor")
          .set_base(base_body(1.0, {1.0, 1.0, 1.0}))
          .add_link(link_body("arm", "base", 1.0, {kInertia, kInertia, kInertia}, Vector3::Zero(),
                              Vector3::Zero()))
          .build());
  setup.base_mode = BaseMode::fixed;
  setup.controllers.push_back(std::make_shared<JointPd>("pd", pd));
  setup.forces.push_back(std::make_shared<AppliedJointTorque>(
      "load", 1, TimeTable::constant(VectorX::Constant(1, disturbance))));
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  return setup;
}

State at(const SimulationSetup& setup, double q, double qd) {
  State state(*setup.model);
  state.q(0) = q;
  state.qd(0) = qd;
  return state;
}

// [q; q̇; z]: J q̈ = −K q − D q̇ + I z + d, ż = −q
TEST(JointIntegral, FollowsTheThirdOrderLoop) {
  const double K = 20.0, D = 9.0, I = 12.0, time = 4.0;
  const SimulationSetup setup = rotor(settings(K, D, I), kDisturbance);
  const SimulationResult end = simulate(setup, at(setup, 0.4, -0.3), time);
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A(0, 1) = 1.0;
  A.row(1) << -K / kInertia, -D / kInertia, I / kInertia, kDisturbance / kInertia;
  A(2, 0) = -1.0;
  const Eigen::Vector4d x = (time * A).exp() * Eigen::Vector4d(0.4, -0.3, 0.0, 1.0);
  // 1e-12 a step of the integrator, grown over some forty of them
  EXPECT_NEAR(end.state.q(0), x(0), 1e-10);
  EXPECT_NEAR(end.state.qd(0), x(1), 1e-10);
  EXPECT_NEAR(end.state.z(0), x(2), 1e-10);
}

TEST(JointIntegral, TakesUpAConstantLoad) {
  const SimulationSetup setup = rotor(settings(20.0, 9.0, 12.0), kDisturbance);
  const SimulationResult end = simulate(setup, at(setup, 0.4, 0.0), 60.0);
  EXPECT_NEAR(end.state.q(0), 0.0, 1e-9);
  EXPECT_NEAR(12.0 * end.state.z(0), -kDisturbance, 1e-8);
  EXPECT_LE(end.audit.energy_residual(), 1e-10);
}

// the rest of the load is carried by K e
TEST(JointIntegral, StopsAtItsLimit) {
  JointPd::Settings pd = settings(20.0, 9.0, 12.0);
  pd.integral_limit = VectorX::Constant(1, 0.5);
  const SimulationSetup setup = rotor(pd, kDisturbance);
  const SimulationResult end = simulate(setup, at(setup, 0.0, 0.0), 60.0);
  EXPECT_NEAR(12.0 * end.state.z(0), 0.5, 1e-14);
  EXPECT_NEAR(end.state.q(0), (kDisturbance + 0.5) / 20.0, 1e-9);
}

/// The loop with an effort limit L in small steps: z advances by e, but not past the value that
/// keeps τ at the limit, and never back.
struct Loop {
  double K, D, I, L;
  double q, qd = 0.0, z = 0.0;
  double slid = 0.0;  // s, for how long z has followed the limit

  double wanted() const { return -K * q - D * qd + I * z; }
  void step(double h) {
    const double torque = std::clamp(wanted(), -L, L), e = -q;
    const bool is_beyond = e > 0.0 ? wanted() > L : wanted() < -L;
    // exact for a torque that is held
    const double before = z;
    q += h * qd + 0.5 * h * h * torque / kInertia;
    qd += h * torque / kInertia;
    if (is_beyond) return;
    z += h * e;
    const double excess = wanted() - std::copysign(L, e);
    if (excess * e <= 0.0) return;
    // back to the limit, at most to where it was
    const double back = std::min(std::abs(excess / I), std::abs(z - before));
    slid += h;
    z -= std::copysign(back, e);
  }
};

class JointIntegralLimit : public ::testing::TestWithParam<double> {};

// of the second order in small steps but at switches: 1e-5 s times rates of some units
TEST_P(JointIntegralLimit, StopsWhereItsDriveCanDoNoMore) {
  const double I = GetParam();
  JointPd::Settings pd = settings(20.0, 9.0, I);
  pd.effort_limit = VectorX::Constant(1, 2.0);
  pd.integral_limit = VectorX::Constant(1, 1e3);
  const SimulationSetup setup = rotor(pd, 0.0);
  Loop loop{20.0, 9.0, I, 2.0, -1.0};
  for (int i = 0; i < 300000; ++i) loop.step(1e-5);
  const SimulationResult end = simulate(setup, at(setup, -1.0, 0.0), 3.0);
  EXPECT_NEAR(end.state.q(0), loop.q, 2e-5);
  EXPECT_NEAR(end.state.qd(0), loop.qd, 5e-5);
  EXPECT_NEAR(end.state.z(0), loop.z, 5e-5);
  // a strong integral slides along the limit, a weak one crosses it
  EXPECT_EQ(loop.slid > 0.01, I > 20.0) << loop.slid;
  EXPECT_LT(end.statistics.steps, 2000);
}

INSTANTIATE_TEST_SUITE_P(Gains, JointIntegralLimit, ::testing::Values(5.0, 12.0, 60.0, 200.0),
                         testing::NamedByValue{});

// torque and z change at samples alone: the motion between them is a parabola
TEST(JointIntegral, SampledFollowsItsRecursion) {
  const double K = 20.0, D = 9.0, I = 30.0, h = 0.02, L = 2.0, limit = 0.9;
  JointPd::Settings pd = settings(K, D, I);
  pd.effort_limit = VectorX::Constant(1, L);
  pd.integral_limit = VectorX::Constant(1, limit);
  pd.sample_period = h;
  const SimulationSetup setup = rotor(pd, kDisturbance);
  double q = -0.6, qd = 0.0, z = 0.0;
  bool has_stopped = false, has_reached = false;
  for (int k = 0; k < 150; ++k) {
    const double e = -q, wanted = K * e - D * qd + I * z;
    const double torque = std::clamp(wanted, -L, L) + kDisturbance;
    const bool stops = e > 0.0 ? wanted > L : wanted < -L;
    const double next = z + (stops ? 0.0 : h * e);
    z = std::clamp(next, -limit / I, limit / I);
    has_stopped = has_stopped || stops;
    has_reached = has_reached || z != next;
    q += h * qd + 0.5 * h * h * torque / kInertia;
    qd += h * torque / kInertia;
  }
  EXPECT_TRUE(has_stopped && has_reached);
  const SimulationResult end = simulate(setup, at(setup, -0.6, 0.0), 150 * h);
  EXPECT_EQ(end.state.z.size(), 0);
  EXPECT_NEAR(end.state.q(0), q, 1e-11);
  EXPECT_NEAR(end.state.qd(0), qd, 1e-11);
}

TEST(JointIntegral, BeginsAnewWhenSwitchedOn) {
  for (const double period : {0.0, 0.05}) {
    JointPd::Settings pd = settings(20.0, 9.0, 12.0);
    pd.sample_period = period;
    SimulationSetup setup = rotor(pd, kDisturbance);
    setup.events.push_back(
        {"off", time_event(1.0), CrossingDirection::rising, {SwitchAction{"pd", false}}});
    setup.events.push_back(
        {"on", time_event(2.0), CrossingDirection::rising, {SwitchAction{"pd", true}}});
    Trajectory trajectory;
    Simulator(setup).run(at(setup, 0.4, 0.0), 4.0, 0.5, trajectory);
    const auto& points = trajectory.points;
    // the motion from then on is that of a run that begins there
    const SimulationSetup fresh = rotor(pd, kDisturbance);
    State start = points[4].state;
    start.z.resize(0);
    const SimulationResult end = simulate(fresh, start, 2.0);
    EXPECT_NEAR(points[8].state.q(0), end.state.q(0), 1e-10);
    if (period > 0.0) continue;
    EXPECT_NE(points[1].state.z(0), 0.0);
    EXPECT_EQ(points[3].state.z(0), points[2].state.z(0)) << "z stands still while it is off";
    EXPECT_EQ(points[4].state.z(0), 0.0);
    EXPECT_NEAR(points[8].state.z(0), end.state.z(0), 1e-10);
  }
}

TEST(JointIntegral, RefusesWhatMakesNoSense) {
  const auto refusal = [](const auto& change) {
    JointPd::Settings pd = settings(1.0, 1.0, 1.0);
    change(pd);
    return message_of<Error>([&] { JointPd("pd", pd); });
  };
  using Settings = JointPd::Settings;
  EXPECT_EQ(refusal([](Settings& pd) { pd.integral(0) = -1.0; }),
            "'pd': integral must not be negative");
  EXPECT_EQ(refusal([](Settings& pd) { pd.integral(0) = std::nan(""); }),
            "'pd': integral 1 is not finite");
  EXPECT_EQ(refusal([](Settings& pd) { pd.integral = VectorX::Ones(2); }),
            "'pd': integral has 2 components, expected 1");
  EXPECT_EQ(refusal([](Settings& pd) { pd.integral_limit = VectorX::Zero(1); }),
            "'pd': integral_limit 1 must be positive");
  EXPECT_EQ(refusal([](Settings& pd) { pd.integral_limit = VectorX::Ones(2); }),
            "'pd': integral_limit has 2 components, expected 1");
  EXPECT_EQ(refusal([](Settings& pd) {
              pd.integral.resize(0);
              pd.integral_limit = VectorX::Ones(1);
            }),
            "'pd': integral_limit needs an integral");
}

}  // namespace
}  // namespace spacedyn::testing::joint_integral_test
