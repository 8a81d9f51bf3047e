/// @file
/// How strongly an impact at a point disturbs the base, which impulses leave it alone, and where.
#pragma once

#include <optional>

#include "spacedyn/export.hpp"
#include "spacedyn/inertia/impulse.hpp"

namespace spacedyn {

/// What joints do in an impact: give way, or stay as they are by brakes or stiff servos.
enum class ImpactJoints { free, locked };

/// How a part of the motion of the base answers impulses at a point, N s, inertial axes.
struct SPACEDYN_EXPORT ImpactDisturbance {
  MatrixX map;  ///< change of velocity per impulse, 3 or 6 rows, 3 columns
  Vector3 singular_values = Vector3::Zero();  ///< of the map, descending
  Matrix3 directions = Matrix3::Identity();   ///< unit impulses that belong to them, in the columns
  int rank = 0;                               ///< singular values that are not zero

  /// Impulse index: the disturbance by the worst impulse of 1 N s.
  double index() const { return singular_values(0); }
  /// Impact-free directions, 3 × (3 − rank): impulses along them disturb nothing.
  Matrix3X free_directions() const { return directions.rightCols(3 - rank); }
};

/// Impulse index of a point [Nenchev]: singular values of the velocity of the base after an
/// impulse p on the point at rest, H_b⁻¹ J_bᵀ p + D Δq̇ with Δq̇ = H*⁻¹ J*ᵀ p, or 0 of locked joints.
struct SPACEDYN_EXPORT ImpactIndex {
  ImpactDisturbance turning;   ///< Δω_0, rad/s per N s
  ImpactDisturbance shifting;  ///< Δv_0 of the centroid of the base, m/s per N s
  /// [Δv_0; ρ Δω_0], m/s per N s: its impact-free directions leave the base at rest altogether, as
  /// a blow on the centre of percussion of a link does.
  ImpactDisturbance base;
  double length = 0.0;  ///< ρ, m: √(trace H_ω/(3 w)) of the locked system about that centroid
  MatrixX velocity_per_impulse;  ///< H⁻¹ Jᵀ, (6+n)×3: the effect on base and joints
  /// J H⁻¹ Jᵀ, 1/kg: 1/(nᵀ · n) is the virtual mass along n.
  Matrix3 inverse_mass = Matrix3::Zero();
};

/// Of a frame; a fixed base has index 0.
/// @param tolerance  part of the largest singular value, and of that of the locked system struck at
/// its centroid or at ρ from it, which counts as zero
/// @throws DimensionError, DomainError if state or frame do not fit, the tolerance is negative or
/// the model has loops; NumericalError if H_b or H* is singular
SPACEDYN_EXPORT ImpactIndex impact_index(const Model& model, const State& state, const Frame& frame,
                                         ImpactJoints joints = ImpactJoints::free,
                                         double tolerance = 1e-9);

/// A joint and the positions that a map gives it.
struct ImpactMapAxis {
  int joint = 1;
  VectorX positions;  ///< rad or m
};

/// Impacts over configurations: a row for each position of the first joint, a column for each of
/// the second. Of the worst impulse of 1 N s, or of one along a direction.
struct ImpactMap {
  MatrixX turning;       ///< |Δω_0|, rad/s
  MatrixX shifting;      ///< |Δv_0|, m/s
  MatrixX virtual_mass;  ///< kg, the least of all directions, or that along the given one
};

/// @param state      where base and all other joints are
/// @param direction  inertial axes, of any length; nothing: each number that of its worst direction
/// @throws as impact_index(); DomainError if a joint is none of the model or both are one, if there
/// is no position or one that is not finite, or if the direction is zero or not finite
SPACEDYN_EXPORT ImpactMap impact_map(const Model& model, const State& state, const Frame& frame,
                                     const ImpactMapAxis& first, const ImpactMapAxis& second,
                                     const std::optional<Vector3>& direction = {},
                                     ImpactJoints joints = ImpactJoints::free);

}  // namespace spacedyn
