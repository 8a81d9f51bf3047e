/// @file
/// A factorization of the inertia matrix that is as sparse as the tree.
#pragma once

#include <vector>

#include "spacedyn/dynamics/dynamics_status.hpp"
#include "spacedyn/dynamics/instruction_set.hpp"
#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// H = Lᵀ D L of the free coordinates, L unit lower triangular: row i of L has elements only where
/// coordinate j lies between i and the base [Featherstone, Rigid Body Dynamics Algorithms, 6.5],
/// so that branches never fill in.
///
/// For several solutions with one H; for a single one solve_inertia() is faster, and for all of H⁻¹
/// inverse_inertia(): neither needs H. Keeps the instruction_set() of its construction.
class SPACEDYN_EXPORT InertiaFactorization {
 public:
  /// All joints free, the base free unless the model says it is fixed.
  explicit InertiaFactorization(const Model& model)
      : InertiaFactorization(model, Mobility(model)) {}
  /// Keeps nothing of the model. @throws DimensionError for more links than
  /// Topology::kMaxDenseLinks.
  InertiaFactorization(const Model& model, const Mobility& mobility);

  /// Factorizes the H of composite_rigid_body() or inertia_matrix(), of which it reads the upper
  /// triangle. O(n · depth²), allocates nothing. @pre H is (6+n)×(6+n)
  DynamicsStatus factorize(const Eigen::Ref<const MatrixX>& H) noexcept;

  /// x ← H⁻¹ x for the free coordinates; zero for the others, whose elements are not read.
  /// O(n · depth), allocates nothing. @pre factorize() has returned ok; x has size 6 + n
  void solve(VectorRef x) const noexcept;

  /// @name Halves of a solution, H⁻¹ = R Rᵀ with R = L⁻¹ D^−½
  /// x ← Rᵀ x and x ← R x of the free coordinates, zero for the others: |Rᵀ f|² = fᵀ H⁻¹ f, and
  /// |y| = |R y|_H. O(n · depth), allocate nothing. @pre as solve()
  /// @{
  void solve_from_tips(VectorRef x) const noexcept;
  void solve_from_base(VectorRef x) const noexcept;
  /// @}

  /// H⁻¹ of the free coordinates, zero for the others, exactly symmetric. O(n² · depth), allocates
  /// nothing. @pre factorize() has returned ok; the result is (6+n)×(6+n)
  void inverse(Eigen::Ref<MatrixX> H_inverse) const noexcept;

 private:
  struct Factors;
  /// Rows of one column, as many as the widest register holds.
  struct alignas(64) Rows {
    static constexpr std::size_t kCount = 8;
    double rows[kCount];
  };
  int size() const { return static_cast<int>(lower_.size()); }
  void clear_prescribed(VectorRef x) const noexcept;

  InstructionSet set_;
  std::vector<int> free_;   ///< coordinates, ascending
  std::vector<int> lower_;  ///< per coordinate, the next free one toward the base or −1
  std::vector<int> first_;  ///< per coordinate, the last of those numbered in a row toward the base
  std::vector<Rows> L_;     ///< D on the diagonal; above it, column i holds row i of L
};

}  // namespace spacedyn
