/// @file
/// Least squares one after another, within limits: the solver of control allocation and of tasks.
#pragma once

#include <memory>

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Levels of least squares with strict priorities and limits l ≤ C x ≤ u.
///
/// Level k takes, among all x that keep the limits and leave A_j x of the levels j < k as found
/// there, those with the least |A_k x − b_k|² + λ_k² |x|²; in the end x is the shortest of them.
/// Without limits this is x ← x + (A N)⁺ (b − A x) with the projector N on what the levels above
/// leave free. A primal active-set method in the space that is left, [Björck 1996, 5.2]: it starts
/// from a point within the limits, and each level ends after finitely many exchanges. Tolerances
/// are relative, so that scaling rows, limits or unknowns changes nothing.
///
/// Memory is sized once; all other functions allocate nothing.
class SPACEDYN_EXPORT HierarchicalLeastSquares {
 public:
  struct Sizes {
    int unknowns = 0;
    int limits = 0;  ///< rows of C, or unknowns where C is the identity; 0: none
    int rows = 0;    ///< most rows of a level
  };
  /// @param rank_tolerance  singular values of A_k N up to this share of the largest of A_k count
  /// as zero: they stay free for levels below, and with λ = 0 are not asked for
  explicit HierarchicalLeastSquares(const Sizes& sizes, double rank_tolerance = 1e-6);
  ~HierarchicalLeastSquares();
  HierarchicalLeastSquares(HierarchicalLeastSquares&&) noexcept;
  HierarchicalLeastSquares& operator=(HierarchicalLeastSquares&&) noexcept;
  const Sizes& sizes() const;

  /// @name The beginning of a problem; limits may be infinite
  /// @{
  void start();
  /// l ≤ x ≤ u. @pre l ≤ u
  void start(ConstVectorRef lower, ConstVectorRef upper);
  /// l ≤ C x ≤ u. @param feasible  an x that keeps them
  void start(const Eigen::Ref<const MatrixX>& C, ConstVectorRef lower, ConstVectorRef upper,
             ConstVectorRef feasible);
  /// @}

  /// The next level. @returns false if rounding kept it from its minimum: x is then feasible, but
  /// not the best
  bool minimize(const Eigen::Ref<const MatrixX>& A, ConstVectorRef b, double damping = 0.0);
  /// The shortest of all x that are left, after the last level.
  bool shorten();
  const VectorX& solution() const;
  /// Whether a limit holds with equality: 1 its upper end, −1 its lower end, else 0.
  int side(int limit) const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace spacedyn
