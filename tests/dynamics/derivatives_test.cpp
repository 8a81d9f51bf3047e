// Analytic derivatives of inverse and forward dynamics against extrapolated differences of the
// paper's way, and against each other.
#include "spacedyn/dynamics/derivatives.hpp"

#include "dynamics/derivative_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/allocation_guard.hpp"
#include "support/case_name.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"
#include "support/shipped.hpp"

namespace spacedyn::testing::derivatives_test {
namespace {

/// Extrapolated differences reach some 11 digits of the largest element.
constexpr double kDifferences = 1e-9;

void expect_derivative(const MatrixX& actual, const NumericalDerivative& expected,
                       const char* what) {
  const double scale = std::max(1.0, expected.value.cwiseAbs().maxCoeff());
  EXPECT_LE(expected.error, kDifferences * scale) << what;
  EXPECT_LE(relative_difference(actual, expected.value), kDifferences) << what;
}

struct Shape {
  unsigned seed;
  TreeShape tree;
  friend std::ostream& operator<<(std::ostream& out, const Shape& shape) {
    return out << shape.tree.links << " links, window " << shape.tree.window;
  }
};

class Derivatives : public ::testing::TestWithParam<Shape> {
 protected:
  Derivatives()
      : random_(GetParam().seed),
        model_(random_.model(GetParam().tree)),
        state_(random_.state(model_)),
        loads_(random_.loads(model_)),
        acceleration_(random_.vector(model_.velocity_size(), 3.0)) {}

  void expect_forward(const Mobility& mobility) {
    DynamicsWorkspace paper(model_, mobility);
    VectorX forces(model_.velocity_size());
    const auto accelerations = [&](const State& state, const Loads& loads) {
      VectorX acceleration = acceleration_;
      update_kinematics(model_, state, paper);
      EXPECT_EQ(hybrid_dynamics(model_, state, loads, mobility, paper, acceleration, forces),
                DynamicsStatus::ok);
      return acceleration;
    };
    ForwardDynamicsDerivatives actual(model_);
    DerivativesWorkspace workspace(model_);
    actual.acceleration = acceleration_;
    ASSERT_EQ(forward_dynamics_derivatives(state_, loads_, mobility, workspace, actual),
              DynamicsStatus::ok);
    const auto at_loads = [&](const State& state) { return accelerations(state, loads_); };
    EXPECT_LE(relative_difference(actual.acceleration, at_loads(state_)), 1e-10);
    expect_derivative(actual.configuration,
                      differences(state_, with_perturbed_configuration, at_loads), "x");
    expect_derivative(actual.velocity, differences(state_, with_perturbed_velocity, at_loads), "u");
    expect_derivative(actual.force, force_differences(accelerations), "force");
  }

  template <typename Accelerations>
  NumericalDerivative force_differences(const Accelerations& accelerations) {
    // linear in the forces: one difference is exact up to rounding
    NumericalDerivative result;
    result.value.resize(model_.velocity_size(), model_.velocity_size());
    for (int column = 0; column < model_.velocity_size(); ++column) {
      Loads more = loads_;
      (column < 6 ? more.F_b(column) : more.tau(column - 6)) += 1.0;
      result.value.col(column) = accelerations(state_, more) - accelerations(state_, loads_);
    }
    return result;
  }

  RandomModels random_;
  Model model_;
  State state_;
  Loads loads_;
  VectorX acceleration_;
};

TEST_P(Derivatives, OfInverseDynamics) {
  const auto forces = [&](const State& state) {
    return inverse_dynamics(model_, state, acceleration_, loads_);
  };
  const InverseDynamicsDerivatives actual =
      inverse_dynamics_derivatives(model_, state_, acceleration_, loads_);
  expect_derivative(actual.configuration, differences(state_, with_perturbed_configuration, forces),
                    "x");
  expect_derivative(actual.velocity, differences(state_, with_perturbed_velocity, forces), "u");
  EXPECT_LE(relative_difference(actual.acceleration, inertia_matrix(model_, state_)), 1e-13);
}

TEST_P(Derivatives, OfForwardDynamics) { expect_forward(Mobility(model_)); }

TEST_P(Derivatives, OfHybridDynamics) {
  std::vector<bool> joint_free(static_cast<std::size_t>(model_.joint_count()), true);
  for (std::size_t i = 1; i < joint_free.size(); i += 3) joint_free[i] = false;
  expect_forward(Mobility(true, joint_free));
  expect_forward(Mobility(false, joint_free));
}

INSTANTIATE_TEST_SUITE_P(Trees, Derivatives,
                         ::testing::Values(Shape{1, {0, 1, 0.0, true}}, Shape{2, {1, 1, 0.0, true}},
                                           Shape{3, {1, 1, 1.0, true}}, Shape{4, {6, 1, 0.0, true}},
                                           Shape{5, {9, 1, 0.4, true}},
                                           Shape{6, {12, 12, 0.3, true}},
                                           Shape{7, {20, 3, 0.3, true}},
                                           Shape{8, {25, 6, 0.3, false}}),
                         [](const auto& shape) {
                           return std::to_string(shape.param.seed) + '_' +
                                  identifier(::testing::PrintToString(shape.param));
                         });

}  // namespace
}  // namespace spacedyn::testing::derivatives_test
