#include "spacedyn/math/singular_values.hpp"

#include <algorithm>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

#include "math/decompositions.hpp"
#include "spacedyn/assert.hpp"

namespace spacedyn {

MatrixX inverse_of(const MatrixX& A) { return A.inverse(); }

VectorX least_squares(const MatrixX& A, const VectorX& b) { return A.householderQr().solve(b); }

struct LeastNormSolver::Factors {
  Eigen::CompleteOrthogonalDecomposition<MatrixX> decomposition;
};

LeastNormSolver::LeastNormSolver(const MatrixX& A, double threshold)
    : factors_(std::make_unique<Factors>()) {
  if (threshold > 0.0) factors_->decomposition.setThreshold(threshold);
  factors_->decomposition.compute(A);
}
LeastNormSolver::~LeastNormSolver() = default;

VectorX LeastNormSolver::solve(const VectorX& b) const { return factors_->decomposition.solve(b); }
MatrixX LeastNormSolver::solve(const MatrixX& b) const { return factors_->decomposition.solve(b); }
MatrixX LeastNormSolver::pseudo_inverse() const { return factors_->decomposition.pseudoInverse(); }
double LeastNormSolver::largest_pivot() const { return factors_->decomposition.maxPivot(); }

PrincipalAxes principal_axes(const Matrix3& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vector3 symmetric_eigenvalues(const Matrix3& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Matrix3>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}

VectorX symmetric_eigenvalues(const MatrixX& symmetric) {
  return Eigen::SelfAdjointEigenSolver<MatrixX>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}

SingularValues::SingularValues(int rows, int columns)
    : matrix_(MatrixX::Zero(rows, columns)), sigma_(VectorX::Zero(std::min(rows, columns))) {
  SPACEDYN_ASSERT(rows > 0 && columns >= 0);
  if (columns == 0) return;  // nothing to decompose, and Eigen would not try
  svd_ = Eigen::JacobiSVD<MatrixX>(rows, columns, Eigen::ComputeThinU | Eigen::ComputeFullV);
  decompose(0.0);  // so that every result is valid from the start
}

void SingularValues::decompose(double threshold) noexcept {
  finite_ = matrix_.allFinite();
  sigma_.setZero();
  if (finite_ && matrix_.cols() > 0) sigma_ = svd_.compute(matrix_).singularValues();
  count_rank(threshold);
}

void SingularValues::decompose_relative(double tolerance) noexcept {
  decompose(0.0);
  if (sigma_.size() > 0) count_rank(tolerance * sigma_(0));
}

void SingularValues::count_rank(double threshold) {
  SPACEDYN_ASSERT(threshold >= 0.0);
  threshold_ = threshold;
  rank_ = 0;
  while (rank_ < sigma_.size() && sigma_(rank_) > threshold) ++rank_;
}

double SingularValues::inverse(Eigen::Index i, double damping) const {
  const double sigma = sigma_(i);
  if (damping > 0.0) {
    // divided by the larger of the two first, so that no square underflows
    const double size = std::max(sigma, damping);
    const double s = sigma / size;
    const double d = damping / size;
    return s / (s * s + d * d) / size;
  }
  return i < rank_ ? 1.0 / sigma : 0.0;
}

void SingularValues::project_on_kernel(double damping, Eigen::Ref<MatrixX> projector) const {
  const Eigen::Index n = matrix_.cols();
  SPACEDYN_ASSERT(projector.rows() == n && projector.cols() == n);
  projector.setZero();
  if (kernel_dimension() == 0 && !(damping > 0.0)) return;
  projector.setIdentity();
  if (!finite_) return;
  // E − Σ σ_i σ_i⁺ v_i v_iᵀ, the lower triangle first
  const MatrixX& V = svd_.matrixV();
  for (Eigen::Index i = 0; i < sigma_.size(); ++i) {
    const double share = sigma_(i) * inverse(i, damping);
    for (Eigen::Index column = 0; column < n; ++column) {
      projector.col(column).tail(n - column) -= (share * V(column, i)) * V.col(i).tail(n - column);
    }
  }
  for (Eigen::Index column = 1; column < n; ++column) {
    for (Eigen::Index row = 0; row < column; ++row) projector(row, column) = projector(column, row);
  }
}

MatrixX SingularValues::kernel_basis() const {
  const Eigen::Index n = matrix_.cols();
  if (n == 0 || !finite_) return MatrixX::Identity(n, n);
  return svd_.matrixV().rightCols(kernel_dimension());
}

void SingularValues::solve(ConstVectorRef b, double damping, VectorRef x) const {
  SPACEDYN_ASSERT(b.size() == matrix_.rows() && x.size() == matrix_.cols());
  x.setZero();
  if (!finite_) return;
  for (Eigen::Index i = 0; i < sigma_.size(); ++i) {
    x += (inverse(i, damping) * svd_.matrixU().col(i).dot(b)) * svd_.matrixV().col(i);
  }
}

}  // namespace spacedyn
