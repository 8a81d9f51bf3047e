/// @file
/// Joint motions that leave the base undisturbed.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/math/singular_values.hpp"

namespace spacedyn {

/// Which reactions a motion must not cause.
enum class Reaction {
  angular,  ///< H̄ = H_ωφ − w r̃_0g J_Tg, 3×n: the base does not turn, but may translate
  full      ///< H̄ = H_bm, 6×n: the base does not move at all
};

/// How the rank of H̄ is decided and what happens where it changes.
struct ReactionNullSpaceOptions {
  /// Singular values of H̄ up to tolerance × √(tr H_ω · tr H_m) count as zero; that is the largest
  /// coupling that these inertias could have (full: length² · 3w added to tr H_ω).
  double tolerance = 1e-12;
  /// λ in the unit of H̄ (angular rows, kg m²/s per joint rate); 0: an exact projector.
  double damping = 0.0;
  /// Linear rows of the full H̄ are multiplied by this length, m, to compare with angular ones. It
  /// affects the singular values, never the exact kernel.
  double length = 1.0;

  /// @throws DomainError if one is negative or not finite, or the length zero
  SPACEDYN_EXPORT void check() const;
};

/// The kernel of H̄ and its projector; also the memory for them, sized once.
struct SPACEDYN_EXPORT ReactionNullSpace {
  Reaction reaction;
  SingularValues coupling;  ///< H̄ as `matrix()`, its σ, rank, the threshold used, kernel_basis()
  /// E − H̄⁺H̄, n×n: any joint rates become q̇ = projector ζ that cause no reaction. Its metric is
  /// that of the joint rates as they are, rad/s and m/s side by side.
  MatrixX projector;

  /// @throws DimensionError for more links than Topology::kMaxDenseLinks.
  ReactionNullSpace(const Model& model, Reaction reaction);
  /// For motion in other rates than those of all joints.
  ReactionNullSpace(Reaction reaction, int rates);

  /// Dimension of the kernel, 0…n; 0 means that no motion is free of reactions.
  int dimension() const { return coupling.kernel_dimension(); }
};

/// The reaction null space of a state. With angular momentum zero about the system centroid,
/// q̇ in the angular kernel gives ω_0 ≡ 0; with all momentum zero, q̇ in the full kernel gives a base
/// at rest. On a fixed base the full kernel holds the motions without reaction at the support.
/// Where the rank changes the exact projector jumps; ask for damping to have it change smoothly.
/// O(n²), allocates nothing.
SPACEDYN_EXPORT void compute_reaction_null_space(const InertiaBlocks& blocks,
                                                 const ReactionNullSpaceOptions& options,
                                                 ReactionNullSpace& null_space) noexcept;
/// The same of joint rates q̇ = G ẏ: the kernel of H̄ G and its projector, for ẏ.
/// @param G  n×f; the null space is that of f rates
SPACEDYN_EXPORT void compute_reaction_null_space(const InertiaBlocks& blocks,
                                                 const Eigen::Ref<const MatrixX>& G,
                                                 const ReactionNullSpaceOptions& options,
                                                 ReactionNullSpace& null_space);

/// The convenience that sizes everything itself.
/// @throws DimensionError, DomainError if the state does not fit the model, the model is too big,
/// or an option is negative or not finite.
SPACEDYN_EXPORT ReactionNullSpace reaction_null_space(const Model& model, const State& state,
                                                      Reaction reaction,
                                                      const ReactionNullSpaceOptions& options = {});

}  // namespace spacedyn
