/// @file
/// Limits l ≤ C x ≤ u of which some hold with equality, and complete orthogonal factorizations in
/// memory that is sized once. Private.
#pragma once

#include <vector>

#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// M P = T Q_1ᵀ of an m×n matrix of rank k, by Householder reflections of Mᵀ with column pivoting:
/// Q = [Q_1, Q_2] is orthogonal, the k columns of Q_1 span the rows of M, T is lower trapezoidal.
///
/// Sizes may be anything up to those of the constructor; nothing allocates after it.
class RowSpace {
 public:
  RowSpace(int rows, int columns);

  /// @param least  the factorization ends where all rows are within it of those taken so far
  void factorize(const Eigen::Ref<const MatrixX>& M, double least);
  int rank() const { return rank_; }
  /// Frobenius norm of what the factorization leaves out.
  double rest() const { return rest_; }
  /// 1/|T_k⁻¹|_F of the first k rows: no more than the k-th singular value of M.
  double least_singular_value() const;

  /// Of all x that minimize |M x − b|² + damping² |x|² the shortest.
  void solve(ConstVectorRef b, double damping, VectorRef x);
  /// x ← x without its part in the span of the rows: (E − Q_1 Q_1ᵀ) x.
  void leave(VectorRef x) const;
  /// B ← B Q. @pre B has n columns
  void rotate(Eigen::Ref<MatrixX> B) const;

 private:
  /// x ← Q x.
  void from_rows(VectorRef x) const;

  Eigen::Index rows_ = 0, columns_ = 0;
  int rank_ = 0;
  double rest_ = 0.0;
  std::vector<int> order_;     // P
  MatrixX F_;                  // Tᵀ on and above the diagonal, reflections below it
  VectorX scales_;             // of the reflections
  MatrixX S_;                  // T over damping E, for solve()
  VectorX right_;              // of the same
  mutable MatrixX T_inverse_;  // for least_singular_value()
};

/// E − scale v vᵀ that takes x to a multiple of the first unit vector; x ← [that multiple; v_1…],
/// v_0 = 1. @returns the scale
double make_reflection(Eigen::Ref<VectorX> x);
/// y ← (E − scale v vᵀ) y. @param tail  v without v_0 = 1
void reflect(ConstVectorRef tail, double scale, VectorRef y);
/// B ← B (E − scale v vᵀ).
void reflect_columns(ConstVectorRef tail, double scale, Eigen::Ref<MatrixX> B);

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
