/// @file
/// Accelerations of a robot with loops, [RBDA] (3.17).
#pragma once

#include <memory>

#include "spacedyn/constraints/assembly_incremental.hpp"
#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

class LoopKernel;

/// Memory of evaluations, owned by the caller, and what is valid after one.
struct SPACEDYN_EXPORT LoopWorkspace {
  IncrementalAssembly solver;  ///< of the same loops; constrained_dynamics() does not update it,
                               ///< but takes the ranks that it has noted
  VectorX multipliers;         ///< λ
  double size;                 ///< m, of the model
  std::unique_ptr<LoopKernel> kernel;  ///< private to the library

  LoopWorkspace(const Model& model, const Mobility& mobility);
  LoopWorkspace(const Model& model, const Mobility& mobility, std::vector<Loop> loops);
  ~LoopWorkspace();
  LoopWorkspace(LoopWorkspace&&) noexcept;
  LoopWorkspace& operator=(LoopWorkspace&&) noexcept;

  /// Number of rows that did not follow from others in the last evaluation.
  int rank() const;
};

/// Gains of Baumgarte's stabilization: k − 2 α K u − β² φ takes the place of k.
struct BaumgarteGains {
  double alpha = 0.0;  ///< 1/s
  double beta = 0.0;   ///< 1/s
};

/// Hybrid dynamics with loops: H u̇ + c = τ + Kᵀ λ, K u̇ = k, u̇ of prescribed coordinates given.
///
/// One pass of the articulated-body algorithm, whose bodies carry the rows of open loops as those
/// of IncrementalAssembly do, here about the common origin of the tree; what rounding leaves of k
/// is solved for again. O(n) where loops are between neighbours. Forces of prescribed coordinates
/// hold the loops as well; those of free ones are the given. λ is zero for rows that follow from
/// others: see IncrementalAssembly::shorten(). Allocates nothing.
/// @pre update_motion() of the tree's workspace for this state
/// @param acceleration  in: entries of the prescribed coordinates; out: all, size 6 + n
/// @param forces        as forward_dynamics()
SPACEDYN_EXPORT DynamicsStatus constrained_dynamics(const State& state, const Loads& loads,
                                                    const BaumgarteGains& gains,
                                                    LoopWorkspace& loops, TreeWorkspace& tree,
                                                    VectorRef acceleration,
                                                    VectorRef forces) noexcept;

/// Everything about the constrained motion of a robot at a state.
struct ConstrainedMotion {
  VectorX acceleration;  ///< u̇, size 6 + n
  VectorX multipliers;   ///< λ of least norm
  MatrixX K;             ///< rows×(6+n)
  VectorX k;
  int rank = 0;                ///< of the columns of K that are free
  int degrees_of_freedom = 0;  ///< free coordinates less the rank
};

/// The convenience that sizes everything itself; the base is as free as the model says.
/// @throws NumericalError if H is not positive definite
SPACEDYN_EXPORT ConstrainedMotion constrained_motion(const Model& model, const State& state,
                                                     const Loads& loads);

}  // namespace spacedyn
