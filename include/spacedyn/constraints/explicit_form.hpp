/// @file
/// The projection method: a robot with loops, or joints of a program's own, in independent
/// velocities, [RBDA] (3.18)–(3.23).
#pragma once

#include <functional>
#include <vector>

#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/model/loop.hpp"
#include "spacedyn/state/loads.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// u = G ẏ, u̇ = G ÿ + g (3.11): K G = 0, K g = k (3.12).
///
/// G is an orthonormal basis of what the loops leave to the free coordinates, found by singular
/// values of K; another basis gives other y but the same motion. Tests hold the O(n) method against
/// this one.
struct ExplicitForm {
  MatrixX G;            ///< (6+n)×freedoms
  VectorX g;            ///< size 6 + n
  MatrixX H_G;          ///< Gᵀ H G (3.20)
  VectorX C_G;          ///< Gᵀ (c + H g), c with gravity and external wrenches (3.20)
  VectorX force;        ///< Gᵀ τ, the generalized force u of (3.20)
  VectorX rate;         ///< ẏ of the state
  VectorX rate_change;  ///< ÿ = H_G⁻¹ (Gᵀ τ − C_G)
  /// τ_c = H u̇ + c − τ, what the constraints and the drives of prescribed coordinates exert; free
  /// ones do no work, Gᵀ τ_c = 0. Size 6 + n.
  VectorX constraint_force;

  /// ½ ẏᵀ H_G ẏ (3.22), J.
  double kinetic_energy() const { return 0.5 * rate.dot(H_G * rate); }
  /// u · ẏ = τ · u (3.23), W.
  double power() const { return force.dot(rate); }
  /// u̇ = G ÿ + g.
  VectorX acceleration() const { return G * rate_change + g; }
};

/// The explicit form at a state that is on the loops. O(n³), allocates.
/// @param acceleration  entries of the prescribed coordinates are read, size 6 + n
/// @throws DimensionError for more links than Topology::kMaxDenseLinks, or if a size is wrong
/// @throws NumericalError if H_G is not positive definite
SPACEDYN_EXPORT ExplicitForm explicit_form(const Model& model, const State& state,
                                           const Loads& loads, const Mobility& mobility,
                                           ConstVectorRef acceleration);
/// Joints that follow coordinates y of a program's own, an explicit constraint at the level of
/// positions: q = γ(y), q̇ = G ẏ with G = ∂γ/∂y, q̈ = G ÿ + g with g = Ġ ẏ, [RBDA] 3.2.
struct ExplicitJoints {
  std::function<VectorX(const VectorX& y)> position;                     ///< γ, size n
  std::function<MatrixX(const VectorX& y)> jacobian;                     ///< G, n×y
  std::function<VectorX(const VectorX& y, const VectorX& rate)> change;  ///< g, size n
  /// y of joints that follow it, for flights; near such joints it must be smooth.
  std::function<VectorX(const VectorX& q)> coordinates = {};
};

/// Loops that keep the joints of a tree on q = γ(y) in any flight: n − m rows Nᵀ (q − γ(y)) = 0 of
/// type LoopType::function, y of size m being `coordinates` of q and N(y) an orthonormal basis of
/// what G leaves, so that K u̇ = k is Nᵀ q̈ = Nᵀ g. They go into the description of the same tree.
/// A flight starts at q = γ(y), q̇ = G ẏ. The functions are called at each evaluation, from several
/// threads at once if flights are, and must not throw; what they allocate is their own affair.
/// @param y  where sizes are checked
/// @throws DimensionError if a function returns another size
/// @throws DomainError without a function, for a model with loops, more joints than
/// kMostFunctionJoints, where the rank of G is below m, or coordinates(γ(y)) is not y
SPACEDYN_EXPORT std::vector<LoopDescription> explicit_loops(const Model& model,
                                                            const ExplicitJoints& joints,
                                                            const VectorX& y);

/// The motion of a tree whose joints follow y. A base that floats has coordinates of its own: G has
/// its six columns first, [v_0; ω_0], and so has `rate`.
/// @param state  of the base; q and q̇ are set from y and ẏ
/// @throws DimensionError if a function returns another size
/// @throws DomainError for a model with loops or without a function
/// @throws NumericalError if H_G is not positive definite
SPACEDYN_EXPORT ExplicitForm explicit_form(const Model& model, State& state,
                                           const ExplicitJoints& joints, const VectorX& y,
                                           const VectorX& rate, const Loads& loads);
/// All joints free, the base as free as the model says.
SPACEDYN_EXPORT ExplicitForm explicit_form(const Model& model, const State& state,
                                           const Loads& loads);

}  // namespace spacedyn
