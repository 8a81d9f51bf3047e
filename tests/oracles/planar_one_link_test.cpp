// A floating base with one link in the plane: everything about it has a closed form, derived here
// from the two-body problem without any of the paper's matrices.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/control/reference.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/kinematics/jacobians.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/reference_data.hpp"
#include "support/shipped.hpp"

namespace spacedyn::testing::planar_one_link_test {
namespace {

/// Base (m0, I0) with its joint at a on the x axis; link (m1, I1) with its centroid at b.
struct OneLink {
  double m0 = 100, I0 = 20, a = 0.5, m1 = 10, I1 = 2, b = 0.75;
  double M = m0 + m1;
  double mu = m0 * m1 / M;  // reduced mass
  double A = I1 + mu * b * b;
  double B = mu * a * b;
  double D = I0 + I1 + mu * (a * a + b * b);

  /// Momentum and energy about the system centroid: L = l_theta θ̇ + l_q q̇.
  double l_theta(double q) const { return D + 2 * B * std::cos(q); }
  double l_q(double q) const { return A + B * std::cos(q); }
  /// Reduced inertia at L = 0 and its derivative: h q̈ + h' q̇² / 2 = τ.
  double h(double q) const { return A - l_q(q) * l_q(q) / l_theta(q); }
  double h_prime(double q) const {
    const double s = std::sin(q);
    return 2 * B * s * l_q(q) / l_theta(q) -
           2 * B * s * l_q(q) * l_q(q) / (l_theta(q) * l_theta(q));
  }
  /// Base angle that goes with the joint angle at L = 0, |q| < π.
  double theta(double q) const {
    return -q / 2 - (2 * A - D) / std::sqrt(D * D - 4 * B * B) *
                        std::atan(std::sqrt((D - 2 * B) / (D + 2 * B)) * std::tan(q / 2));
  }
};

double base_angle(const State& state) { return std::atan2(state.A_0(1, 0), state.A_0(0, 0)); }

/// State with no momentum at all, the joint moving.
State at_rest_in_sum(const Model& robot, double q, double qd) {
  const OneLink form{};
  State state(robot);
  state.q(0) = q;
  state.qd(0) = qd;
  state.omega_0.z() = -form.l_q(q) / form.l_theta(q) * qd;
  // velocity of the base centroid: minus m1/M times that of the link relative to it
  const double turn = state.omega_0.z() + qd;
  state.v_0 = -form.m1 / form.M *
              Vector3(-form.b * turn * std::sin(q),
                      form.a * state.omega_0.z() + form.b * turn * std::cos(q), 0.0);
  return state;
}

class PlanarOneLink : public ::testing::Test {
 protected:
  const std::shared_ptr<const Model> robot = shipped_robot("planar_1link");
  const OneLink form{};
};

TEST_F(PlanarOneLink, ConstantsAreThoseOfTheClosedForm) {
  EXPECT_NEAR(form.A, 7.1136363636, 1e-10);
  EXPECT_NEAR(form.B, 3.4090909091, 1e-10);
  EXPECT_NEAR(form.D, 29.3863636364, 1e-10);
  EXPECT_NEAR(form.h(0), 4.055241682360, 1e-12);
  EXPECT_NEAR(form.h(kPi / 2), 5.391619208325, 1e-12);
}

TEST_F(PlanarOneLink, InertiaMatrixAtARightAngle) {
  State state(*robot);
  state.q(0) = kPi / 2;
  const MatrixX H = inertia_matrix(*robot, state);
  const std::vector<int> plane{0, 1, 5, 6};  // x, y, θ, q
  MatrixX expected(4, 4);
  expected << 110, 0, -7.5, -7.5, 0, 110, 5, 0, -7.5, 5, 30.125, 7.625, -7.5, 0, 7.625, 7.625;
  EXPECT_LT(relative_difference(H(plane, plane), expected), 1e-15);
}

TEST_F(PlanarOneLink, ReducedInertiaIsTheSchurComplement) {
  for (double q = -3.0; q <= 3.0; q += 0.25) {
    State state(*robot);
    state.q(0) = q;
    const MatrixX H = inertia_matrix(*robot, state);
    const VectorX H_bm = H.col(6).head(6);
    const double reduced = H(6, 6) - H_bm.dot(H.topLeftCorner(6, 6).llt().solve(H_bm));
    EXPECT_NEAR(reduced, form.h(q), 1e-13 * form.h(q)) << "q = " << q;
  }
}

TEST_F(PlanarOneLink, MomentumAndEnergy) {
  State state(*robot);
  state.q(0) = 0.7;
  state.qd(0) = -0.4;
  state.omega_0.z() = 0.3;
  LinkFrames frames(*robot);
  LinkVelocities velocities(*robot);
  compute_link_frames(*robot, state, frames);
  compute_link_velocities(*robot, state, frames, velocities);
  const double expected = form.l_theta(0.7) * 0.3 + form.l_q(0.7) * -0.4;
  const Momentum sum = momentum(*robot, frames, velocities);
  EXPECT_NEAR(sum.angular_centroid.z(), expected, 1e-14 * form.D);

  // energy about the centroid plus that of the centroid's motion
  const double about_centroid =
      0.5 * (form.l_theta(0.7) * 0.09 + 2 * form.l_q(0.7) * 0.3 * -0.4 + form.A * 0.16);
  EXPECT_NEAR(kinetic_energy(*robot, frames, velocities),
              about_centroid + sum.linear.squaredNorm() / (2 * form.M), 1e-14 * form.D);
}

TEST_F(PlanarOneLink, ForwardDynamicsSolvesTheReducedEquation) {
  const State state = at_rest_in_sum(*robot, kPi / 2, 1.0);
  EXPECT_NEAR(state.omega_0.z(), -0.242072699149, 1e-12);
  Loads loads(*robot);
  loads.tau(0) = 1.0;
  const VectorX acceleration = forward_dynamics(*robot, state, loads);
  EXPECT_NEAR(acceleration(6), 0.0694637583, 1e-10);
  EXPECT_NEAR(acceleration(6), (1.0 - form.h_prime(kPi / 2) / 2) / form.h(kPi / 2), 1e-14);
}

TEST_F(PlanarOneLink, AnswersAnImpulseAtItsTip) {
  State state(*robot);
  state.q(0) = kPi / 2;
  LinkFrames frames(*robot);
  compute_link_frames(*robot, state, frames);
  const Frame tip = robot->frame("tip");
  Matrix6X J(6, 7);
  J.leftCols(6) = base_jacobian(frames, tip);
  frame_jacobian(*robot, frames, tip, J.rightCols(1));
  const Vector6 impulse = Vector6::Unit(0);
  const VectorX change = inertia_matrix(*robot, state).llt().solve(J.transpose() * impulse);
  VectorX expected = VectorX::Zero(7);
  expected(0) = -1.45 / 313;
  expected(6) = -63.0 / 313;
  EXPECT_LT((change - expected).cwiseAbs().maxCoeff(), 1e-15);
}

TEST_F(PlanarOneLink, BaseTurnsAgainstTheJointAlongTheClosedForm) {
  for (const auto& [target, expected] :
       {std::pair(kPi / 6, -0.151237380030), std::pair(kPi / 2, -0.430969311414)}) {
    SimulationSetup setup = tight_setup(robot);
    setup.prescribed_joints.push_back(
        {1, std::make_shared<QuinticReference>(VectorX::Zero(1), VectorX::Constant(1, target), 0.0,
                                               2.0)});
    const SimulationResult result = fly(setup, State(*robot), 2.0);
    EXPECT_NEAR(base_angle(result.state), expected, 1e-11);
    EXPECT_NEAR(base_angle(result.state), form.theta(target), 1e-11);
    EXPECT_NEAR(result.state.q(0), target, 1e-15);

    // the base centroid circles the system centroid, which started at (m1/M)(a + b)
    const double angle = form.theta(target);
    const auto direction = [](double angle_from_x) {
      return Vector3(std::cos(angle_from_x), std::sin(angle_from_x), 0.0);
    };
    const Vector3 centroid = form.m1 / form.M * (form.a + form.b) * Vector3::UnitX();
    const Vector3 base =
        centroid -
        form.m1 / form.M * (form.a * direction(angle) + form.b * direction(angle + target));
    EXPECT_LT((result.state.r_0 - base).norm(), 1e-11);
  }
}

TEST_F(PlanarOneLink, FullTurnOfTheJointLeavesANetRotation) {
  SimulationSetup setup = tight_setup(robot);
  setup.prescribed_joints.push_back(
      {1, std::make_shared<QuinticReference>(VectorX::Zero(1), VectorX::Constant(1, 2 * kPi), 0.0,
                                             5.0)});
  const SimulationResult result = fly(setup, State(*robot), 5.0);
  const double net =
      -kPi * (1 + (2 * form.A - form.D) / std::sqrt(form.D * form.D - 4 * form.B * form.B));
  EXPECT_NEAR(base_angle(result.state), net, 1e-11);
  EXPECT_GT(std::abs(net), 0.5);
}

TEST_F(PlanarOneLink, SpringHingeIsFasterOnAFreeBaseThanOnAClampedOne) {
  ModelDescription description = robot->description();
  description.links[0].joint.stiffness = 50.0;
  for (const bool fixed : {false, true}) {
    description.base.fixed = fixed;
    const auto model = std::make_shared<const Model>(ModelBuilder(description).build());
    // free: the reduced inertia swings; clamped: the link about its joint
    const double inertia = fixed ? form.I1 + form.m1 * form.b * form.b : form.h(0);
    const double omega = std::sqrt(50.0 / inertia);
    if (!fixed) {
      EXPECT_NEAR(omega, 3.51137029694, 1e-11);
    }

    // after one period of a small swing the joint is back; the next order is amplitude³
    State state = fixed ? State(*model) : at_rest_in_sum(*model, 0.0, 0.0);
    state.q(0) = 1e-4;
    const SimulationResult result = fly(tight_setup(model), state, 2 * kPi / omega);
    EXPECT_NEAR(result.state.q(0), 1e-4, 1e-11);
    EXPECT_NEAR(result.state.qd(0), 0.0, 1e-11);
  }
}

}  // namespace
}  // namespace spacedyn::testing::planar_one_link_test
