// Laws that derivatives of dynamics obey: consistency with H, invariance, no allocation, misuse.
#include "spacedyn/dynamics/derivatives.hpp"
#include "spacedyn/dynamics/instruction_set.hpp"
#include "spacedyn/error.hpp"
#include "support/allocation_guard.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"
#include "support/shipped.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::derivative_laws_test {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

/// ∂u̇ = −H⁻¹ ∂ID at u̇, checked as H ∂u̇ + ∂ID = 0 for the free rows: backward stable.
void expect_consistent(const Model& model, const State& state, const Loads& loads) {
  const ForwardDynamicsDerivatives forward = forward_dynamics_derivatives(model, state, loads);
  const InverseDynamicsDerivatives inverse =
      inverse_dynamics_derivatives(model, state, forward.acceleration, loads);
  const int first = model.has_fixed_base() ? 6 : 0;
  const auto free = [&](const MatrixX& m) { return m.bottomRows(m.rows() - first).eval(); };
  const MatrixX& H = inverse.acceleration;
  const double tolerance = 20.0 * kEps * static_cast<double>(H.rows());
  // sums of 6 + n terms of at most this size, made of numbers that are known to some ten eps
  const auto expect_zero = [&](const MatrixX& X, const MatrixX& Y, const char* what) {
    const double scale =
        H.cwiseAbs().rowwise().sum().maxCoeff() * X.cwiseAbs().maxCoeff() + Y.cwiseAbs().maxCoeff();
    EXPECT_LE(free(H * X + Y).cwiseAbs().maxCoeff(), tolerance * scale) << what;
  };
  expect_zero(forward.configuration, inverse.configuration, "x");
  expect_zero(forward.velocity, inverse.velocity, "u");
  MatrixX identity = MatrixX::Identity(H.rows(), H.rows());
  identity.leftCols(first).setZero();
  expect_zero(forward.force, -identity, "force");
  // H⁻¹ is symmetric, up to its conditioning
  EXPECT_LE(relative_difference(forward.force, forward.force.transpose()), 1e-9);
}

class ShippedDerivatives : public ::testing::TestWithParam<std::string> {};

TEST_P(ShippedDerivatives, OfBothAgree) {
  const auto model = shipped_robot(GetParam());
  RandomModels random(11);
  for (int trial = 0; trial < 5; ++trial) {
    State state = random.state(*model);
    if (model->has_fixed_base()) state.v_0 = state.omega_0 = Vector3::Zero();
    expect_consistent(*model, state, random.loads(*model));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ShippedDerivatives, ::testing::ValuesIn(shipped_names("robots")),
                         [](const auto& name) { return std::to_string(name.index); });

TEST(DerivativeLaws, ForwardAndInverseDynamicsAgreeOnLargeTrees) {
  RandomModels random(12);
  for (const TreeShape& shape : {TreeShape{150, 2, 0.2, true}, TreeShape{150, 150, 0.2, true}}) {
    const Model model = random.model(shape);
    expect_consistent(model, random.state(model), random.loads(model));
  }
}

TEST(DerivativeLaws, TurningEverythingTurnsTheForces) {
  RandomModels random(13);
  const Model model = random.model(TreeShape{15, 4, 0.3, true});
  const State state = random.state(model);
  const VectorX acceleration = random.vector(model.velocity_size(), 3.0);
  const Loads loads(model);  // neither gravity nor wrenches, which would have to turn as well
  const InverseDynamicsDerivatives d =
      inverse_dynamics_derivatives(model, state, acceleration, loads);
  const VectorX forces = inverse_dynamics(model, state, acceleration, loads);
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3 e = Vector3::Unit(axis);
    const auto turned = [&](const VectorX& x) {
      VectorX result = VectorX::Zero(x.size());
      result.head<3>() = e.cross(Vector3(x.head<3>()));
      result.segment<3>(3) = e.cross(Vector3(x.segment<3>(3)));
      return result;
    };
    const VectorX change = d.configuration.col(3 + axis) + d.velocity * turned(state.velocity()) +
                           d.acceleration * turned(acceleration);
    EXPECT_LE(relative_difference(change, turned(forces)), 1e-13);
  }
}

TEST(DerivativeLaws, PlaceAndSpeedOfTheWholeSystemDoNotMatter) {
  RandomModels random(14);
  const Model model = random.model(TreeShape{});
  State state = random.state(model);
  const Loads loads = random.loads(model);
  const ForwardDynamicsDerivatives here = forward_dynamics_derivatives(model, state, loads);
  EXPECT_TRUE(here.configuration.leftCols<3>().isZero(0.0));
  EXPECT_TRUE(here.velocity.leftCols<3>().isZero(0.0));
  state.r_0 += Vector3(7e6, 0.0, 0.0);
  state.v_0 += Vector3(0.0, 7.6e3, 0.0);
  const ForwardDynamicsDerivatives there = forward_dynamics_derivatives(model, state, loads);
  EXPECT_EQ(here.configuration, there.configuration);
  EXPECT_EQ(here.velocity, there.velocity);
  EXPECT_EQ(here.force, there.force);
}

TEST(DerivativeLaws, SpringsAndDampersEnterByTheForceColumns) {
  RandomModels random(15);
  const Model model = random.model(TreeShape{8, 3, 0.3, true});
  const State state = random.state(model);
  const Loads loads = random.loads(model);
  const double K = 7.0;
  const ForwardDynamicsDerivatives d = forward_dynamics_derivatives(model, state, loads);
  // τ_3 = −K q_3 moves all coordinates
  const double h = 1e-4;
  const auto accelerations = [&](double q) {
    State moved = state;
    moved.q(2) = q;
    Loads sprung = loads;
    sprung.tau(2) -= K * (q - state.q(2));
    return forward_dynamics(model, moved, sprung);
  };
  const VectorX difference =
      (accelerations(state.q(2) + h) - accelerations(state.q(2) - h)) / (2.0 * h);
  const VectorX expected = d.configuration.col(8) - K * d.force.col(8);
  EXPECT_LE(relative_difference(expected, difference), 1e-5);  // h² of the differences
}

TEST(DerivativeLaws, AllInstructionSetsGiveTheSame) {
  RandomModels random(19);
  const InstructionSet before = instruction_set();
  for (const TreeShape& shape :
       {TreeShape{1, 1, 0.0, true}, TreeShape{17, 1, 0.2, true}, TreeShape{40, 6, 0.2, true}}) {
    const Model model = random.model(shape);
    const State state = random.state(model);
    const Loads loads = random.loads(model);
    use_instruction_set(InstructionSet::baseline);
    const ForwardDynamicsDerivatives expected = forward_dynamics_derivatives(model, state, loads);
    const VectorX& u_dot = expected.acceleration;
    const InverseDynamicsDerivatives forces =
        inverse_dynamics_derivatives(model, state, u_dot, loads);
    for (const InstructionSet set : supported_instruction_sets()) {
      use_instruction_set(set);
      const ForwardDynamicsDerivatives actual = forward_dynamics_derivatives(model, state, loads);
      // sums in another order: eps times the conditioning of H
      EXPECT_LE(relative_difference(actual.configuration, expected.configuration), 1e-10);
      EXPECT_LE(relative_difference(actual.velocity, expected.velocity), 1e-10);
      EXPECT_LE(relative_difference(actual.force, expected.force), 1e-10);
      const InverseDynamicsDerivatives other =
          inverse_dynamics_derivatives(model, state, u_dot, loads);
      // sums of some products that have no condition
      EXPECT_LE(relative_difference(other.configuration, forces.configuration), 1e-13);
      EXPECT_LE(relative_difference(other.velocity, forces.velocity), 1e-13);
      EXPECT_LE(relative_difference(other.acceleration, forces.acceleration), 1e-13);
    }
  }
  use_instruction_set(before);
}

TEST(DerivativeLaws, NothingIsAllocated) {
  if (!counts_allocations()) GTEST_SKIP() << "a sanitizer owns the heap";
  RandomModels random(16);
  const Model model = random.model(TreeShape{30, 5, 0.3, true});
  const State state = random.state(model);
  const Loads loads = random.loads(model);
  const Mobility mobility(model);
  DerivativesWorkspace workspace(model);
  ForwardDynamicsDerivatives forward(model);
  InverseDynamicsDerivatives inverse(model);
  const long before = allocation_count();
  ASSERT_EQ(forward_dynamics_derivatives(state, loads, mobility, workspace, forward),
            DynamicsStatus::ok);
  inverse_dynamics_derivatives(state, forward.acceleration, loads, workspace, inverse);
  EXPECT_EQ(allocation_count(), before);
}

TEST(DerivativeLaws, ASingularInertiaIsReported) {
  const Model model = massless_tip();
  EXPECT_THROW(forward_dynamics_derivatives(model, State(model), Loads(model)), NumericalError);
}

TEST(DerivativeLaws, WrongSizesAreRefused) {
  RandomModels random(17);
  const Model model = random.model(TreeShape{4, 2, 0.0, true});
  const State state = random.state(model);
  const Loads loads(model);
  EXPECT_THROW(
      inverse_dynamics_derivatives(model, state, VectorX::Zero(model.velocity_size() - 1), loads),
      DimensionError);
  State short_state = state;
  short_state.q.resize(2);
  EXPECT_THROW(forward_dynamics_derivatives(model, short_state, loads), DimensionError);
  Loads short_loads = loads;
  short_loads.tau.resize(1);
  EXPECT_THROW(forward_dynamics_derivatives(model, state, short_loads), DimensionError);
}

TEST(DerivativeLaws, MatricesOfHugeModelsAreRefused) {
  RandomModels random(18);
  const Model model = random.model(TreeShape{Topology::kMaxDenseLinks + 1, 1, 0.0, true});
  EXPECT_THROW(DerivativesWorkspace{model}, DimensionError);
}

}  // namespace
}  // namespace spacedyn::testing::derivative_laws_test
