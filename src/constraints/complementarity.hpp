/// @file
/// Reactions of constraint rows at one instant: bilateral, unilateral, with friction. Private.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// What the reaction λ of a row may be, and what it answers.
struct ConstraintRow {
  enum class Kind : char {
    bilateral,   ///< w = least, λ of either sign
    unilateral,  ///< 0 ≤ w − least ⊥ λ − least_reaction ≥ 0
    tangential   ///< one of the two that follow a unilateral row with friction
  };
  Kind kind = Kind::bilateral;
  double least = 0.0;           ///< of the rate w
  double terms = 0.0;           ///< size of what @ref least has been computed from
  double least_reaction = 0.0;  ///< of a unilateral row
  double friction = -1.0;       ///< μ of the two rows that follow; negative: none follow
};

/// The rates w = free + G λ of rows, G = K H⁻¹ Kᵀ the Delassus matrix, and the λ that satisfy all
/// conditions: |λ_t| ≤ μ λ_n, and where w_t is not zero λ_t = −μ λ_n w_t/|w_t|.
///
/// Rows without friction are decided by the rule of Murty: the first row that contradicts itself
/// changes sides, until none does. Where G is positive definite this ends, and its end is the only
/// solution. All else, and redundant rows for which that does not end, by projected Gauss–Seidel
/// sweeps, from which Newton's method on the rows found to stick, slide and push goes to rounding.
/// A sliding point whose direction is known is a unilateral row whose reaction carries its
/// friction; then G is not symmetric, and a row whose own reaction does not push it has no solution
/// in general (Painlevé). The same input gives the same bits.
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
  /// @name By sweeps
  /// @{
  bool sweep_to_end();
  /// Whether all points may stick, with friction in proportion to their normal reactions.
  bool try_sticking();
  void sweep();
  void sweep_point(Eigen::Index normal);
  bool polish();
  void linearize(const std::vector<Eigen::Index>& rows, MatrixX& J, VectorX& rest) const;
  std::vector<Eigen::Index> holding_rows() const;
  bool slides(Eigen::Index normal) const;
  /// @}
  double measure(const VectorX& reactions) const;
  double friction_residual(Eigen::Index normal, const VectorX& reactions, const VectorX& w) const;
  bool moves(Eigen::Index row) const;

  const std::vector<ConstraintRow> rows_;
  const MatrixX G_;
  const VectorX own_, free_;
  double scale_ = 0.0;  // of rates
  std::vector<bool> active_;
  VectorX reactions_, size_;  // and the size of the terms in each
  VectorX w_;
  double residual_ = 0.0;
  int row_ = -1;
};

/// Inverse of a Delassus matrix; where rows are redundant or do not move, the pseudo-inverse.
/// @param own  as of ComplementarityProblem
MatrixX inverse_of_delassus(const MatrixX& G, const VectorX& own);

}  // namespace spacedyn
