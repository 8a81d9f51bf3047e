/// @file
/// The U.S. Standard Atmosphere.
#pragma once

#include "spacedyn/export.hpp"

namespace spacedyn {

/// Density of the U.S. Standard Atmosphere 1976 at a geometric altitude in m, kg/m³.
///
/// To 86 km the layers of constant gradient of temperature in geopotential altitude; from there to
/// 1,000 km the sum of N₂, O, O₂, Ar, He and H, whose equations of diffusion are integrated once
/// and interpolated [NOAA 1976, equations 33 to 42]. Beyond, the density goes on falling by the
/// scale height that it has at 1,000 km. Allocates nothing after the first call.
SPACEDYN_EXPORT double us_1976_density(double altitude);

}  // namespace spacedyn
