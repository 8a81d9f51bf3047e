// The factorization along the tree and H⁻¹ without H against dense algebra and articulated bodies.
#include "spacedyn/dynamics/inertia_factorization.hpp"

#include "spacedyn/dynamics/derivatives.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "support/allocation_guard.hpp"
#include "support/conditioning.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"
#include "support/shipped.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::inertia_factorization_test {
namespace {

/// H with rows and columns of prescribed coordinates replaced by those of a unit matrix.
MatrixX free_part(MatrixX H, const Mobility& mobility) {
  for (const int i : mobility.prescribed()) {
    H.row(i).setZero();
    H.col(i).setZero();
    H(i, i) = 1.0;
  }
  return H;
}

void expect_solutions(const Model& model, const Mobility& mobility, RandomModels& random,
                      DerivativesWorkspace& workspace) {
  const State state = random.state(model);
  const MatrixX H = inertia_matrix(model, state);
  const MatrixX dense = free_part(H, mobility);
  InertiaFactorization factorization(model, mobility);
  ASSERT_EQ(factorization.factorize(H), DynamicsStatus::ok);
  const double tolerance = solution_tolerance(dense, 10.0);

  VectorX wanted = random.vector(model.velocity_size());
  for (const int i : mobility.prescribed()) wanted(i) = 0.0;
  VectorX x = dense * wanted;
  // nothing may depend on what is not free
  for (const int i : mobility.prescribed()) x(i) = std::numeric_limits<double>::quiet_NaN();
  factorization.solve(x);
  EXPECT_LE(relative_difference(x, wanted), tolerance);

  MatrixX inverse(H.rows(), H.cols());
  factorization.inverse(inverse);
  EXPECT_EQ(inverse, inverse.transpose());
  MatrixX expected = dense.inverse();
  for (const int i : mobility.prescribed()) expected(i, i) = 0.0;
  EXPECT_LE(relative_difference(inverse, expected), tolerance);

  MatrixX without_H = MatrixX::Constant(H.rows(), H.cols(), 7.0);
  ASSERT_EQ(inverse_inertia(state, mobility, workspace, without_H), DynamicsStatus::ok);
  EXPECT_EQ(without_H, without_H.transpose());
  EXPECT_LE(relative_difference(without_H, expected), tolerance);
  for (const int i : mobility.prescribed()) EXPECT_TRUE(without_H.col(i).isZero(0.0));
}

class FactorsOnEachSet : public ::testing::TestWithParam<InstructionSet> {
 protected:
  FactorsOnEachSet() { use_instruction_set(GetParam()); }
  ~FactorsOnEachSet() override { use_instruction_set(supported_instruction_sets().back()); }
};

TEST_P(FactorsOnEachSet, SolvesAsDenseDo) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    RandomModels random(seed);
    const int links = static_cast<int>(seed) - 1;
    const Model model = random.model({links, 1 + links % 5, 0.3, true});
    std::vector<bool> some(static_cast<std::size_t>(links)), all(some.size(), true);
    for (std::size_t i = 0; i < some.size(); ++i) some[i] = i % 3 != 1;
    // one workspace: nothing may be left of another mobility
    DerivativesWorkspace workspace(model);
    for (const Mobility& mobility : {Mobility(model), Mobility(false, some), Mobility(true, some),
                                     Mobility(false, all), Mobility(true, all)}) {
      expect_solutions(model, mobility, random, workspace);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(InertiaFactorization, FactorsOnEachSet,
                         ::testing::ValuesIn(supported_instruction_sets()),
                         [](const auto& set) { return std::string(to_string(set.param)); });

TEST(InertiaFactorization, KeepsItsPromisesOnLongChains) {
  // several registers of rows in a run, and runs that end within one
  for (const int window : {1, 2}) {
    RandomModels random(10);
    const Model model = random.model({70, window, 0.1, true});
    std::vector<bool> free(70, true);
    free[20] = free[21] = free[43] = false;
    DerivativesWorkspace workspace(model);
    expect_solutions(model, Mobility(model), random, workspace);
    expect_solutions(model, Mobility(true, free), random, workspace);
  }
}

TEST(InverseInertia, OfAModelIsThatOfItsOwnMobility) {
  const auto model = shipped_robot("pendulum_a01");
  ASSERT_TRUE(model->has_fixed_base());
  const State state(*model);
  const int n = model->joint_count();
  const MatrixX H_m = inertia_matrix(*model, state).bottomRightCorner(n, n);
  MatrixX H_inverse = MatrixX::Zero(6 + n, 6 + n);
  H_inverse.bottomRightCorner(n, n) = H_m.inverse();
  EXPECT_LE(relative_difference(inverse_inertia(*model, state), H_inverse),
            solution_tolerance(H_m));
}

TEST(InverseInertia, ASingularInertiaIsReported) {
  const Model model = massless_tip();
  EXPECT_THROW(inverse_inertia(model, State(model)), NumericalError);
  State short_state(model);
  short_state.q.resize(model.joint_count() + 1);
  EXPECT_THROW(inverse_inertia(model, short_state), DimensionError);
}

TEST(InertiaFactorization, AgreesWithArticulatedBodies) {
  RandomModels random(6);
  const Model model = random.model({60, 4, 0.3, true});
  const State state = random.state(model);
  const VectorX b = random.vector(model.velocity_size());
  TreeWorkspace workspace(model);
  MatrixX H(model.velocity_size(), model.velocity_size());
  composite_rigid_body(state, workspace, H);
  InertiaFactorization factorization(model);
  ASSERT_EQ(factorization.factorize(H), DynamicsStatus::ok);
  VectorX x = b, articulated(b.size());
  factorization.solve(x);
  ASSERT_EQ(solve_inertia(state, b, workspace, articulated), DynamicsStatus::ok);
  EXPECT_LE(relative_difference(x, articulated), solution_tolerance(H));
}

TEST(InertiaFactorization, ReadsTheUpperTriangleOnly) {
  RandomModels random(7);
  const Model model = random.model({9, 2, 0.3, true});
  MatrixX H = inertia_matrix(model, random.state(model));
  InertiaFactorization factorization(model);
  ASSERT_EQ(factorization.factorize(H), DynamicsStatus::ok);
  MatrixX before(H.rows(), H.cols()), after(before);
  factorization.inverse(before);
  H.triangularView<Eigen::StrictlyLower>().setConstant(std::numeric_limits<double>::quiet_NaN());
  ASSERT_EQ(factorization.factorize(H), DynamicsStatus::ok);
  factorization.inverse(after);
  EXPECT_EQ(before, after);
}

TEST(InertiaFactorization, AllocatesNothing) {
  if (!counts_allocations()) GTEST_SKIP() << "a sanitizer owns the heap";
  RandomModels random(8);
  const Model model = random.model({20, 3, 0.3, true});
  const MatrixX H = inertia_matrix(model, random.state(model));
  VectorX x = random.vector(model.velocity_size());
  MatrixX inverse(H.rows(), H.cols());
  InertiaFactorization factorization(model);
  DerivativesWorkspace workspace(model);
  const Mobility mobility(model);
  const State state(model);
  const long before = allocation_count();
  const DynamicsStatus status = factorization.factorize(H);
  const DynamicsStatus inverted = inverse_inertia(state, mobility, workspace, inverse);
  factorization.solve(x);
  factorization.inverse(inverse);
  EXPECT_EQ(allocation_count(), before);
  EXPECT_EQ(status, DynamicsStatus::ok);
  EXPECT_EQ(inverted, DynamicsStatus::ok);
}

TEST(InertiaFactorization, RefusesWhatIsTooBig) {
  const Model model = RandomModels(9).model({Topology::kMaxDenseLinks + 1, 1, 0.0, true});
  EXPECT_THROW(InertiaFactorization{model}, DimensionError);
}

}  // namespace
}  // namespace spacedyn::testing::inertia_factorization_test
