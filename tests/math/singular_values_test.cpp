// Rank, kernel and pseudo-inverse against what defines them, and where they must not fail.
#include "spacedyn/math/singular_values.hpp"
#include "support/case_name.hpp"

#include <limits>
#include <random>

namespace spacedyn::testing::singular_values_test {
namespace {

// orthogonal transformations of matrices of norm about ten
constexpr double kTolerance = 1e-13;

MatrixX random_matrix(int rows, int columns, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  return MatrixX::NullaryExpr(rows, columns, [&] { return number(generator); });
}

SingularValues decomposed(const MatrixX& matrix, double threshold) {
  SingularValues result(static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()));
  result.matrix() = matrix;
  result.decompose(threshold);
  return result;
}

MatrixX projector(const SingularValues& values, double damping = 0.0) {
  MatrixX result(values.matrix().cols(), values.matrix().cols());
  values.project_on_kernel(damping, result);
  return result;
}

VectorX solution(const SingularValues& values, const VectorX& b, double damping = 0.0) {
  VectorX x(values.matrix().cols());
  values.solve(b, damping, x);
  return x;
}

/// Sizes: wide, tall and square.
class Shapes : public ::testing::TestWithParam<std::pair<int, int>> {
 protected:
  MatrixX matrix(unsigned seed) const {
    return random_matrix(GetParam().first, GetParam().second, seed);
  }
};

TEST_P(Shapes, ProjectorIsSymmetricIdempotentAndAnnihilated) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const MatrixX M = matrix(seed);
    const SingularValues values = decomposed(M, 1e-10);
    const MatrixX N = projector(values);
    EXPECT_EQ(N, N.transpose());
    EXPECT_LE((N * N - N).norm(), kTolerance);
    EXPECT_LE((M * N).norm(), kTolerance);
    EXPECT_NEAR(N.trace(), values.kernel_dimension(), kTolerance);
    EXPECT_EQ(values.rank(), std::min(M.rows(), M.cols()));
    const MatrixX basis = values.kernel_basis();
    EXPECT_LE((basis * basis.transpose() - N).norm(), kTolerance);
  }
}

TEST_P(Shapes, SolutionIsTheShortestLeastSquares) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const MatrixX M = matrix(seed);
    const VectorX b = random_matrix(GetParam().first, 1, seed + 100);
    const SingularValues values = decomposed(M, 1e-10);
    const VectorX x = solution(values, b);
    // the condition of random matrices enters once
    EXPECT_LE((M.transpose() * (M * x - b)).norm(), 1e-11 * (1.0 + x.norm()));
    EXPECT_LE((projector(values) * x).norm(), 1e-11 * (1.0 + x.norm()));
  }
}

TEST_P(Shapes, DampingMinimizesTheDampedSum) {
  const double lambda = 0.3;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const MatrixX M = matrix(seed);
    const VectorX b = random_matrix(GetParam().first, 1, seed + 100);
    const SingularValues values = decomposed(M, 0.0);
    const MatrixX normal =
        M.transpose() * M + lambda * lambda * MatrixX::Identity(M.cols(), M.cols());
    EXPECT_LE((normal * solution(values, b, lambda) - M.transpose() * b).norm(), kTolerance);
    const MatrixX expected = normal.inverse() * lambda * lambda;
    EXPECT_LE((projector(values, lambda) - expected).norm(), kTolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Shapes,
                         ::testing::Values(std::pair{3, 8}, std::pair{6, 7}, std::pair{6, 3},
                                           std::pair{4, 4}, std::pair{3, 1}, std::pair{1, 5}),
                         NamedByValue());

TEST(SingularValues, RankCountsOnlyWhatExceedsTheThreshold) {
  const MatrixX M = Vector3(4.0, 1e-3, 1e-9).asDiagonal();
  EXPECT_EQ(decomposed(M, 0.0).rank(), 3);
  EXPECT_EQ(decomposed(M, 1e-6).rank(), 2);
  EXPECT_EQ(decomposed(M, 1e-2).kernel_dimension(), 2);
  EXPECT_DOUBLE_EQ(decomposed(M, 1e-6).threshold(), 1e-6);
  SingularValues relative(3, 3);
  relative.matrix() = M;
  relative.decompose_relative(1e-3);
  EXPECT_DOUBLE_EQ(relative.threshold(), 4e-3);
  EXPECT_EQ(relative.rank(), 1);
}

TEST(SingularValues, ThrowsAwayWhatTheThresholdHides) {
  const MatrixX M = Vector3(4.0, 1.0, 1e-9).asDiagonal();
  EXPECT_EQ(solution(decomposed(M, 1e-6), Vector3::Ones()), Vector3(0.25, 1.0, 0.0));
}

TEST(SingularValues, AZeroMatrixHasEverythingAsItsKernel) {
  const SingularValues values = decomposed(MatrixX::Zero(3, 5), 0.0);
  EXPECT_EQ(values.rank(), 0);
  EXPECT_EQ(projector(values), MatrixX::Identity(5, 5));
  EXPECT_EQ(projector(values, 0.5), MatrixX::Identity(5, 5));
  EXPECT_EQ(solution(values, Vector3::Ones()), VectorX::Zero(5));
  EXPECT_EQ(solution(values, Vector3::Ones(), 0.5), VectorX::Zero(5));
}

TEST(SingularValues, NoKernelMakesTheProjectorExactlyZero) {
  EXPECT_EQ(projector(decomposed(random_matrix(6, 4, 3), 0.0)), MatrixX::Zero(4, 4));
}

TEST(SingularValues, AMatrixWithoutColumnsHasNothingToSolve) {
  const SingularValues values = decomposed(MatrixX(3, 0), 0.0);
  EXPECT_EQ(values.rank(), 0);
  EXPECT_EQ(values.kernel_dimension(), 0);
  EXPECT_EQ(projector(values).size(), 0);
  EXPECT_EQ(values.kernel_basis().size(), 0);
  EXPECT_EQ(solution(values, Vector3::Ones()).size(), 0);
}

TEST(SingularValues, ReportAMatrixThatIsNotFiniteInsteadOfReturningNaN) {
  MatrixX M = random_matrix(3, 5, 1);
  M(1, 2) = std::numeric_limits<double>::quiet_NaN();
  SingularValues values = decomposed(M, 0.0);
  EXPECT_FALSE(values.is_finite());
  EXPECT_EQ(values.rank(), 0);
  EXPECT_TRUE(values.sigma().isZero(0.0));
  EXPECT_EQ(projector(values), MatrixX::Identity(5, 5));
  EXPECT_EQ(values.kernel_basis(), MatrixX::Identity(5, 5));
  EXPECT_EQ(solution(values, Vector3::Ones()), VectorX::Zero(5));
  // and recovers with the next matrix
  values.matrix() = random_matrix(3, 5, 1);
  values.decompose(0.0);
  EXPECT_TRUE(values.is_finite());
  EXPECT_EQ(values.rank(), 3);
}

TEST(SingularValues, KeepTinyAndHugeMatricesApartFromZero) {
  for (const double scale : {1e-300, 1e-160, 1e160, 1e300}) {
    const MatrixX M = scale * random_matrix(3, 3, 5);
    const SingularValues values = decomposed(M, 0.0);
    EXPECT_EQ(values.rank(), 3);
    // no norm, whose squares would overflow
    const VectorX miss = M * solution(values, scale * Vector3::Ones()) - scale * Vector3::Ones();
    EXPECT_LE(miss.cwiseAbs().maxCoeff(), 1e-12 * scale);
    EXPECT_TRUE(solution(values, scale * Vector3::Ones(), scale).allFinite());
  }
}

}  // namespace
}  // namespace spacedyn::testing::singular_values_test
