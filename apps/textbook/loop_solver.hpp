/// @file
/// Solutions of K y = b that are the least in the metric of the inertia, and their multipliers.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/dynamics/inertia_factorization.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"

namespace spacedyn {

/// The loops of a model at one configuration, factorized.
///
/// With H⁻¹ = R Rᵀ and W = Rᵀ Kᵀ, columns of W are orthogonalized in the order of what is left of
/// them until the rest is rounding: W P = Q [R_1 R_2], which reveals the rank. Never forms
/// K H⁻¹ Kᵀ, whose condition is the square. Memory is sized once; owned by the caller.
class LoopSolver {
 public:
  /// @param model  must outlive this object
  /// @throws DimensionError for more links than Topology::kMaxDenseLinks
  LoopSolver(const Model& model, const Mobility& mobility);
  /// Of other loops than those of the model.
  LoopSolver(const Model& model, const Mobility& mobility, std::vector<Loop> loops);

  const LoopEquations& equations() const { return equations_; }
  const Mobility& mobility() const { return workspace_.mobility(); }

  /// Factorizes. O(n depth² + rows · rank · n), allocates nothing.
  /// @pre frames are those of the state
  DynamicsStatus update(const State& state, const LinkFrames& frames) noexcept;

  /// @name After update()
  /// @{
  /// Kᵀ, (6+n)×rows, prescribed coordinates included.
  const MatrixX& jacobian_transposed() const { return K_T_; }
  /// Rank of the columns of K that belong to free coordinates.
  int rank() const { return rank_; }

  /// The multipliers λ of which H⁻¹ Kᵀ λ solves K y = b; λ is zero for rows that follow from
  /// others, whose elements of b are not read. Allocates nothing.
  void multipliers(ConstVectorRef b, VectorRef lambda) noexcept;
  /// y = H⁻¹ Kᵀ λ, of all y with K y = b and zero for prescribed coordinates the least |y|_H.
  /// Allocates nothing. @param y  out: size 6 + n
  void respond(ConstVectorRef b, VectorRef y) noexcept;
  /// Adds to λ what changes no force, so that |λ| becomes least. Allocates nothing.
  void shorten(VectorRef lambda) noexcept;
  /// @}

  /// Loops with rows that follow from earlier ones, in file order, at the last update. Allocates.
  std::vector<std::string> redundant_loops() const;

 private:
  void scale_rows() noexcept;
  void orthogonalize() noexcept;
  void take_pivot(int column) noexcept;
  void solve_transposed(ConstVectorRef b) noexcept;

  LoopEquations equations_;
  TreeWorkspace workspace_;
  InertiaFactorization factorization_;
  double length_;  // m, of the model: compares angles with lengths
  MatrixX H_, K_T_;
  MatrixX W_;       // columns that are no pivots hold what is left of them
  MatrixX Q_;       // orthonormal columns, one for each pivot
  MatrixX R_;       // column j: row j of K in terms of Q
  VectorX scales_;  // of rows; 0 of those that are rounding
  VectorX tolerances_, left_;
  std::vector<int> pivots_;
  std::vector<bool> is_pivot_;
  int rank_ = 0;
  VectorX coordinates_, solution_, null_vector_;
  MatrixX null_vectors_;
};

}  // namespace spacedyn
