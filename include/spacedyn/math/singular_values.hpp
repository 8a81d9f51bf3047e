/// @file
/// Singular values with a stated rank: kernels and (damped) pseudo-inverses that never divide by 0.
#pragma once

#include <Eigen/SVD>

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Decomposition M = U Σ Vᵀ of an m×n matrix, m ≥ 1, n ≥ 0, into memory that is sized once.
///
/// The rank is the number of singular values above a threshold that the caller states and that is
/// kept with the result. A matrix that is not finite has rank 0 and singular values 0, and
/// is_finite() says so; nothing here ever returns NaN for it.
class SPACEDYN_EXPORT SingularValues {
 public:
  SingularValues(int rows, int columns);

  /// Where the matrix to be decomposed is written; decompose() leaves it as it is.
  MatrixX& matrix() { return matrix_; }
  const MatrixX& matrix() const { return matrix_; }

  /// Decomposes matrix(). O(m² n) for m ≤ n, allocates nothing.
  /// @param threshold  singular values up to it count as zero; ≥ 0, in the unit of the matrix
  void decompose(double threshold) noexcept;
  /// The same with the threshold tolerance × σ_max.
  void decompose_relative(double tolerance) noexcept;

  /// The min(m, n) singular values, descending.
  const VectorX& sigma() const { return sigma_; }
  int rank() const { return rank_; }
  /// n − rank.
  int kernel_dimension() const { return static_cast<int>(matrix_.cols()) - rank_; }
  double threshold() const { return threshold_; }
  bool is_finite() const { return finite_; }

  /// Orthogonal projector on the kernel, E − M⁺M, n×n: exactly symmetric, exactly zero if there is
  /// no kernel. With damping λ > 0 (unit of σ) it is E − Mᵀ (M Mᵀ + λ²E)⁻¹ M, which is no projector
  /// but changes continuously where the rank does. O(n² m), allocates nothing.
  void project_on_kernel(double damping, Eigen::Ref<MatrixX> projector) const;

  /// Orthonormal basis of the kernel, n×(n − rank). Allocates the result.
  MatrixX kernel_basis() const;

  /// x = M⁺ b: of all that minimize |M x − b| the shortest. With damping λ > 0 (unit of σ) the
  /// minimum of |M x − b|² + λ²|x|², whatever the rank. O(m n), allocates nothing.
  void solve(ConstVectorRef b, double damping, VectorRef x) const;

 private:
  void count_rank(double threshold);
  /// σ/(σ² + λ²), 0 for what counts as zero.
  double inverse(Eigen::Index i, double damping) const;

  MatrixX matrix_;
  VectorX sigma_;
  Eigen::JacobiSVD<MatrixX> svd_;
  int rank_ = 0;
  double threshold_ = 0.0;
  bool finite_ = true;
};

}  // namespace spacedyn
