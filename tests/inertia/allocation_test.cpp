// What a controller calls per step must not allocate.
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/inertia/impulse.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/inertia/manipulability.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/inertia/reaction_null_space.hpp"
#include "spacedyn/inertia/reduced_inertia.hpp"
#include "spacedyn/inertia/regressor.hpp"
#include "spacedyn/kinematics/point_acceleration.hpp"
#include "support/allocation_guard.hpp"
#include "support/case_name.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing::allocation_test {
namespace {

/// Allocations that a call makes.
template <typename Call>
long allocations_of(Call call) {
  const long before = allocation_count();
  call();
  return allocation_count() - before;
}

/// A robot with the memory for every quantity of this folder.
class Allocation : public ::testing::TestWithParam<int> {
 protected:
  Allocation()
      : model_(RandomModels(3).model(TreeShape{GetParam(), 3, 0.3, true})),
        state_(RandomModels(4).state(model_)),
        hand_(model_.frame("hand")),
        n_(model_.joint_count()) {
    update();
  }

  void SetUp() override {
    if (!counts_allocations()) GTEST_SKIP() << "a sanitizer owns the heap";
  }

  void update() {
    compute_link_frames(model_, state_, frames_);
    compute_link_velocities(model_, state_, frames_, velocities_);
    frame_jacobian(model_, frames_, hand_, J_m_);
    frame_jacobian_derivative(model_, frames_, velocities_, hand_, J_m_dot_);
    J_b_ = base_jacobian(frames_, hand_);
    J_b_dot_ = base_jacobian_derivative(frames_, velocities_, hand_);
    bias_ = bias_acceleration(model_, state_, frames_, velocities_, hand_);
    compute_inertia_blocks(model_, frames_, jacobians_, blocks_);
    compute_inertia_rates(model_, frames_, velocities_, rates_workspace_, rates_);
    status_ = compute_base_response(model_, blocks_, response_);
  }

  Model model_;
  State state_;
  Frame hand_;
  int n_;
  LinkFrames frames_{model_};
  LinkVelocities velocities_{model_};
  ClassicalAcceleration bias_;
  Matrix6X J_m_{6, n_}, J_m_dot_{6, n_}, J_star_{6, n_}, J_star_dot_{6, n_}, D_dot_{6, n_};
  Matrix6 J_b_, J_b_dot_;
  JacobianWorkspace jacobians_{model_};
  InertiaBlocks blocks_{model_};
  InertiaRatesWorkspace rates_workspace_{model_};
  InertiaRates rates_{model_};
  BaseResponse response_{model_};
  InertiaStatus status_ = InertiaStatus::ok;
};

TEST_P(Allocation, OfTheLibraryAreCounted) {
  EXPECT_GT(allocations_of([&] { frame_jacobians(model_, state_, hand_); }), 0);
}

TEST_P(Allocation, NoneInKinematicsAndInertia) {
  EXPECT_EQ(allocations_of([&] { update(); }), 0);
  EXPECT_EQ(status_, InertiaStatus::ok);
}

TEST_P(Allocation, NoneInGeneralizedJacobians) {
  MatrixX H_star(n_, n_);
  Vector6 offset;
  EXPECT_EQ(
      allocations_of([&] {
        generalized_jacobian(J_m_, J_b_, response_, J_star_);
        compute_base_response_rate(response_, rates_, D_dot_);
        generalized_jacobian_derivative(J_m_dot_, J_b_, J_b_dot_, response_, D_dot_, J_star_dot_);
        reduced_inertia(blocks_, response_, H_star);
        offset = twist_offset(J_b_, response_, Vector6::Ones()) +
                 twist_offset_rate(J_b_, J_b_dot_, response_, rates_, state_.v_0, Vector6::Ones()) +
                 base_twist(response_, state_.qd);
      }),
      0);
  EXPECT_TRUE(offset.allFinite());
}

TEST_P(Allocation, NoneInRegressors) {
  LinkAccelerations accelerations(model_);
  const VectorX rates = VectorX::Ones(6 + n_);
  const Vector3 gravity(0.0, 0.0, -9.81);
  const int columns = kInertialParameters * model_.body_count();
  MatrixX Y(6 + n_, columns);
  MatrixX energy(2, columns);
  Matrix6X momentum(6, columns);
  EXPECT_EQ(allocations_of([&] {
              compute_link_accelerations(model_, state_, frames_, velocities_, rates,
                                         accelerations);
              inverse_dynamics_regressor(model_, frames_, velocities_, accelerations, gravity, Y);
              momentum_regressor(model_, frames_, velocities_, momentum);
              energy_regressor(model_, frames_, velocities_, gravity, energy);
            }),
            0);
}

TEST_P(Allocation, NoneInCoriolisAndCentroidalMatrices) {
  CoriolisWorkspace workspace(model_);
  MatrixX C(6 + n_, 6 + n_);
  Matrix3X J_g(3, 6 + n_);
  Matrix6X A_g(6, 6 + n_);
  EXPECT_EQ(allocations_of([&] {
              compute_coriolis_matrix(model_, frames_, velocities_, workspace, C);
              center_of_mass_jacobian(blocks_, J_g);
              center_of_mass_jacobian_derivative(blocks_, rates_, J_g);
              centroidal_momentum_matrix(blocks_, A_g);
              centroidal_momentum_matrix_derivative(blocks_, rates_, A_g);
            }),
            0);
}

TEST_P(Allocation, NoneInNullSpacesMeasuresAndImpulses) {
  ReactionNullSpace angular(model_, Reaction::angular), full(model_, Reaction::full);
  CouplingWorkspace coupling(model_);
  SingularValues jacobian(6, n_);
  ImpulseResponse impulse(model_);
  VectorX rates(n_);
  const Vector6 twist = Vector6::Ones();
  EXPECT_EQ(allocations_of([&] {
              compute_reaction_null_space(blocks_, {}, angular);
              compute_reaction_null_space(blocks_, {}, full);
              compute_coupling_measures(response_, coupling);
              jacobian.matrix() = J_m_;
              compute_manipulability({}, jacobian);
              resolve_rates({}, jacobian, twist, rates);
              status_ = compute_impulse_response(blocks_, response_, J_m_, J_b_, impulse);
            }),
            0);
  EXPECT_EQ(status_, InertiaStatus::ok);
}

INSTANTIATE_TEST_SUITE_P(Links, Allocation, ::testing::Values(0, 1, 4, 7, 40), NamedByValue());

}  // namespace
}  // namespace spacedyn::testing::allocation_test
