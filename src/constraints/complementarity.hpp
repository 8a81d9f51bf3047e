/// @file
/// Reactions of constraint rows at one instant: bilateral, unilateral, with friction. Private.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Part of a row's own response below which loops or other rows hold it: what is left is rounding.
constexpr double kHeldResponse = 1e-10;

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

/// The nearest point of a disc about zero.
inline Eigen::Vector2d clip(const Eigen::Vector2d& value, double radius) {
  const double norm = value.norm();
  return norm > radius ? Eigen::Vector2d(radius / norm * value) : value;
}

/// The reaction λ = (n, t_1, t_2) of a point with the rates w = free + G λ: it parts, sticks, or
/// slides against its friction; a direction of sliding is found by bisection.
/// @param least  of λ_n
Vector3 point_reaction(const Matrix3& G, const Vector3& free, double friction, double least);

/// Whether its own reaction moves a row; else loops or other rows hold it.
/// @param own  as of ComplementarityProblem
bool row_moves(const MatrixX& G, const VectorX& own, Eigen::Index row);

/// The conditions of rows with friction as an equation that is smooth in pieces (Alart and Curnier)
/// and in units of a rate: w − least of a bilateral row, min(w − least, g (λ − least_reaction)) of
/// a unilateral one, g (λ_t − the nearest of λ_t − w_t/g in the disc of radius μ λ_n) of friction.
class NaturalMap {
 public:
  /// @param own  as of ComplementarityProblem
  NaturalMap(const std::vector<ConstraintRow>& rows, const MatrixX& G, const VectorX& own,
             const VectorX& free);

  /// F; rows that do not move have none.
  VectorX residual(const VectorX& reactions) const;
  /// Newton's method with a search along each step, damped where rows are redundant.
  /// @returns the largest part of F that is left
  double solve(VectorX& reactions) const;

 private:
  MatrixX jacobian(const VectorX& reactions) const;
  void differentiate_friction(Eigen::Index normal, const VectorX& reactions, const VectorX& w,
                              MatrixX& J) const;
  VectorX step(const VectorX& reactions, const VectorX& F) const;
  void stride(VectorX& reactions, VectorX& F) const;
  bool search(VectorX& reactions, VectorX& F) const;
  void project(VectorX& reactions) const;
  bool moves(Eigen::Index row) const;

  const std::vector<ConstraintRow>& rows_;
  const MatrixX& G_;
  const VectorX &own_, &free_;
  double scale_ = 0.0;  // of rates
  VectorX unit_;        // of a reaction: response of its row, the mean of two of friction
};

/// Rows where each cone of friction is a pyramid: a linear complementarity problem, solved by
/// Lemke's pivots. Where G is positive semidefinite and some motion satisfies the rows it always
/// has a solution, and the pivots find one. With finer edges it approaches one of the cones.
class FrictionPyramid {
 public:
  /// @param own  as of ComplementarityProblem
  FrictionPyramid(const std::vector<ConstraintRow>& rows, const MatrixX& G, const VectorX& own,
                  const VectorX& free);

  /// @returns nothing where the pivots end without a solution
  std::optional<VectorX> solve();
  /// Halves the angles beside the edges that the solution uses; turns all edges where there is
  /// none.
  void refine();

 private:
  struct Point {
    Eigen::Index normal;  // in on_
    double friction, least_reaction;
    std::vector<double> edges;  // angles, ascending
    std::vector<double> uses;   // friction along them
    /// Of unknowns.
    Eigen::Index size() const {
      return friction > 0.0 ? static_cast<Eigen::Index>(edges.size()) + 2 : 1;
    }
  };

  void collect(const MatrixX& G, const VectorX& own);
  void turn();
  void reduce(const MatrixX& G, const VectorX& free);
  Eigen::Index size() const;
  VectorX reactions(const VectorX& found) const;

  const std::vector<ConstraintRow>& rows_;
  double turned_ = 0.3;  // first edge, as a part of the angle to the next: off axes of symmetry
  bool is_solved_ = false;
  std::vector<Point> points_;
  std::vector<Eigen::Index> on_, bilateral_;
  VectorX unit_;              // of the reactions of on_
  MatrixX G_, held_;          // held: reactions of bilateral rows by those of on_,
  VectorX free_, held_free_;  // and without them
};

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
