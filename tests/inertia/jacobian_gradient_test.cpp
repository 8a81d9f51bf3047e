// Derivatives of Jacobians with respect to each coordinate, against extrapolated differences.
#include "spacedyn/inertia/generalized_jacobian.hpp"

#include "spacedyn/error.hpp"
#include "spacedyn/kinematics/jacobian_derivatives.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/finite_differences.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"
#include "support/state_changes.hpp"

namespace spacedyn::testing::jacobian_gradient_test {
namespace {

class GradientOfJacobians : public ::testing::TestWithParam<bool> {};

TEST_P(GradientOfJacobians, IsThatOfDifferences) {
  RandomModels random(61);
  ModelDescription description = random.description(TreeShape{8, 3, 0.3, true});
  description.base.fixed = GetParam();
  const Model model = ModelBuilder(description).build();
  const State state = random.state(model);
  const Frame hand = model.frame("hand");
  const JacobianGradient gradient = jacobian_gradient(model, state, hand);
  ASSERT_EQ(gradient.J_star.size(), 14u);
  for (int j = 0; j < model.velocity_size(); ++j) {
    const auto expect = [&](const MatrixX& actual, const auto& jacobian) {
      const NumericalDerivative expected = derivative(
          [&](double t) -> MatrixX { return jacobian(with_perturbed_configuration(state, j, t)); });
      EXPECT_LE(expected.error, 1e-9);
      EXPECT_LE(relative_difference(actual, expected.value), 1e-9) << j;
    };
    const auto i = static_cast<std::size_t>(j);
    expect(gradient.J_m[i], [&](const State& s) { return frame_jacobians(model, s, hand).J_m; });
    expect(gradient.J_b[i], [&](const State& s) { return frame_jacobians(model, s, hand).J_b; });
    expect(gradient.J_star[i],
           [&](const State& s) { return generalized_jacobian(model, s, hand); });
  }
}

INSTANTIATE_TEST_SUITE_P(FixedBase, GradientOfJacobians, ::testing::Bool(),
                         [](const auto& fixed) { return fixed.param ? "fixed" : "free"; });

TEST(GradientOfJacobiansErrors, RefusesAStateOfAnotherModel) {
  RandomModels random(62);
  const Model model = random.model(TreeShape{3, 3, 0.0, true});
  State state(model);
  state.q.resize(1);
  EXPECT_THROW(jacobian_gradient(model, state, model.frame("hand")), DimensionError);
}

}  // namespace
}  // namespace spacedyn::testing::jacobian_gradient_test
