#include <cmath>

#include <boost/math/quadrature/gauss_kronrod.hpp>

#include "spacedyn/control/prescribed_motion.hpp"
#include "spacedyn/control/resting_table.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::prescribed_motion_test {
namespace {

const double kPi = std::acos(-1.0);

double yaw(const State& state) { return std::atan2(state.A_0(1, 0), state.A_0(0, 0)); }

/// Constant rate from the start, for ever.
class Rate final : public Reference {
 public:
  explicit Rate(double rate) : rate_(rate) {}
  int size() const override { return 1; }
  ReferenceValue evaluate(int, double time) const override { return {rate_ * time, rate_, 0.0}; }

 private:
  double rate_;
};

/// One component that visits corners one after the other, each leg a quintic of the same duration.
class Corners final : public Reference {
 public:
  Corners(std::vector<double> corners, double leg) : corners_(std::move(corners)), leg_(leg) {
    for (std::size_t i = 0; i + 1 < corners_.size(); ++i) {
      legs_.emplace_back(VectorX::Constant(1, corners_[i]), VectorX::Constant(1, corners_[i + 1]),
                         static_cast<double>(i) * leg_, leg_);
    }
  }
  int size() const override { return 1; }
  ReferenceValue evaluate(int, double time) const override {
    const auto i = static_cast<std::size_t>(std::max(0.0, std::floor(time / leg_)));
    return legs_[std::min(i, legs_.size() - 1)].evaluate(0, time);
  }
  void append_discontinuities(std::vector<double>& times) const override {
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      times.push_back(static_cast<double>(i) * leg_);
    }
  }

 private:
  std::vector<double> corners_;
  double leg_;
  std::vector<QuinticReference> legs_;
};

TEST(PrescribedJoint, MovesExactlyAndTheTorqueIsComputed) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::one_link());
  setup.integrator = testing::dopri5(1e-12);
  const auto reference = std::make_shared<QuinticReference>(VectorX::Constant(1, 0.2),
                                                            VectorX::Constant(1, 1.9), 0.5, 3.0);
  setup.prescribed_joints = {{1, reference}};
  Trajectory trajectory;
  const SimulationResult result = Simulator(setup).run(State(*setup.model), 4.0, 0.05, trajectory);

  // the reduced equation of motion h q̈ + ½ h' q̇² = τ of the one-link robot
  const double A = 7.1136363636363636;
  const double B = 3.4090909090909091;
  const double D = 29.3863636363636364;
  for (const TrajectoryPoint& sample : trajectory.points) {
    const ReferenceValue value = reference->evaluate(0, sample.time);
    EXPECT_EQ(sample.state.q(0), value.position);
    EXPECT_EQ(sample.state.qd(0), value.velocity);
    const double c = std::cos(value.position);
    const double s = std::sin(value.position);
    const double numerator = A + B * c;
    const double denominator = D + 2.0 * B * c;
    const double h = A - numerator * numerator / denominator;
    const double h_prime =
        (2.0 * numerator * B * s * denominator - numerator * numerator * 2.0 * B * s) /
        (denominator * denominator);
    EXPECT_NEAR(sample.forces(6),
                h * value.acceleration + 0.5 * h_prime * value.velocity * value.velocity, 1e-10)
        << sample.time;
  }
  EXPECT_LT(result.audit.momentum_drift(), 1e-11);
  EXPECT_LT(result.audit.energy_residual(), 1e-10);
  EXPECT_GT(result.integrals.throughput, 1.0);
}

class ImposedMotion : public ::testing::TestWithParam<IntegrationMethod> {};

// W = ΔT of motors that impose all there is: no free coordinate has an error to go by
TEST_P(ImposedMotion, StepsFollowTheWork) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::one_link());
  setup.base_mode = BaseMode::fixed;
  setup.integrator = testing::adaptive(GetParam(), 1e-9);
  setup.prescribed_joints = {{1, std::make_shared<QuinticReference>(
                                     VectorX::Zero(1), VectorX::Constant(1, 1.9), 0.5, 3.0)}};
  const SimulationResult result = testing::simulate(setup, State(*setup.model), 2.0);
  EXPECT_GT(result.integrals.work, 1.0);
  EXPECT_NEAR(result.integrals.work, result.final_energy.kinetic,
              1e-8 * result.integrals.throughput);
  EXPECT_LT(result.audit.energy_residual(), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Method, ImposedMotion,
                         ::testing::Values(IntegrationMethod::dop853, IntegrationMethod::dopri5,
                                           IntegrationMethod::cash_karp54,
                                           IntegrationMethod::fehlberg78,
                                           IntegrationMethod::bulirsch_stoer,
                                           IntegrationMethod::rodas),
                         [](const auto& method) { return std::string(to_string(method.param)); });

/// dθ/ds = −(N₁ q̇₁ + N₂ q̇₂) / N₀ of the planar two-link robot at zero angular momentum, from the
/// positions of three bodies in the plane.
Vector3 angular_momentum_coefficients(double q1, double q2) {
  using Vector2 = Eigen::Vector2d;
  const double m[] = {100.0, 10.0, 10.0};
  const double I[] = {20.0, 1.0, 1.0};
  const auto direction = [](double angle) { return Vector2(std::cos(angle), std::sin(angle)); };
  const auto left = [](const Vector2& v) { return Vector2(-v.y(), v.x()); };
  const Vector2 joint1 = 0.5 * direction(0.0);
  const Vector2 joint2 = joint1 + direction(q1);
  const Vector2 r[] = {Vector2::Zero(), joint1 + 0.5 * direction(q1),
                       joint2 + 0.5 * direction(q1 + q2)};
  const Vector2 pivot[] = {Vector2::Zero(), joint1, joint2};
  Vector2 centroid = Vector2::Zero();
  for (int i = 0; i < 3; ++i) centroid += m[i] * r[i] / 120.0;
  Vector3 N = Vector3::Zero();
  for (int j = 0; j < 3; ++j) {  // turning everything beyond pivot j
    for (int i = j; i < 3; ++i) {
      const Vector2 velocity = left(r[i] - pivot[j]);
      const Vector2 arm = r[i] - centroid;
      N(j) += I[i] + m[i] * (arm.x() * velocity.y() - arm.y() * velocity.x());
    }
  }
  return N;
}

double base_rotation_along(const std::vector<Eigen::Vector2d>& corners) {
  double angle = 0.0;
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
    const Eigen::Vector2d step = corners[i + 1] - corners[i];
    angle += boost::math::quadrature::gauss_kronrod<double, 31>::integrate(
        [&](double s) {
          const Eigen::Vector2d q = corners[i] + s * step;
          const Vector3 N = angular_momentum_coefficients(q(0), q(1));
          return -(N(1) * step(0) + N(2) * step(1)) / N(0);
        },
        0.0, 1.0);
  }
  return angle;
}

double simulated_rotation(const std::vector<Eigen::Vector2d>& corners, double leg) {
  std::vector<double> q1;
  std::vector<double> q2;
  for (const Eigen::Vector2d& corner : corners) {
    q1.push_back(corner(0));
    q2.push_back(corner(1));
  }
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::planar_two_link());
  setup.integrator = testing::dopri5(1e-12);
  setup.prescribed_joints = {{1, std::make_shared<Corners>(q1, leg)},
                             {2, std::make_shared<Corners>(q2, leg)}};
  const double duration = leg * static_cast<double>(corners.size() - 1);
  return yaw(testing::simulate(setup, State(*setup.model), duration).state);
}

TEST(NonHolonomicDrift, CoefficientsAreThePublishedOnes) {
  EXPECT_LT((angular_momentum_coefficients(0.0, 0.0) - Vector3(64.5, 32.0, 9.75)).norm(), 1e-12);
  EXPECT_LT((angular_momentum_coefficients(0.5 * kPi, 0.5 * kPi) -
             Vector3(34.9166666667, 12.8333333333, 1.2083333333))
                .norm(),
            1e-9);
}

TEST(NonHolonomicDrift, ClosedLoopTurnsTheBase) {
  const double h = 0.5 * kPi;
  const std::vector<Eigen::Vector2d> loop{{0, 0}, {h, 0}, {h, h}, {0, h}, {0, 0}};
  const std::vector<Eigen::Vector2d> reversed(loop.rbegin(), loop.rend());
  const double expected = base_rotation_along(loop);
  EXPECT_GT(std::abs(expected), 0.01);
  const double rotation = simulated_rotation(loop, 2.0);
  EXPECT_NEAR(rotation, expected, 1e-10);
  EXPECT_NEAR(simulated_rotation(reversed, 2.0), -expected, 1e-10);
  // the speed does not matter
  EXPECT_NEAR(simulated_rotation(loop, 0.3), expected, 1e-10);
}

TEST(NonHolonomicDrift, RetracedPathTurnsNothing) {
  const std::vector<Eigen::Vector2d> there_and_back{
      {0, 0}, {1.2, 0.4}, {0.7, 1.5}, {1.2, 0.4}, {0, 0}};
  EXPECT_NEAR(simulated_rotation(there_and_back, 1.0), 0.0, 1e-11);
}

TEST(PrescribedBase, SpinningGuideDrivesAMassOnASpringOutward) {
  const double m = 2.0;
  const double k = 50.0;
  const double spin = 3.0;
  LinkDescription slider =
      testing::link_body("slider", "base", m, {0.1, 0.1, 0.1}, Vector3::Zero(), Vector3::Zero());
  slider.joint.type = JointType::prismatic;
  slider.joint.axis = Vector3::UnitX();
  slider.joint.stiffness = k;
  SimulationSetup setup;
  setup.model =
      std::make_shared<const Model>(ModelBuilder("guide")
                                        .set_base(testing::base_body(5.0, {1.0, 1.0, 1.0}))
                                        .add_link(slider)
                                        .build());
  setup.base_mode = BaseMode::prescribed;
  setup.prescribed_base = PrescribedBase{};
  setup.prescribed_base->angle = std::make_shared<Rate>(spin);
  setup.integrator = testing::dopri5(1e-12);
  State initial(*setup.model);
  initial.q(0) = 0.3;
  Trajectory trajectory;
  const SimulationResult result = Simulator(setup).run(initial, 10.0, 0.1, trajectory);

  const double omega = std::sqrt(k / m - spin * spin);  // the spin softens the spring
  for (const TrajectoryPoint& sample : trajectory.points) {
    const double q = 0.3 * std::cos(omega * sample.time);
    const double qd = -0.3 * omega * std::sin(omega * sample.time);
    EXPECT_NEAR(sample.state.q(0), q, 1e-10);
    EXPECT_NEAR(std::remainder(yaw(sample.state) - spin * sample.time, 2.0 * kPi), 0.0, 1e-12);
    // the drive's moment balances the Coriolis force
    EXPECT_NEAR(sample.forces(5), 2.0 * m * spin * q * qd, 1e-9);
  }
  EXPECT_LT(result.audit.momentum_drift(), 1e-11);
  EXPECT_LT(result.audit.energy_residual(), 1e-11);
  EXPECT_GT(result.integrals.throughput, 1.0);
}

TEST(FixedBase, StaysAndItsReactionIsCounted) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::planar_two_link());
  setup.base_mode = BaseMode::fixed;
  setup.gravity = {1.0, -2.0, 0.0};
  setup.integrator = testing::dopri5(1e-11);
  State initial(*setup.model);
  initial.r_0 = {1.0, 2.0, 3.0};
  initial.qd << 0.5, -0.8;
  const SimulationResult result = testing::simulate(setup, initial, 10.0);
  EXPECT_EQ(result.state.r_0, initial.r_0);
  EXPECT_EQ(result.state.A_0, initial.A_0);
  EXPECT_EQ(result.state.v_0, Vector3(Vector3::Zero()));
  EXPECT_LT(result.audit.momentum_drift(), 1e-9);
  EXPECT_LT(result.audit.energy_residual(), 1e-9);
}

// A flight a million times as long as what moves: where the table turns back its velocity is
// rounding.
TEST(PrescribedJoint, TurnsBackInALongFlight) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::one_link());
  const std::vector<double> angles{0.3,   0.3,   0.302, 0.317, 0.379, 0.545, 0.877,
                                   1.388, 1.993, 2.5,   2.7,   2.5,   1.993, 1.388,
                                   0.877, 0.545, 0.379, 0.317, 0.302, 0.3,   0.3};
  std::vector<double> times;
  MatrixX rows(1, static_cast<Eigen::Index>(angles.size()));
  for (const double angle : angles) {
    rows(static_cast<Eigen::Index>(times.size())) = angle;
    times.push_back(static_cast<double>(times.size()));
  }
  setup.prescribed_joints = {{1, std::make_shared<RestingTable>(times, rows)}};
  setup.events = {{"enough", time_event(1.0), CrossingDirection::rising, {StopAction{}}}};
  // to the precision of events
  EXPECT_NEAR(testing::simulate(setup, State(*setup.model), 1e7).time, 1.0, 1e-9);
}

}  // namespace
}  // namespace spacedyn::prescribed_motion_test
