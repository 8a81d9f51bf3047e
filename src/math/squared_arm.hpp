/// @file
/// Inertia of points of mass. Private.
#pragma once

#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// |r|² E − r rᵀ: times a mass, the inertia of a point at r about the origin.
inline Matrix3 squared_arm(const Vector3& r) {
  return r.squaredNorm() * Matrix3::Identity() - r * r.transpose();
}

}  // namespace spacedyn
