/// @file
/// How much the hinges of a beam damp.
#pragma once

#include <array>

#include "spacedyn/model/flexible_beam.hpp"

namespace spacedyn {

/// For each BeamMotion, by position.
struct BeamDamping {
  std::array<double, 3> times{};   ///< D/K of its hinges, s; 0 where the beam is rigid
  std::array<double, 3> ratios{};  ///< of its first clamped mode
};

/// D/K that gives the first clamped mode of each motion the beam's damping ratio ζ.
///
/// With the tip's centroid on the axis, motions are apart and D/K = 2 ζ/ω_1. Else modes have parts
/// e_m of their elastic energy in several motions and ζ_k = ½ ω_k Σ e_m D_m/K_m: these equations
/// are solved for the modes in which each motion dominates first, by D/K ≥ 0 as nearly as they can
/// be. O(N³), N being at most 100 here.
/// @pre the beam has no errors
BeamDamping beam_damping(const FlexibleBeamDescription& beam);

}  // namespace spacedyn
