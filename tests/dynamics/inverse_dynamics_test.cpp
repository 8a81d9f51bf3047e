// Inverse dynamics against H, virtual power and D'Alembert's principle on random trees.
#include "spacedyn/dynamics/inverse_dynamics.hpp"

#include "spacedyn/error.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/kinematics/jacobians.hpp"
#include "support/case_name.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::inverse_dynamics_test {
namespace {

// forces of order 100 from sums over twenty bodies
constexpr double kTolerance = 1e-12;

class InverseDynamics : public ::testing::TestWithParam<unsigned> {
 protected:
  InverseDynamics()
      : random_(GetParam()),
        model_(random_.model(TreeShape{20, 5, 0.3, true})),
        state_(random_.state(model_)),
        loads_(random_.loads(model_)),
        acceleration_(random_.vector(model_.velocity_size(), 3.0)),
        frames_(model_),
        velocities_(model_) {
    compute_link_frames(model_, state_, frames_);
    compute_link_velocities(model_, state_, frames_, velocities_);
  }

  RandomModels random_;
  Model model_;
  State state_;
  Loads loads_;
  VectorX acceleration_;
  LinkFrames frames_;
  LinkVelocities velocities_;
};

TEST_P(InverseDynamics, IsInertiaTimesAccelerationPlusBias) {
  VectorX expected =
      inertia_matrix(model_, state_) * acceleration_ + bias_forces(model_, state_, loads_.gravity);
  Matrix3X J_T(3, model_.joint_count()), J_R(3, model_.joint_count());
  for (int body = 0; body < model_.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const Vector3 f = loads_.force.col(body), n = loads_.moment.col(body);
    translational_jacobian(model_, frames_, body, J_T);
    rotational_jacobian(model_, frames_, body, J_R);
    expected.head<3>() -= f;
    expected.segment<3>(3) -= n + (frames_.r[i] - frames_.r[0]).cross(f);
    expected.tail(model_.joint_count()) -= J_T.transpose() * f + J_R.transpose() * n;
  }
  EXPECT_LE(relative_difference(inverse_dynamics(model_, state_, acceleration_, loads_), expected),
            kTolerance);
}

TEST_P(InverseDynamics, JacobianSumOfInertiaForcesIsTheSame) {
  // virtual power: Q = Σ J_Tᵀ (m (v̇ − g) − f) + J_Rᵀ (I ω̇ + ω × I ω − n), no recursion of forces
  LinkAccelerations accelerations(model_);
  compute_link_accelerations(model_, state_, frames_, velocities_, acceleration_, accelerations);
  VectorX expected = VectorX::Zero(model_.velocity_size());
  Matrix3X J_T(3, model_.joint_count()), J_R(3, model_.joint_count());
  for (int body = 0; body < model_.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const Matrix3 I = frames_.A[i] * model_.body(body).inertia_L * frames_.A[i].transpose();
    const Vector3 omega = velocities_.omega[i];
    const Vector3 f =
        model_.body(body).mass * (accelerations.vd[i] - loads_.gravity) - loads_.force.col(body);
    const Vector3 n =
        I * accelerations.omegad[i] + omega.cross(I * omega) - loads_.moment.col(body);
    translational_jacobian(model_, frames_, body, J_T);
    rotational_jacobian(model_, frames_, body, J_R);
    expected.head<3>() += f;
    expected.segment<3>(3) += n + (frames_.r[i] - frames_.r[0]).cross(f);
    expected.tail(model_.joint_count()) += J_T.transpose() * f + J_R.transpose() * n;
  }
  EXPECT_LE(relative_difference(inverse_dynamics(model_, state_, acceleration_, loads_), expected),
            kTolerance);
}

TEST_P(InverseDynamics, GivesColumnsOfTheInertiaMatrix) {
  const MatrixX H = inertia_matrix(model_, state_);
  const Loads none(model_);
  const VectorX bias = bias_forces(model_, state_, Vector3::Zero());
  for (int column = 0; column < model_.velocity_size(); ++column) {
    const VectorX unit = VectorX::Unit(model_.velocity_size(), column);
    EXPECT_LE(
        relative_difference(inverse_dynamics(model_, state_, unit, none) - bias, H.col(column)),
        kTolerance);
  }
}

TEST_P(InverseDynamics, FreeFallNeedsNoForce) {
  // all bodies accelerate with g and nothing turns: gravity alone does it
  State at_rest = state_;
  at_rest.omega_0.setZero();
  at_rest.qd.setZero();
  Loads gravity(model_);
  gravity.gravity = loads_.gravity;
  VectorX falling = VectorX::Zero(model_.velocity_size());
  falling.head<3>() = gravity.gravity;
  const VectorX forces = inverse_dynamics(model_, at_rest, falling, gravity);
  EXPECT_LE(forces.cwiseAbs().maxCoeff(), kTolerance);
}

INSTANTIATE_TEST_SUITE_P(Seeds, InverseDynamics, ::testing::Range(1u, 9u), NamedByValue());

TEST(InverseDynamicsInput, RefusesAStateOfAnotherModel) {
  RandomModels random(1);
  const Model model = random.model(TreeShape{});
  State state(model);
  state.q.conservativeResize(3);
  try {
    inverse_dynamics(model, state, VectorX::Zero(model.velocity_size()), Loads(model));
    FAIL() << "a state with three joints was accepted";
  } catch (const DimensionError& error) {
    EXPECT_STREQ(error.what(), "q has 3 elements, expected 12, one per joint");
  }
}

TEST(InverseDynamicsInput, RefusesAccelerationsAndLoadsOfAnotherSize) {
  RandomModels random(1);
  const Model model = random.model(TreeShape{});
  const State state(model);
  try {
    inverse_dynamics(model, state, VectorX::Zero(5), Loads(model));
    FAIL() << "five accelerations were accepted";
  } catch (const DimensionError& error) {
    EXPECT_STREQ(error.what(), "acceleration has 5 elements, expected 18 (6 + joints)");
  }
  try {
    inverse_dynamics(model, state, VectorX::Zero(model.velocity_size()), Loads());
    FAIL() << "loads without a size were accepted";
  } catch (const DimensionError& error) {
    EXPECT_STREQ(error.what(), "loads are sized for 0 joints and 0 bodies, expected 12 and 13");
  }
}

}  // namespace
}  // namespace spacedyn::testing::inverse_dynamics_test
