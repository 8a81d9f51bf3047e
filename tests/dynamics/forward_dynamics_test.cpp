// Forward dynamics against the inertia matrix and against inverse dynamics.
#include "spacedyn/dynamics/forward_dynamics.hpp"

#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/case_name.hpp"
#include "support/conditioning.hpp"
#include "support/dense_dynamics.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::forward_dynamics_test {
namespace {

class ForwardDynamics : public ::testing::TestWithParam<unsigned> {
 protected:
  ForwardDynamics()
      : random_(GetParam()),
        model_(random_.model(TreeShape{20, 5, 0.3, true})),
        state_(random_.state(model_)),
        loads_(random_.loads(model_)),
        applied_(model_.velocity_size()) {
    applied_ << loads_.F_b, loads_.tau;
  }

  RandomModels random_;
  Model model_;
  State state_;
  Loads loads_;
  VectorX applied_;
};

TEST_P(ForwardDynamics, InvertsInverseDynamics) {
  const VectorX wanted = random_.vector(model_.velocity_size(), 3.0);
  const VectorX forces = inverse_dynamics(model_, state_, wanted, loads_);
  loads_.F_b = forces.head<6>();
  loads_.tau = forces.tail(model_.joint_count());
  EXPECT_LE(relative_difference(forward_dynamics(model_, state_, loads_), wanted),
            solution_tolerance(inertia_matrix(model_, state_)));
}

TEST_P(ForwardDynamics, AgreesWithTheInertiaMatrix) {
  EXPECT_LE(relative_difference(forward_dynamics(model_, state_, loads_),
                                dense_forward_dynamics(model_, state_, loads_)),
            solution_tolerance(inertia_matrix(model_, state_)));
}

TEST_P(ForwardDynamics, LeavesNoResidualForce) {
  const VectorX acceleration = forward_dynamics(model_, state_, loads_);
  const VectorX residual = inverse_dynamics(model_, state_, acceleration, loads_) - applied_;
  const MatrixX H = inertia_matrix(model_, state_);
  const double scale = H.norm() * acceleration.norm();
  EXPECT_LE(residual.norm(), 1e-14 * scale);  // backward stability of Cholesky: a few n·eps
}

TEST_P(ForwardDynamics, PowerBalanceWithExternalWrenches) {
  // dT/dt by a central difference of the motion with constant acceleration
  const VectorX acceleration = forward_dynamics(model_, state_, loads_);
  const VectorX u = state_.velocity();
  // T = ½ uᵀHu with dH/dt hidden in the bias: dT/dt = uᵀ(Q_total), gravity and wrenches included
  Loads none(model_);
  const double rate = u.dot(inverse_dynamics(model_, state_, acceleration, none));
  const double h = 1e-6;
  const auto kinetic = [&](double t) {
    State moved = state_;
    moved.r_0 += t * state_.v_0;
    moved.A_0 = rodrigues_update(state_.A_0, state_.omega_0, t);
    moved.q += t * state_.qd;
    const VectorX v = u + t * acceleration;
    return 0.5 * v.dot(inertia_matrix(model_, moved) * v);
  };
  const double difference = (kinetic(h) - kinetic(-h)) / (2.0 * h);
  // rounding of T over h dominates: eps · T / h
  EXPECT_NEAR(rate, difference, 1e-8 * std::max(1.0, std::abs(kinetic(0.0))));
}

TEST_P(ForwardDynamics, HybridAgreesWhenForcesAreFedBack) {
  std::vector<bool> joint_free(static_cast<std::size_t>(model_.joint_count()), true);
  joint_free[2] = joint_free[7] = joint_free[8] = false;
  for (const bool base_free : {true, false}) {
    const Mobility mobility(base_free, joint_free);
    DynamicsWorkspace workspace(model_, mobility);
    VectorX acceleration = random_.vector(model_.velocity_size());
    const VectorX prescribed = acceleration;
    VectorX forces(model_.velocity_size());
    update_kinematics(model_, state_, workspace);
    ASSERT_EQ(hybrid_dynamics(model_, state_, loads_, mobility, workspace, acceleration, forces),
              DynamicsStatus::ok);
    for (const int row : mobility.prescribed()) EXPECT_EQ(acceleration(row), prescribed(row));

    Loads fed_back = loads_;
    for (const int row : mobility.prescribed()) {
      (row < 6 ? fed_back.F_b(row) : fed_back.tau(row - 6)) += forces(row);
    }
    EXPECT_LE(relative_difference(forward_dynamics(model_, state_, fed_back), acceleration),
              solution_tolerance(inertia_matrix(model_, state_)));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ForwardDynamics, ::testing::Range(1u, 9u), NamedByValue());

TEST(HybridDynamics, FixedBaseSolvesJointsAndSupport) {
  RandomModels random(42);
  ModelDescription description = random.description(TreeShape{});
  description.base.fixed = true;
  const Model model = ModelBuilder(description).build();
  State state = random.state(model);
  state.v_0.setZero();
  state.omega_0.setZero();
  const Loads loads = random.loads(model);
  const VectorX acceleration = forward_dynamics(model, state, loads);
  EXPECT_TRUE(acceleration.head<6>().isZero(0.0));
  const VectorX forces = inverse_dynamics(model, state, acceleration, loads);
  EXPECT_LE(relative_difference(forces.tail(model.joint_count()), loads.tau), 1e-12);
}

TEST(HybridDynamics, ReportsASingularInertiaMatrix) {
  const Model model = massless_tip();
  EXPECT_THROW(forward_dynamics(model, State(model), Loads(model)), NumericalError);
}

}  // namespace
}  // namespace spacedyn::testing::forward_dynamics_test
