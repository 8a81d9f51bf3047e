/// @file
/// The rigid parts that hinges make of a beam, and the damping of its hinges.
#pragma once

#include <array>
#include <vector>

#include "spacedyn/model/flexible_beam.hpp"

namespace spacedyn {

/// One rigid part between two hinges, its properties in beam axes.
struct BeamPart {
  double begin = 0.0, end = 0.0;      ///< along the beam, m
  double mass = 0.0;                  ///< kg
  Vector3 inertia = Vector3::Zero();  ///< principal moments about the centroid, kg m²

  double length() const { return end - begin; }
};

/// Part 0 is fixed to the parent, part i follows hinge i; N + 1 parts, the last without the tip.
std::vector<BeamPart> beam_parts(const FlexibleBeamDescription& beam);

/// EI or GJ of a motion; infinite where the beam is rigid.
double beam_stiffness(const FlexibleBeamDescription& beam, BeamMotion motion);

/// K of hinge i, 1 ≤ i ≤ N.
double hinge_stiffness(const FlexibleBeamDescription& beam, BeamMotion motion, int hinge);

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
