/// @file
/// Dense systems of which many unknowns act on themselves alone. Private.
#pragma once

#include <vector>

#include <Eigen/LU>

#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Solves M x = b, having eliminated unknowns whose columns in a part of M are diagonal.
///
/// With those, l, and the others, k: S = M_kk − M_kl D_l⁻¹ M_lk is factorized with pivots, so that
/// n unknowns of which few are left cost n times their square. Cells of ruts are such unknowns.
class ArrowLu {
 public:
  /// @param first  unknowns from there on are looked at
  /// @param least  pivot below which an unknown is not eliminated, positive
  void compute(const MatrixX& matrix, Eigen::Index first, double least);
  /// In place.
  void solve(VectorX& b);

  /// Number of unknowns that compute() has eliminated.
  Eigen::Index eliminated() const { return static_cast<Eigen::Index>(lone_.size()); }

 private:
  std::vector<Eigen::Index> lone_, kept_;
  MatrixX rest_, to_kept_, of_kept_;  // S; M_kl D_l⁻¹; M_lk
  VectorX pivots_;                    // D_l
  Eigen::PartialPivLU<MatrixX> factorization_;
  VectorX kept_side_, lone_side_, solved_;
};

}  // namespace spacedyn
