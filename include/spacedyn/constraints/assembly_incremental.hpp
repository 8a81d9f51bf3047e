/// @file
/// Incremental assembly: articulated bodies that carry the multipliers of open loops.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/dynamics/dynamics_status.hpp"
#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// Part of its size below which what a row adds to other rows counts as rounding there. Pivots are
/// squares of it, so that this is not as sharp as kRankTolerance.
inline constexpr double kIncrementalTolerance = 3e-7;

/// The loops of a model at one configuration, factorized from the tips to the base.
///
/// As the articulated-body algorithm goes inward, each body hands on its inertia together with the
/// rows of the loops that are still open, and the coupling of these rows. A loop is eliminated at
/// the body where its two branches meet: there its rows depend on that body and on other open
/// loops alone [Popov, Vereshchagin]. Loops between neighbours cost O(1) each, so that a chain of n
/// of them costs O(n); m loops that all reach to the base cost O(n m²). Rows that follow from
/// others are found where their pivot is rounding, and get no multiplier.
///
/// The default of simulations. Memory is sized once; owned by the caller.
class SPACEDYN_EXPORT IncrementalAssembly {
 public:
  /// @param model  must outlive this object
  /// @throws DimensionError if the loops overlap so much that couplings take more than 1 GiB
  IncrementalAssembly(const Model& model, const Mobility& mobility);
  /// Of other loops than those of the model.
  IncrementalAssembly(const Model& model, const Mobility& mobility, std::vector<Loop> loops);
  ~IncrementalAssembly();
  IncrementalAssembly(IncrementalAssembly&&) noexcept;
  IncrementalAssembly& operator=(IncrementalAssembly&&) noexcept;

  const LoopEquations& equations() const;
  const Mobility& mobility() const;

  /// Factorizes. Allocates nothing. @pre frames are those of the state
  /// @param tolerance  rows that add less than this part of their size are left out
  DynamicsStatus update(const State& state, const LinkFrames& frames,
                        double tolerance = kIncrementalTolerance) noexcept;

  /// Notes how many independent rows each loop has at a configuration on the loops; from then on
  /// update() finds at most as many as at any of these. Beside the loops, as inside a step, rows
  /// of an overconstrained mechanism are independent by what the step has left open, and would hold
  /// it fast. Allocates nothing.
  DynamicsStatus note_ranks(const State& state, const LinkFrames& frames) noexcept;

  /// Number of rows of one loop that update() finds independent at most.
  int most_independent(int loop) const;

  /// @name After update(), without allocating unless it says so
  /// @{
  /// Number of rows that do not follow from others.
  int rank() const;
  /// The same of the rows of one loop, 0, 1, …
  int rank_of(int loop) const;
  /// How independent the rows of one loop are: the least part that the others leave of the
  /// response of a row, of what joints could move it at most; infinite without independent rows.
  double independence(int loop) const;
  /// The multipliers λ of which H⁻¹ Kᵀ λ solves K y = b; zero for rows that follow from others,
  /// whose elements of b are not read.
  void multipliers(ConstVectorRef b, VectorRef lambda) noexcept;
  /// y = H⁻¹ Kᵀ λ, of all y with K y = b and zero for prescribed coordinates the least |y|_H.
  /// @param y  out: size 6 + n
  void respond(ConstVectorRef b, VectorRef y) noexcept;
  /// H y = f + Kᵀ λ, K y = b: what forces do where the loops hold; zero for prescribed coordinates.
  /// @param f  size 6 + n, (force, moment, joints)
  void solve(ConstVectorRef f, ConstVectorRef b, VectorRef y, VectorRef lambda) noexcept;
  /// K u of all coordinates. O(length of the loops).
  void apply(ConstVectorRef u, VectorRef rate) const noexcept;
  /// Joint part of Kᵀ λ, size n; the part of the base is zero. O(length of the loops).
  void apply_transposed(ConstVectorRef lambda, VectorRef torque) const noexcept;
  /// Size of the largest element of b in rows that do not follow from others.
  double largest(ConstVectorRef b) const noexcept;
  /// Adds to λ what changes no force, so that |λ| becomes least. Allocates for more than 64 loops
  /// with rows that follow from others.
  void shorten(VectorRef lambda) noexcept;
  /// Kᵀ, (6+n)×rows. Allocates.
  MatrixX jacobian_transposed() const;
  /// Loops with rows that follow from others, in file order. Allocates.
  std::vector<std::string> redundant_loops() const;
  /// @}

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace spacedyn
