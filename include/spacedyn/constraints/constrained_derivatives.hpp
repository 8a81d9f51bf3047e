/// @file
/// First derivatives of forward dynamics where loops hold, and coordinates of what they leave free.
#pragma once

#include <vector>

#include "spacedyn/dynamics/derivatives.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/state/loads.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// How accelerations and multipliers of a system with loops change; columns as in
/// ForwardDynamicsDerivatives. Differentiated is H u̇ + c = τ + Kᵀ λ, K u̇ = k:
///
///     H δu̇ − Kᵀ δλ = δτ − ∂ID δ(x, u) + ∂(Kᵀ λ)/∂x δx,   K δu̇ = −∂(K u̇ − k) δ(x, u).
struct SPACEDYN_EXPORT ConstrainedDerivatives {
  ForwardDynamicsDerivatives motion;  ///< u̇ and its derivatives
  VectorX multipliers;                ///< λ, zero for rows that follow from others
  MatrixX multipliers_configuration, multipliers_velocity, multipliers_force;
  MatrixX K;                   ///< of all coordinates, rows×(6+n)
  MatrixX rate_configuration;  ///< ∂(K u)/∂x
  MatrixX force_configuration;  ///< ∂(Kᵀ λ)/∂x: the geometric stiffness of the loops, negative
};

/// Derivatives at a state that is on the loops. The dynamics of bodies are differentiated
/// analytically, rows of loops by differences of order 6, good to 12 digits. O(n (n + loops)),
/// allocates.
/// @param loops         those of the model or others
/// @param acceleration  entries of the prescribed coordinates are read, size 6 + n
/// @throws DimensionError for more links than Topology::kMaxDenseLinks, or if a size is wrong
/// @throws NumericalError if H is not positive definite
SPACEDYN_EXPORT ConstrainedDerivatives
constrained_derivatives(const Model& model, const std::vector<Loop>& loops, const State& state,
                        const Loads& loads, const Mobility& mobility, ConstVectorRef acceleration);
/// Loops of the model, all joints free, the base as free as the model says.
SPACEDYN_EXPORT ConstrainedDerivatives constrained_derivatives(const Model& model,
                                                               const State& state,
                                                               const Loads& loads);

/// Coordinates of the manifold that loops leave: some of the free coordinates, the others follow,
/// δx = G δy and δu = G δẏ + S δy.
struct IndependentCoordinates {
  std::vector<int> independent;  ///< of the 6 + n, ascending
  std::vector<int> dependent;    ///< ascending
  MatrixX G;                     ///< (6+n)×independent; rows of prescribed coordinates are zero
  MatrixX S;                     ///< likewise: what velocities follow because the loops turn
};

/// Chooses as dependent those coordinates in which K is best conditioned.
/// @param followers  joints that are dependent anyhow, exactly by their ratios
SPACEDYN_EXPORT IndependentCoordinates
independent_coordinates(const MatrixX& K, const MatrixX& rate_configuration,
                        const Mobility& mobility, const std::vector<Follower>& followers = {});

}  // namespace spacedyn
