/// @file
/// Limits l ≤ C x ≤ u of which some hold with equality.
#pragma once

#include <vector>

#include "math/least_squares/row_space.hpp"

namespace spacedyn {

/// The limits, and an orthogonal factorization Zᵀ C_Wᵀ = Q [R; 0] of those that are active, in the
/// space that the columns of Z span. Where both are the identity, Q swaps coordinates.
class ActiveLimits {
 public:
  ActiveLimits(int unknowns, int limits);

  void clear() { size_ = 0, active_.clear(); }
  /// @param C  null: the identity
  void set(const Eigen::Ref<const MatrixX>* C, ConstVectorRef lower, ConstVectorRef upper);
  /// Into the limits, where C is the identity; what is at one of them is active.
  void clamp(VectorRef x);
  int side(int limit) const { return side_[static_cast<std::size_t>(limit)]; }
  int count() const { return static_cast<int>(active_.size()); }

  /// Whether Q is the identity.
  bool is_trivial() const { return active_.empty() && !is_permuted_; }

  /// Factorizes again for another Z; what depends on others there is no longer active.
  void enter(const Eigen::Ref<const MatrixX>& Z, Eigen::Ref<MatrixX> M);
  /// v ← Qᵀ v and v ← Q v.
  void to_active(VectorRef v) const;
  void from_active(VectorRef v) const;

  /// The largest part of a step d from x that keeps the limits, 1 at most.
  /// @returns the limit that keeps it from going on, or −1
  int find_block(ConstVectorRef x, ConstVectorRef d, double& part) const;
  /// Whether Q swaps coordinates, so that limits may change sides many at a time.
  bool swaps() const { return swaps_; }
  /// x + d, into the limits; all that it meets are active then. @pre swaps()
  /// @returns whether there are any, else x stays
  bool project(ConstVectorRef d, Eigen::Ref<MatrixX> M, VectorRef x);
  /// Releases all that hold the minimum back, see find_release(). @pre swaps()
  /// @returns whether there are any
  bool release_all(VectorRef g, double tolerance, Eigen::Ref<MatrixX> M);
  /// Makes the limit active that d runs into, and M ← M Q for the new Q.
  void activate(int limit, ConstVectorRef d, const Eigen::Ref<const MatrixX>& Z,
                Eigen::Ref<MatrixX> M, VectorRef x);
  /// An active limit that holds the minimum back, by the gradient −g in the space: Σ μ_i c_i = g.
  /// @param tolerance  of g  @param first  whether the first of them, not the one that does most
  /// @returns its place among those that are active, or −1
  int find_release(VectorRef g, double tolerance, bool first) const;
  /// Active limits that hold the minimum back by more than a tolerance stay active for good: of the
  /// points within the limits that leave this minimum as it is, none leaves them.
  /// @pre find_release() or release_all() has found none
  void lock(double tolerance);
  /// Whether all that are active stay so for good.
  bool are_locked() const;
  /// M ← M Q for the Q without it. @param whole  the M of Q = E
  void release(int place, const Eigen::Ref<const MatrixX>& Z,
               const Eigen::Ref<const MatrixX>& whole, Eigen::Ref<MatrixX> M);

 private:
  double slope(int limit, ConstVectorRef d) const;
  bool append(int limit, const Eigen::Ref<const MatrixX>& Z, Eigen::Ref<MatrixX> M);
  void swap_in(int limit, Eigen::Ref<MatrixX> M);
  void swap_out(int place, Eigen::Ref<MatrixX> M);
  void swap_places(int a, int b, Eigen::Ref<MatrixX> M);
  void multiply(VectorRef g) const;
  double wrongness(int place) const;

  int size_ = 0;
  bool is_box_ = true, swaps_ = false, is_permuted_ = false;
  MatrixX normals_;  // Cᵀ
  VectorX lower_, upper_, norms_;
  std::vector<int> active_, before_, side_;
  std::vector<char> locked_;
  MatrixX G_;                    // R on and above the diagonal, reflections below it
  VectorX scales_;               // of the reflections
  std::vector<int> order_, at_;  // of the swaps, in the place of reflections: coordinate at each
                                 // place, and its place
  Eigen::Index dimension_ = 0;   // columns of Z
  mutable VectorX multipliers_, swapped_;
};

}  // namespace spacedyn
