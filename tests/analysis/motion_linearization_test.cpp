// Linear models of systems with motion constraints: closed forms, and the nonlinear motion.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <unsupported/Eigen/MatrixFunctions>

#include "spacedyn/analysis/linearization.hpp"
#include "spacedyn/analysis/modes.hpp"
#include "spacedyn/forces/motion_constraint.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/terrain/terrain.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::motion_linearization_test {
namespace {

constexpr double kG = 9.81, kMass = 2.0, kRadius = 0.3;
constexpr double kAxial = 0.5 * kMass * kRadius * kRadius, kAcross = 0.5 * kAxial;

/// A thin disc upright on a plane, whose axis is y.
struct UprightDisc {
  explicit UprightDisc(double spin) {
    setup.model = std::make_shared<const Model>(single_body(kMass, {kAcross, kAxial, kAcross}));
    setup.gravity = {0, 0, -kG};
    setup.integrator = adaptive(IntegrationMethod::dop853, 1e-13);
    setup.forces = {std::make_shared<RollingConstraint>(
        "wheel",
        RollingConstraint::Settings{setup.model->frame("base"), kRadius, Vector3::UnitY(),
                                    std::make_shared<PlaneTerrain>(Vector3::UnitZ(), 0.0)})};
    start = State(*setup.model);
    start.r_0.z() = kRadius;
    start.omega_0.y() = spin;
    start.v_0.x() = spin * kRadius;
  }
  SimulationSetup setup;
  State start;
};

TEST(MotionLinearization, KnowsWhenADiscFalls) {
  // λ² = (m g r − (C + m r²) (C/A) Ω²)/(A + m r²) = 4/5 (g/r − 3 Ω²) of a thin disc
  for (const double spin : {0.0, 2.0, 5.0}) {
    const UprightDisc disc(spin);
    const Linearization linear = linearize(disc.setup, disc.start);
    // one row holds the height, three the velocities
    EXPECT_EQ(linear.position_count, 5);
    ASSERT_EQ(linear.A.rows(), 8);
    const double square = 0.8 * (kG / kRadius - 3.0 * spin * spin);
    const std::complex<double> expected = std::sqrt(std::complex<double>(square));
    int found = 0;
    for (const EigenMode& mode : eigenmodes(linear.A)) {
      // of multiple zeros rounding leaves roots of eps
      if (mode.omega < 0.1) continue;
      ++found;
      EXPECT_NEAR(mode.eigenvalue.imag(), expected.imag(), 1e-6);
      EXPECT_NEAR(std::abs(mode.eigenvalue.real()), expected.real(), 1e-6);
    }
    EXPECT_EQ(found, square > 0.0 ? 2 : 1);
    EXPECT_LT(linear.rate.tail(3).norm(), 1e-12);
  }
}

TEST(MotionLinearization, PredictsNeighbouringMotions) {
  // δx(t) = e^{A t} δx of a steady motion, of which A does not change
  constexpr double kTime = 0.4, kLean = 1e-5;
  const UprightDisc disc(4.0);
  const Linearization linear = linearize(disc.setup, disc.start);
  State leaning = disc.start;
  leaning.A_0 = exp_so3(Vector3(kLean, 0, 0));
  leaning.r_0 = kRadius * leaning.A_0.col(2);
  leaning.omega_0 = 4.0 * leaning.A_0.col(1);
  leaning.v_0 = leaning.omega_0.cross(leaning.r_0);
  const auto place = [&](const std::string& name) {
    const auto& names = linear.state_names;
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  const auto lean = place("base.rotation.x");
  ASSERT_LT(lean, linear.A.rows());
  VectorX change = VectorX::Zero(linear.A.rows());
  const auto put = [&](const std::string& name, double value) {
    if (place(name) < change.size()) change(place(name)) = value;
  };
  put("base.rotation.x", kLean);
  const Vector3 r = leaning.r_0 - disc.start.r_0, v = leaning.v_0 - disc.start.v_0;
  const Vector3 omega = leaning.omega_0 - disc.start.omega_0;
  const char* const axes[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) {
    put(std::string("base.position.") + axes[i], r(i));
    put(std::string("base.velocity.") + axes[i], v(i));
    put(std::string("base.angular_velocity.") + axes[i], omega(i));
  }
  const VectorX later = (linear.A * kTime).exp() * change;
  const SimulationResult near = simulate(disc.setup, leaning, kTime);
  const SimulationResult there = simulate(disc.setup, disc.start, kTime);
  const Vector3 turn = log_so3(near.state.A_0 * there.state.A_0.transpose());
  // to second order of the lean
  EXPECT_NEAR(later(lean) / kLean, turn.x() / kLean, 1e-4);
  const auto heading = place("base.rotation.z");
  ASSERT_LT(heading, later.size());
  EXPECT_NEAR(later(heading) / kLean, turn.z() / kLean, 1e-4);
}

TEST(MotionLinearization, PredictsASleighWithASprungArm) {
  // it slides along its blade; an arm that is struck turns it and sets it off
  constexpr double kTime = 0.7, kStrike = 1e-5;
  ModelDescription description = one_link_description();
  description.links[0].joint.stiffness = 30.0;
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(ModelBuilder(description).build());
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-13);
  Frame edge = setup.model->frame("base");
  edge.position = {-0.4, 0.1, 0};
  setup.forces = {std::make_shared<KnifeEdge>("edge", KnifeEdge::Settings{edge, Vector3::UnitY()})};
  State start(*setup.model);
  start.v_0.x() = 1.5;
  const Linearization linear = linearize(setup, start);
  EXPECT_EQ(linear.position_count, 7);
  ASSERT_EQ(linear.A.rows(), 13);
  const auto place = [&](const std::string& name) {
    const auto& names = linear.state_names;
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  VectorX change = VectorX::Zero(13);
  change(place("arm.velocity")) = kStrike;
  const VectorX later = (linear.A * kTime).exp() * change;
  State struck = start;
  struck.qd(0) = kStrike;
  const SimulationResult near = simulate(setup, struck, kTime);
  const Vector3 turn = log_so3(near.state.A_0);
  // to second order of the strike
  EXPECT_NEAR(later(place("arm.position")) / kStrike, near.state.q(0) / kStrike, 1e-4);
  EXPECT_NEAR(later(place("arm.velocity")) / kStrike, near.state.qd(0) / kStrike, 1e-4);
  EXPECT_NEAR(later(place("base.rotation.z")) / kStrike, turn.z() / kStrike, 1e-4);
  EXPECT_NEAR(later(place("base.position.y")) / kStrike, near.state.r_0.y() / kStrike, 1e-4);
  EXPECT_GT(std::abs(turn.z()) / kStrike, 1e-2);
}

}  // namespace
}  // namespace spacedyn::testing::motion_linearization_test
