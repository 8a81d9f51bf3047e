/// @file
/// What a ground promises to contacts, whatever it was made from.
#pragma once

#include <cmath>

#include "spacedyn/terrain/terrain.hpp"

namespace spacedyn::fuzz {

/// Traps where the nearest point of a place is not finite or its normal no unit vector.
inline void check_ground(const Terrain& ground) {
  for (const Vector3& place : {Vector3(0, 0, 0), Vector3(0.3, -0.2, 5.0), Vector3(1, 1, 1)}) {
    const SurfacePoint found = ground.nearest(place);
    const bool is_unit = std::abs(found.normal.norm() - 1.0) < 1.0e-9;
    if (!found.point.allFinite() || !is_unit || !std::isfinite(found.distance)) __builtin_trap();
    static_cast<void>(ground.height(place.x(), place.y()));
    static_cast<void>(ground.normal(place.x(), place.y()));
  }
}

}  // namespace spacedyn::fuzz
