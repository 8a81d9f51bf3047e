/// @file
/// The beam of these tests, and the robots it is part of.
#pragma once

#include <cmath>

#include "spacedyn/model/flexible_beam.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing {

constexpr double kBeamLength = 2.0;     // m
constexpr double kBeamMass = 3.0;       // kg
constexpr double kBeamRigidity = 50.0;  // EI, N m²

/// A slender beam that bends about y.
inline FlexibleBeamDescription slender_beam(int segments, HingePlacement hinges) {
  FlexibleBeamDescription beam;
  beam.name = "beam";
  beam.parent = "base";
  beam.length = kBeamLength;
  beam.mass = kBeamMass;
  beam.bending_stiffness_y = kBeamRigidity;
  beam.segments = segments;
  beam.hinges = hinges;
  return beam;
}

inline ModelDescription with_beam(BaseDescription base, const FlexibleBeamDescription& beam) {
  ModelBuilder builder("beam");
  builder.set_base(std::move(base));
  for (LinkDescription& link : expand_flexible_beam(beam)) builder.add_link(std::move(link));
  return builder.description();
}

/// The beam on a base that does not move.
inline Model clamped_beam(const FlexibleBeamDescription& beam) {
  BaseDescription base = base_body(1.0, {1.0, 1.0, 1.0});
  base.fixed = true;
  return ModelBuilder(with_beam(base, beam)).build();
}

/// √(EI / ρA L⁴), the unit of frequencies of bending.
inline double bending_unit() {
  return std::sqrt(kBeamRigidity / (kBeamMass * std::pow(kBeamLength, 3)));
}

}  // namespace spacedyn::testing
