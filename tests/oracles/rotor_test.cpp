// A geared rotor with full coupling against the same rotor as a body of its own, made to turn with
// the joint: H' = Gᵀ H G and c' = Gᵀ c for u = G u', since G is constant.
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "spacedyn/dynamics/derivatives.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/dynamics/recursive_newton_euler.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/inertia/regularity.hpp"
#include "support/case_name.hpp"
#include "support/dense_dynamics.hpp"
#include "support/random_models.hpp"
#include "support/shipped.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::rotor_test {
namespace {

constexpr double kRotor = 0.03;  // kg m²
constexpr double kGear = -7.0;   // turns the other way, too
constexpr double kRotorMass = 0.9;

LinkDescription arm(const std::string& name, const std::string& parent, const Vector3& axis) {
  LinkDescription link =
      link_body(name, parent, 3.0, {0.1, 0.2, 0.25}, {0.4, 0.1, -0.2}, {0.3, 0.05, 0.1});
  link.joint.axis = axis;
  return link;
}

/// Base, a wheel-carrying link, and a geared link on it.
ModelDescription robot() {
  return ModelBuilder("robot")
      .set_base(base_body(20.0, {2.0, 3.0, 4.0}))
      .add_link(arm("first", "base", {1, 2, -1}))
      .add_link(arm("second", "first", {0.3, -1, 0.5}))
      .add_link(arm("third", "second", {0, 0.2, 1}))
      .description();
}

Model with_rotor(RotorCoupling coupling) {
  ModelDescription description = robot();
  LinkDescription& geared = description.links[1];
  geared.joint.rotor_inertia = kRotor;
  geared.joint.gear_ratio = kGear;
  geared.joint.rotor_coupling = coupling;
  // the carrier as its user gives it: with the rotor at rest inside
  LinkDescription rotor;
  rotor.name = "locked_rotor";
  rotor.parent = "first";
  rotor.mass = kRotorMass;
  rotor.joint = geared.joint;
  rotor.joint.name = "locked";
  rotor.joint.type = JointType::fixed;
  rotor.joint.rotor_inertia = 0.0;
  const Vector3 k = geared.joint.axis.normalized();
  rotor.inertia = 0.5 * kRotor * (Matrix3::Identity() + k * k.transpose());
  description.links.push_back(rotor);
  return ModelBuilder(description).build();
}

/// The rotor as the fourth link, free to turn.
Model with_rotor_body() {
  ModelDescription description = robot();
  LinkDescription rotor;
  rotor.name = "rotor";
  rotor.parent = "first";
  rotor.mass = kRotorMass;
  rotor.joint = description.links[1].joint;
  rotor.joint.name = "motor";
  const Vector3 k = rotor.joint.axis.normalized();
  rotor.inertia = 0.5 * kRotor * (Matrix3::Identity() + k * k.transpose());
  description.links.push_back(rotor);
  return ModelBuilder(description).build();
}

State with_motor(const Model& whole, const State& state) {
  State result(whole);
  result.r_0 = state.r_0;
  result.A_0 = state.A_0;
  result.v_0 = state.v_0;
  result.omega_0 = state.omega_0;
  result.q << state.q, kGear * state.q(1);
  result.qd << state.qd, kGear * state.qd(1);
  return result;
}

class CoupledRotor : public ::testing::TestWithParam<int> {
 protected:
  RandomModels random_{static_cast<unsigned>(GetParam())};
  const Model geared_ = with_rotor(RotorCoupling::full);
  const Model whole_ = with_rotor_body();
  const State state_ = random_.state(geared_);
  const State whole_state_ = with_motor(whole_, state_);
};

TEST_P(CoupledRotor, MovesAsABodyThatTurnsWithTheJoint) {
  MatrixX G = MatrixX::Zero(10, 9);
  G.topLeftCorner(9, 9).setIdentity();
  G(9, 7) = kGear;
  const MatrixX H = G.transpose() * inertia_matrix(whole_, whole_state_) * G;
  EXPECT_LT((inertia_matrix(geared_, state_) - H).norm(), 1e-12 * H.norm());

  const Vector3 gravity(0.5, -1, 2);
  const VectorX c = G.transpose() * bias_forces(whole_, whole_state_, gravity);
  EXPECT_LT((bias_forces(geared_, state_, gravity) - c).norm(), 1e-12 * c.norm());

  Loads loads = random_.loads(geared_);
  loads.gravity = gravity;
  loads.force.setZero();
  loads.moment.setZero();
  VectorX forces(9);
  forces << loads.F_b, loads.tau;
  const VectorX expected = H.llt().solve(forces - c);
  const VectorX found = forward_dynamics(geared_, state_, loads);
  EXPECT_LT((found - expected).norm(), 1e-11 * expected.norm());
}

TEST_P(CoupledRotor, HasTheMomentumAndEnergyOfThatBody) {
  const auto quantities = [](const Model& model, const State& state) {
    LinkFrames frames(model);
    LinkVelocities velocities(model);
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
    const Momentum p = momentum(model, frames, velocities);
    VectorX all(7);
    all << p.linear, p.angular_centroid, kinetic_energy(model, frames, velocities);
    return all;
  };
  const VectorX expected = quantities(whole_, whole_state_);
  EXPECT_LT((quantities(geared_, state_) - expected).norm(), 1e-12 * expected.norm());
}

INSTANTIATE_TEST_SUITE_P(States, CoupledRotor, ::testing::Range(1, 6), NamedByValue());

TEST(ReflectedRotor, AddsToItsJointAlone) {
  ModelDescription without = with_rotor(RotorCoupling::reflected).description();
  without.links[1].joint.rotor_inertia = 0.0;
  const Model plain = ModelBuilder(without).build();
  const Model geared = with_rotor(RotorCoupling::reflected);
  const State state = RandomModels(3).state(plain);
  MatrixX difference = inertia_matrix(geared, state) - inertia_matrix(plain, state);
  EXPECT_NEAR(difference(7, 7), kGear * kGear * kRotor, 1e-14);
  difference(7, 7) = 0.0;
  EXPECT_EQ(difference.norm(), 0.0);
  EXPECT_EQ(
      (bias_forces(geared, state, Vector3::Zero()) - bias_forces(plain, state, Vector3::Zero()))
          .norm(),
      0.0);
}

class RotorAlgorithms : public ::testing::TestWithParam<RotorCoupling> {};

TEST_P(RotorAlgorithms, AgreeWithOneAnother) {
  const Model model = with_rotor(GetParam());
  RandomModels random(11);
  const State state = random.state(model);
  const Loads loads = random.loads(model);
  const VectorX acceleration = dense_forward_dynamics(model, state, loads);
  VectorX forces(9);
  forces << loads.F_b, loads.tau;
  const VectorX needed = inverse_dynamics(model, state, acceleration, loads);
  EXPECT_LT((needed - forces).norm(), 1e-11 * forces.norm());

  SpatialMotion motion(model);
  VectorX recursive(9);
  recursive_newton_euler(model, link_inertias(model), state, acceleration, loads, motion,
                         recursive);
  EXPECT_LT((recursive - forces).norm(), 1e-11 * forces.norm());

  const MatrixX H = inertia_matrix(model, state);
  const ForwardDynamicsDerivatives forward = forward_dynamics_derivatives(model, state, loads);
  EXPECT_LT((forward.acceleration - acceleration).norm(), 1e-10 * acceleration.norm());
  EXPECT_LT((forward.force * H - MatrixX::Identity(9, 9)).norm(), 1e-10);
  const InverseDynamicsDerivatives inverse =
      inverse_dynamics_derivatives(model, state, acceleration, loads);
  EXPECT_LT((inverse.acceleration - H).norm(), 1e-12 * H.norm());
  EXPECT_LT((forward.configuration + forward.force * inverse.configuration).norm(),
            1e-9 * inverse.configuration.norm());

  TreeWorkspace workspace(model, Mobility(model));
  VectorX fast = VectorX::Zero(9), given(9);
  ASSERT_EQ(forward_dynamics(state, loads, workspace, fast, given), DynamicsStatus::ok);
  EXPECT_LT((fast - acceleration).norm(), 1e-10 * acceleration.norm());
  inverse_dynamics(state, acceleration, loads, workspace, given);
  EXPECT_LT((given - forces).norm(), 1e-11 * forces.norm());
  MatrixX composite(9, 9);
  composite_rigid_body(state, workspace, composite);
  EXPECT_LT((composite - H).norm(), 1e-12 * H.norm());

  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);
  VectorX u(9);
  u << state.v_0, state.omega_0, state.qd;
  EXPECT_NEAR(kinetic_energy(model, frames, velocities), 0.5 * u.dot(H * u), 1e-12);
}

TEST_P(RotorAlgorithms, FindTheForceOfAnImposedRotor) {
  const Model model = with_rotor(GetParam());
  RandomModels random(12);
  const State state = random.state(model);
  const Loads loads = random.loads(model);
  const Mobility mobility(true, {true, false, true});
  VectorX acceleration = VectorX::Zero(9), forces(9);
  acceleration(7) = 1.7;
  VectorX fast = acceleration, fast_forces(9);
  DynamicsWorkspace workspace(model, mobility);
  update_kinematics(model, state, workspace);
  ASSERT_EQ(hybrid_dynamics(model, state, loads, mobility, workspace, acceleration, forces),
            DynamicsStatus::ok);
  TreeWorkspace tree(model, mobility);
  ASSERT_EQ(forward_dynamics(state, loads, tree, fast, fast_forces), DynamicsStatus::ok);
  EXPECT_LT((fast - acceleration).norm(), 1e-10 * acceleration.norm());
  EXPECT_LT((fast_forces - forces).norm(), 1e-10 * forces.norm());
  Loads given = loads;
  given.tau(1) = 0.0;
  VectorX total = forces;
  total(7) += loads.tau(1);
  EXPECT_LT((inverse_dynamics(model, state, acceleration, given) - total).norm(),
            1e-10 * total.norm());
}

INSTANTIATE_TEST_SUITE_P(Couplings, RotorAlgorithms,
                         ::testing::Values(RotorCoupling::reflected, RotorCoupling::full),
                         [](const auto& coupling) {
                           return coupling.param == RotorCoupling::full ? "full" : "reflected";
                         });

TEST(CoupledRotorFlight, KeepsMomentumAndEnergy) {
  const auto model = std::make_shared<const Model>(with_rotor(RotorCoupling::full));
  State state = RandomModels(5).state(*model);
  const SimulationResult result = fly(tight_setup(model), state, 5.0);
  EXPECT_LT(result.audit.momentum_drift(), 1e-11);
  EXPECT_LT(result.audit.energy_residual(), 1e-11);
  EXPECT_GT((result.state.A_0 - state.A_0).norm(), 0.1);
}

TEST(RotorRegularity, ARotorMakesAMasslessLinkMovable) {
  ModelDescription description = robot();
  LinkDescription needle = arm("needle", "third", {0, 0, 1});
  needle.mass = 0.0;
  needle.inertia.setZero();
  description.links.push_back(needle);
  const Model loose = ModelBuilder(description).build();
  EXPECT_EQ(find_singularity(loose, State(loose), true), "joint 'needle'");
  description.links.back().joint.rotor_inertia = 0.001;
  const Model driven = ModelBuilder(description).build();
  EXPECT_FALSE(find_singularity(driven, State(driven), true));
}

}  // namespace
}  // namespace spacedyn::testing::rotor_test
