/// @file
/// Accelerations of a robot with loops, [RBDA] (3.17).
#pragma once

#include "spacedyn/constraints/assembly_incremental.hpp"
#include "spacedyn/constraints/loop_solver.hpp"
#include "spacedyn/dynamics/articulated_body.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// Memory of evaluations, owned by the caller, and what is valid after one.
struct SPACEDYN_EXPORT LoopWorkspace {
  IncrementalAssembly solver;
  VectorX k;                   ///< right side of K u̇ = k, stabilization included
  VectorX multipliers;         ///< λ
  VectorX torque;              ///< joint part of Kᵀ λ, size n
  VectorX rest;                ///< what u̇ leaves of k
  VectorX correction;          ///< of λ
  VectorX given;               ///< torques while those of the loops are added
  VectorX nothing;             ///< zero, size 6 + n
  LinkAccelerations coasting;  ///< of all bodies while u̇ = 0
  double size;                 ///< m, of the model

  LoopWorkspace(const Model& model, const Mobility& mobility);
  LoopWorkspace(const Model& model, const Mobility& mobility, std::vector<Loop> loops);
};

/// Gains of Baumgarte's stabilization: k − 2 α K u − β² φ takes the place of k.
struct BaumgarteGains {
  double alpha = 0.0;  ///< 1/s
  double beta = 0.0;   ///< 1/s
};

/// Hybrid dynamics with loops: H u̇ + c = τ + Kᵀ λ, K u̇ = k, u̇ of prescribed coordinates given.
///
/// The articulated-body algorithm without loops first; what it leaves of k gives λ, and with the
/// torques of the loops it runs once more, and again where λ still leaves more than rounding. O(n)
/// where loops are between neighbours, as IncrementalAssembly says. Forces of prescribed
/// coordinates then hold the loops as well; those of free ones are the given. λ is zero for rows
/// that follow from others: see IncrementalAssembly::shorten(). Allocates nothing.
/// @pre update_motion() of the tree's workspace for the state of which @p motion is
/// @param loads         in and out; unchanged in the end
/// @param acceleration  in: entries of the prescribed coordinates; out: all, size 6 + n
/// @param forces        as articulated_body()
SPACEDYN_EXPORT DynamicsStatus constrained_dynamics(const LoopMotion& motion, Loads& loads,
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
