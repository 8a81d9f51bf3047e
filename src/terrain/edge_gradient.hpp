/// @file
/// How normals turn about edges and corners. Private.
#pragma once

#include "spacedyn/terrain/terrain.hpp"

namespace spacedyn {

/// Terrain::normal_gradient_change() of ground of faces, whose normals turn where the nearest point
/// is on an edge along t or a corner: as (I − n nᵀ − t tᵀ)/d and (I − n nᵀ)/d.
inline Matrix3 edge_gradient_change(const SurfacePoint& at, const Vector3& direction) {
  const Matrix3& gradient = at.normal_gradient;
  if (gradient.isZero(0.0)) return gradient;
  const Vector3 turn = gradient * direction;
  return -(at.normal * turn.transpose() + turn * at.normal.transpose() +
           at.normal.dot(direction) * gradient) /
         at.distance;
}

}  // namespace spacedyn
