/// @file
/// Soils and wheels of the literature, for tests.
#pragma once

#include "spacedyn/math/constants.hpp"
#include "spacedyn/terramechanics/wheel_soil.hpp"

namespace spacedyn::testing {

/// Regolith simulant of [Ishigami].
inline Soil regolith_simulant(double lambda = 0.9) {
  Soil soil;
  soil.cohesion = 800.0;
  soil.friction_angle = 37.2 * kDegree;
  soil.k_c = 1.37e3;
  soil.k_phi = 8.14e5;
  soil.exponent = 1.0;
  soil.density = 1600.0;
  soil.shear_modulus_x = {0.036, 0.043};
  soil.shear_modulus_y = {0.013, 0.020};
  soil.a0 = 0.4;
  soil.a1 = 0.15;
  soil.lambda = lambda;
  soil.destructive_angle = 26.4 * kDegree;
  return soil;
}

inline SoilWheel rover_wheel() { return {0.09, 0.11, 0.0}; }

inline constexpr double kRoverLoad = 64.68;  // N

}  // namespace spacedyn::testing
