/// @file
/// Velocities after an impulse.
#pragma once

#include <memory>
#include <vector>

#include <Eigen/Cholesky>

#include "spacedyn/constraints/loop_solver.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// A joint whose velocity changes by a given amount: both signs of its impulse are allowed.
struct ImposedJump {
  int joint;
  double change;
};

/// A joint at a stop: the stop pushes inwards or not at all.
struct UnilateralJump {
  int joint;
  double inward;  ///< direction in which the stop pushes, ±1
  double least;   ///< of the change inward · Δq̇, in which the joint must not stay behind
  double speed;   ///< size of the velocities that @ref least has been computed from
};

/// H of the free coordinates at one configuration, solved for the jumps that impulses cause. Loops
/// keep their impulses: jumps satisfy them.
class ImpulseSolver {
 public:
  /// @throws NumericalError if H of the free coordinates is not positive definite
  /// @param loops  that hold
  ImpulseSolver(const Model& model, const State& state, const Mobility& mobility,
                const std::vector<Loop>& loops);

  struct Solution {
    VectorX change;            ///< Δu, size 6 + n; prescribed rows stay
    std::vector<bool> pushes;  ///< whether a stop has an impulse; its joint does just the least
    VectorX multipliers;       ///< of the loops, where solve() closes them
  };
  /// Δu = H⁻¹ (Λ + Kᵀ λ) of a generalized impulse Λ with the reactions λ of the rows K: those of
  /// imposed jumps do what is asked, those of stops solve 0 ≤ inward · Δq̇ − least ⊥ λ ≥ 0.
  ///
  /// Found by the rule of Murty: the first stop that contradicts itself changes sides, until none
  /// does. The matrix between them is positive definite, so this ends, and its end is the only
  /// solution. Allocates. @pre one condition for each joint
  /// @param opening  K u before, which the loops take away; empty: it is zero
  Solution solve(const VectorX& impulse, const std::vector<ImposedJump>& imposed,
                 const std::vector<UnilateralJump>& stops, const VectorX& opening = {}) const;

  /// Accelerations with which joints would part from a stop each, all others of them held, if the
  /// stop pulled with a unit force: 1 / (G⁻¹)_ii of G = K H⁻¹ Kᵀ. @pre joints differ
  VectorX mobilities(const std::vector<int>& joints) const;

 private:
  MatrixX responses(const MatrixX& impulses) const;
  /// Diagonal of KᵀH⁻¹K without loops; empty if there are none.
  VectorX own_responses(const MatrixX& impulses) const;

  Mobility mobility_;
  Eigen::Index size_;
  Eigen::LLT<MatrixX> factorization_;
  std::unique_ptr<LoopSolver> loops_;  // null without loops
};

/// Jᵀ [p; l] of an impulse p through a point of a body and an angular impulse l, size 6 + n.
VectorX generalized_impulse(const Model& model, const LinkFrames& frames, const Frame& at,
                            const Vector3& linear, const Vector3& angular);

}  // namespace spacedyn
