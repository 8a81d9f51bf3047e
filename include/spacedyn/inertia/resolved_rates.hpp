/// @file
/// Joint rates that give a hand a wanted twist: resolved-rate control with J_m or J*.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/math/singular_values.hpp"

namespace spacedyn {

/// How near to a singularity rates are still exact.
struct ResolvedRateOptions {
  /// Singular values up to tolerance × σ_max count as zero: motion along them is given up.
  double tolerance = 1e-12;
  /// λ in the unit of J; 0: exact, with rates that grow without bound towards a singularity.
  double damping = 0.0;
};

/// What was achieved.
struct ResolvedRates {
  int rank = 0;            ///< of J
  double threshold = 0.0;  ///< singular values up to it counted as zero
  double residual = 0.0;   ///< |J q̇ − ẋ|, the part of the task that is not met
};

/// q̇ = J⁺ ẋ: the shortest of the rates that come nearest to the twist; damped, the minimum of
/// |J q̇ − ẋ|² + λ² |q̇|². For a free-floating arm J is J* and ẋ the wanted twist less its
/// twist_offset(). A singular J is reported by the rank and the residual, never by NaN.
/// O(m² n), allocates nothing.
/// @param jacobian  J written in its matrix(), m×n; already in the units in which errors compare
/// @param twist     ẋ, size m
/// @param rates     out: q̇, size n
SPACEDYN_EXPORT ResolvedRates resolve_rates(const ResolvedRateOptions& options,
                                            SingularValues& jacobian, ConstVectorRef twist,
                                            VectorRef rates) noexcept;

}  // namespace spacedyn
