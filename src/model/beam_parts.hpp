/// @file
/// The rigid parts that hinges make of a beam.
#pragma once

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

}  // namespace spacedyn
