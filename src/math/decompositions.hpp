/// @file
/// Decompositions of matrices, compiled once: their templates take longer to compile than all that
/// uses them. Private.
#pragma once

#include <memory>

#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// By LU with partial pivots.
MatrixX inverse_of(const MatrixX& A);

/// Least squares of a matrix of full column rank, by Householder's reflections.
VectorX least_squares(const MatrixX& A, const VectorX& b);

/// Solutions of least squares and least norm, by a complete orthogonal decomposition.
class LeastNormSolver {
 public:
  /// @param threshold  part of the largest pivot from which one counts; 0: rounding
  explicit LeastNormSolver(const MatrixX& A, double threshold = 0.0);
  ~LeastNormSolver();

  VectorX solve(const VectorX& b) const;
  MatrixX solve(const MatrixX& b) const;
  MatrixX pseudo_inverse() const;
  double largest_pivot() const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// Eigenvalues, ascending, and eigenvectors of a symmetric matrix.
struct PrincipalAxes {
  Vector3 moments;
  Matrix3 axes;
};
PrincipalAxes principal_axes(const Matrix3& symmetric);

/// Ascending.
Vector3 symmetric_eigenvalues(const Matrix3& symmetric);
VectorX symmetric_eigenvalues(const MatrixX& symmetric);

}  // namespace spacedyn
