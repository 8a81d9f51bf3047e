/// @file
/// A complete orthogonal factorization in memory that is sized once.
#pragma once

#include <vector>

#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// M P = T Q_1ᵀ of an m×n matrix of rank k, by Householder reflections of Mᵀ with column pivoting:
/// Q = [Q_1, Q_2] is orthogonal, the k columns of Q_1 span the rows of M, T is lower trapezoidal.
///
/// Sizes may be anything up to those of the constructor; nothing allocates after it.
class RowSpace {
 public:
  RowSpace(int rows, int columns);

  /// @param least  the factorization ends where all rows are within it of those taken so far
  void factorize(const Eigen::Ref<const MatrixX>& M, double least);
  int rank() const { return rank_; }
  /// Frobenius norm of what the factorization leaves out.
  double rest() const { return rest_; }
  /// 1/|T_k⁻¹|_F of the first k rows: no more than the k-th singular value of M.
  double least_singular_value() const;

  /// Of all x that minimize |M x − b|² + damping² |x|² the shortest.
  void solve(ConstVectorRef b, double damping, VectorRef x);
  /// x ← x without its part in the span of the rows: (E − Q_1 Q_1ᵀ) x.
  void leave(VectorRef x) const;
  /// B ← B Q. @pre B has n columns
  void rotate(Eigen::Ref<MatrixX> B) const;

 private:
  /// x ← Q x.
  void from_rows(VectorRef x) const;

  Eigen::Index rows_ = 0, columns_ = 0;
  int rank_ = 0;
  double rest_ = 0.0;
  std::vector<int> order_;     // P
  MatrixX F_;                  // Tᵀ on and above the diagonal, reflections below it
  VectorX scales_;             // of the reflections
  MatrixX S_;                  // T over damping E, for solve()
  VectorX right_;              // of the same
  mutable MatrixX T_inverse_;  // for least_singular_value()
};

/// E − scale v vᵀ that takes x to a multiple of the first unit vector; x ← [that multiple; v_1…],
/// v_0 = 1. @returns the scale
double make_reflection(Eigen::Ref<VectorX> x);
/// y ← (E − scale v vᵀ) y. @param tail  v without v_0 = 1
void reflect(ConstVectorRef tail, double scale, VectorRef y);
/// B ← B (E − scale v vᵀ).
void reflect_columns(ConstVectorRef tail, double scale, Eigen::Ref<MatrixX> B);

}  // namespace spacedyn
