/// @file
/// Reactions of constraint rows at one instant: bilateral, unilateral, with friction. Private.
#pragma once

#include <limits>
#include <vector>

#include "constraints/constraint_row.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// The rates w = free + G λ of rows, G = K H⁻¹ Kᵀ the Delassus matrix, and the λ that satisfy all
/// conditions: |λ_t| ≤ μ λ_n, and where w_t is not zero λ_t = −μ λ_n w_t/|w_t|.
///
/// Rows without friction are decided by the rule of Murty: the first row that contradicts itself
/// changes sides, until none does. Where G is positive definite this ends, and its end is the only
/// solution. All else, and redundant rows for which that does not end, by projected Gauss–Seidel
/// sweeps and a damped Newton's method on the NaturalMap; where that fails, from solutions with
/// ever finer pyramids of friction (FrictionPyramid), which always exist where G is positive
/// semidefinite. A sliding point whose direction is known is a unilateral row whose reaction
/// carries its friction; then G is not symmetric, and a row whose own reaction does not push it has
/// no solution in general (Painlevé). The same input gives the same bits.
class SPACEDYN_EXPORT ComplementarityProblem {
 public:
  enum class Status {
    solved,
    inconsistent,  ///< friction jams a row: see row()
    not_converged  ///< residual() stays above kResidual
  };
  /// Part of the largest rate up to which conditions count as satisfied.
  static constexpr double kResidual = 1e-10;

  /// @param own  diagonal of G without loops: a row whose G is less than 1e-10 of it does not move;
  ///             empty: G is positive definite
  ComplementarityProblem(std::vector<ConstraintRow> rows, MatrixX G, VectorX own, VectorX free);

  Status solve();
  const VectorX& reactions() const { return reactions_; }
  /// Whether a row holds: bilateral, or w = least.
  const std::vector<bool>& active() const { return active_; }
  /// w at the solution.
  VectorX rates() const { return free_ + G_ * reactions_; }
  /// The largest violation of a condition, as a rate.
  double residual() const { return residual_; }
  /// The row that is to blame.
  int row() const { return row_; }

 private:
  using Kind = ConstraintRow::Kind;

  bool has_friction() const;
  /// Whether friction makes a row's own reaction pull it.
  bool pulls_itself(std::size_t row) const;
  bool is_jammed();
  /// @name By exchanges
  /// @{
  bool exchange_to_end();
  void compute_active();
  bool exchange();
  bool stays_behind(Eigen::Index row) const;
  /// @}
  /// @name With friction
  /// @{
  bool solve_cones();
  /// Whether all points may stick, with friction in proportion to their normal reactions.
  bool try_sticking();
  bool sweep_to_end();
  void sweep();
  void sweep_point(Eigen::Index normal);
  /// Points yield, by less and less: friction that redundant points cannot but slide against.
  bool stiffen();
  bool refine_pyramids();
  /// Newton's method; keeps the best that it has found. @returns whether that ends the search
  bool polish(VectorX start);
  /// @}
  double measure(const VectorX& reactions) const;
  bool moves(Eigen::Index row) const;

  const std::vector<ConstraintRow> rows_;
  const MatrixX G_;
  const VectorX own_, free_;
  double scale_ = 0.0;  // of rates
  std::vector<bool> active_;
  VectorX reactions_, size_;  // and the size of the terms in each
  VectorX w_;
  VectorX best_;
  double best_residual_ = std::numeric_limits<double>::infinity();
  double residual_ = 0.0;
  int row_ = -1;
};

/// Inverse of a Delassus matrix; where rows are redundant or do not move, the pseudo-inverse.
/// @param own  as of ComplementarityProblem
MatrixX inverse_of_delassus(const MatrixX& G, const VectorX& own);

}  // namespace spacedyn
