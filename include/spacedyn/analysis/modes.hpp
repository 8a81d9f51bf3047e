/// @file
/// Natural frequencies, damping, shapes and participation of a robot with elastic joints.
#pragma once

#include <memory>
#include <vector>

#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// One solution φ of K φ = ω² H φ.
struct SPACEDYN_EXPORT Mode {
  double omega = 0.0;          ///< undamped, rad/s; 0 for a rigid-body or an unstable mode
  double growth_rate = 0.0;    ///< of an unstable mode, ω² < 0: √(−ω²), 1/s
  double damping_ratio = 0.0;  ///< ζ = φᵀ D φ / (2 ω φᵀ H φ)
  VectorX shape;               ///< φ, size 6 + n, unit length, largest component positive
  double modal_mass = 0.0;     ///< φᵀ H φ, kg m² or kg
  VectorX strain_share;  ///< part of each joint in φᵀ K φ, size n; zero for a rigid-body mode
  /// Γ = φᵀ H_mb / φᵀ H φ: how moving a held base (x, y, z, about x, y, z) drives the mode. A free
  /// base has none: its elastic modes carry no momentum.
  Vector6 participation = Vector6::Zero();
  /// Γ² φᵀ H φ, kg and kg m² about the base centroid; over all modes they add up to what H_m
  /// carries of the whole, diag(H_bm H_m⁻¹ H_mb).
  Vector6 effective_mass = Vector6::Zero();

  bool is_rigid() const { return omega == 0.0 && growth_rate == 0.0; }
  double frequency() const;  ///< Hz
};

/// All modes of a system, ascending in ω²: unstable, rigid, elastic ones.
struct Modes {
  std::vector<Mode> modes;
  int rigid_count = 0;
  /// Largest |φ_iᵀ D φ_j| / √(φ_iᵀ D φ_i φ_jᵀ D φ_j), i ≠ j: 0 where damping keeps modes apart, as
  /// damping proportional to stiffness does; near 1 the damping ratios are rough.
  double damping_coupling = 0.0;
};

/// Modes of H ẍ + D ẋ + K x = 0 in the free coordinates, by a Cholesky factorization of H and the
/// symmetric eigenvalue problem. O(n³).
///
/// Coordinates that K leaves free altogether give rigid-body modes, orthogonal in H in the order of
/// the coordinates: translations, rotations about the system centroid, then joints with the base
/// reacting at zero momentum.
/// @param H, D, K  (6+n)×(6+n), symmetric
/// @throws DimensionError if sizes differ; DomainError if a matrix is not symmetric or not finite;
/// NumericalError if H of the free coordinates is not positive definite
SPACEDYN_EXPORT Modes compute_modes(const MatrixX& H, const MatrixX& D, const MatrixX& K,
                                    const Mobility& mobility);

/// Modes of a model at a configuration, at rest, about which its joint springs and dampers act;
/// whatever torque holds it there is constant. Gravity stiffens or softens where the base is held;
/// a free base falls with it. Velocities of the state are not read.
/// @param forces  of which those that belong_to_modes() act, too: springs between frames
/// @throws as above; DimensionError, DomainError if the state or a force does not fit the model
SPACEDYN_EXPORT Modes
compute_modes(const Model& model, const State& state, const Mobility& mobility,
              const Vector3& gravity = Vector3::Zero(),
              const std::vector<std::shared_ptr<const ForceElement>>& forces = {});

/// A mobility in which all joints without stiffness are held, as by a stiff servo or a brake.
SPACEDYN_EXPORT Mobility hold_unsprung_joints(const Model& model, const Mobility& mobility);

}  // namespace spacedyn
