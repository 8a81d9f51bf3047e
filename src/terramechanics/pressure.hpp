/// @file
/// Both pressure laws in one form.
#pragma once

#include "spacedyn/terramechanics/soil.hpp"

namespace spacedyn {

/// p = stiffness (z/unit)ⁿ
struct Pressure {
  double stiffness, unit;
};

inline Pressure pressure_under(const Soil& soil, double width, double gravity) {
  if (soil.pressure == PressureLaw::reece) {
    return {soil.cohesion * soil.k_c + soil.density * gravity * width * soil.k_phi, width};
  }
  return {soil.k_c / width + soil.k_phi, 1.0};
}

}  // namespace spacedyn
