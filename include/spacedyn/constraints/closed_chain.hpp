/// @file
/// Inertia, generalized Jacobian, reaction null space and inverse dynamics of a robot with loops.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/reaction_null_space.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "spacedyn/state/loads.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// Joint motion of a robot with loops in the rates ẏ of f independent joints: q̇ = G ẏ,
/// q̈ = G ÿ + g (3.11). Motions of the base open no loop, so G has no rows for them.
struct ClosedChain {
  std::vector<int> independent;  ///< joints 1…n whose rates are ẏ, ascending
  MatrixX G;                     ///< n×f; rows of independent joints are those of the identity
  VectorX g;                     ///< size n, 0 for independent joints
  /// H* of the closed chain, Gᵀ (H_m − H_bmᵀ H_b⁻¹ H_bm) G, f×f: ½ ẏᵀ H* ẏ is the kinetic energy at
  /// zero momentum. Fixed base: Gᵀ H_m G. Exactly symmetric.
  MatrixX H_star;
};

/// The chain at a state that is on the loops, in those independent joints that leave the others
/// best determined. O(n³), allocates.
/// @throws DimensionError, DomainError if the state does not fit the model or the model is too big;
/// NumericalError if H_b is singular
SPACEDYN_EXPORT ClosedChain closed_chain(const Model& model, const State& state);
/// The same in the rates of chosen joints.
/// @param independent  joints 1…n, as many as there are freedoms, in any order
/// @throws DomainError besides, if a joint is not there or twice, if there are too few or too many,
/// or if the loops relate them at this state
SPACEDYN_EXPORT ClosedChain closed_chain(const Model& model, const State& state,
                                         const std::vector<int>& independent);

/// J* of the closed chain, (J_m − J_b H_b⁻¹ H_bm) G, 6×f: the inertial twist (linear, angular) of a
/// frame per independent rate while the total momentum is zero. Allocates.
/// @throws as generalized_jacobian() of the tree
SPACEDYN_EXPORT Matrix6X generalized_jacobian(const Model& model, const State& state,
                                              const Frame& frame, const ClosedChain& chain);

/// Independent rates that the base does not feel: the kernel of H̄ G and its projector, f×f.
/// Allocates. @throws as reaction_null_space() of the tree
SPACEDYN_EXPORT ReactionNullSpace reaction_null_space(const Model& model, const State& state,
                                                      Reaction reaction, const ClosedChain& chain,
                                                      const ReactionNullSpaceOptions& options = {});

/// What moves a robot with loops as demanded.
struct ClosedInverseDynamics {
  VectorX acceleration;  ///< u̇ that satisfies the loops, size 6 + n
  Vector6 F_b;           ///< force and moment about the base centroid on the base, inertial
  VectorX tau;           ///< of all joints, 0 for those that are not actuated, N m or N
  VectorX multipliers;   ///< λ of least norm: H u̇ + c = [F_b; τ] + Kᵀ λ
};

/// Inverse dynamics with loops: of all torques of the actuated joints that give the motion,
/// Gᵀ τ = Gᵀ (H u̇ + c), those with the least Σ τ². O(n³), allocates.
/// @param acceleration  entries of base and independent joints are read, size 6 + n; the others
///                      follow from the loops
/// @param loads         gravity and external wrenches; F_b and τ are not read
/// @param actuated      joints 1…n that have a torque
/// @throws DimensionError, DomainError if a size is wrong, a joint is not there or twice, or if
/// the actuated joints cannot give the motion
SPACEDYN_EXPORT ClosedInverseDynamics closed_inverse_dynamics(
    const Model& model, const State& state, const ClosedChain& chain, ConstVectorRef acceleration,
    const Loads& loads, const std::vector<int>& actuated);
/// All joints actuated, the independent joints those of closed_chain().
SPACEDYN_EXPORT ClosedInverseDynamics closed_inverse_dynamics(const Model& model,
                                                              const State& state,
                                                              ConstVectorRef acceleration,
                                                              const Loads& loads);

}  // namespace spacedyn
