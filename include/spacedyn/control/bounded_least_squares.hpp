/// @file
/// Least squares within bounds.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// min |B u − b|² for 0 ≤ u ≤ 1, by an active set [Stark & Parker 1995] with orthogonal columns:
/// weights of 1 and 10⁻⁵ in one B cost five digits of u, not ten.
///
/// Memory is sized once; solve() allocates nothing and, from a start in the box, ends after
/// finitely many exchanges.
class SPACEDYN_EXPORT BoundedLeastSquares {
 public:
  BoundedLeastSquares(int rows, int columns);
  bool fits(int rows, int columns) const { return rows == rows_ && columns == columns_; }
  /// @param u  in: ignored; out: the solution
  void solve(const MatrixX& B, const VectorX& b, VectorRef u);

 private:
  bool solve_free(const MatrixX& B, const VectorX& b, ConstVectorRef u);

  int rows_, columns_;
  std::vector<int> free_;
  std::vector<char> is_free_;
  MatrixX Q_, R_;  // of the free columns
  VectorX step_, residual_;
};

}  // namespace spacedyn
