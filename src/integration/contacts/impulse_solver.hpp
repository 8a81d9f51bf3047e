/// @file
/// Velocities after an impulse.
#pragma once

#include <memory>
#include <vector>

#include "constraints/complementarity.hpp"
#include "spacedyn/constraints/assembly_incremental.hpp"
#include "spacedyn/dynamics/tree_workspace.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// What impulses do to the velocities of a system at one configuration, by columns of H⁻¹. Loops
/// and motion constraints keep their impulses: jumps satisfy them.
class ImpulseSolver {
 public:
  /// @param loops  that hold
  /// @param kept_K_T  Kᵀ of motion constraints that hold, (6+n)×rows
  ImpulseSolver(const Model& model, const State& state, const Mobility& mobility,
                const std::vector<Loop>& loops, const MatrixX& kept_K_T);

  /// Rows K of constraints with what they answer: G = K H⁻¹ Kᵀ.
  struct Rows {
    MatrixX K_T;        ///< (6+n)×rows
    MatrixX responses;  ///< H⁻¹ Kᵀ; prescribed rows are zero
    MatrixX G;
    VectorX own;  ///< diagonal of G without loops; empty if rows are independent
  };
  /// @param may_depend  whether rows may follow from each other; loops may always hold them
  /// @throws NumericalError if H of the free coordinates is not positive definite
  Rows rows(MatrixX K_T, bool may_depend) const;

  /// Δu of a generalized impulse, prescribed rows zero.
  VectorX response(const VectorX& impulse) const;
  /// Δu that closes the loops. @param opening  K u of them before
  VectorX closing(const VectorX& opening) const;
  /// The loops' own impulses when they close and another one acts.
  VectorX multipliers(const VectorX& impulse, const VectorX& opening) const;
  bool has_loops() const { return loops_ != nullptr; }

 private:
  VectorX free_response(ConstVectorRef impulse) const;
  VectorX response_in_loops(const VectorX& impulse) const;
  VectorX closing_in_loops(const VectorX& opening) const;
  /// What motion constraints take from a change of velocities.
  VectorX kept_multipliers(const VectorX& change) const {
    return kept_inverse_ * (kept_K_T_.transpose() * change);
  }
  VectorX restrained(const VectorX& change) const {
    return change - kept_responses_ * kept_multipliers(change);
  }

  LoopMotion motion_;  // at the origin, where rows of loops lose no digits
  const Eigen::Index size_;
  mutable TreeWorkspace workspace_;
  std::unique_ptr<IncrementalAssembly> loops_;  // null without loops
  MatrixX kept_K_T_, kept_responses_, kept_inverse_;
};

/// Jᵀ [p; l] of an impulse p through a point of a body and an angular impulse l, size 6 + n.
VectorX generalized_impulse(const Model& model, const LinkFrames& frames, const Frame& at,
                            const Vector3& linear, const Vector3& angular);

}  // namespace spacedyn
