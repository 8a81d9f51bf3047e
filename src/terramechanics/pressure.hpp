/// @file
/// Both pressure laws in one form.
#pragma once

#include "math/dual.hpp"
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

/// Where soil that was pressed to a depth ends, and how stiff it is; see PressedBed.
template <typename T>
struct Bed {
  T floor, modulus;
};

/// @param carried  p_u
template <typename T>
Bed<T> bed_under(const Soil& soil, const T& deepest, const T& carried) {
  const T secant = carried / deepest;
  T modulus = T(soil.unloading_modulus[0]) + T(soil.unloading_modulus[1]) * deepest;
  if (value_of(modulus) < value_of(secant)) modulus = secant;
  return {deepest - carried / modulus, modulus};
}

}  // namespace spacedyn
