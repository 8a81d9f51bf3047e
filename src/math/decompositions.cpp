#include "math/decompositions.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

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

}  // namespace spacedyn
