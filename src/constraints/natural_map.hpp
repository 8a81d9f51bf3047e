/// @file
/// The conditions of constraint rows as one equation F(λ) = 0, and Newton's method on it. Private.
#pragma once

#include <vector>

#include "constraints/constraint_row.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

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

}  // namespace spacedyn
