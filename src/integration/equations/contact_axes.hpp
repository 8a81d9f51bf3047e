/// @file
/// Axes of a point of contact. Private.
#pragma once

#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Columns n and two tangents, the same for the same n.
inline Matrix3 contact_axes(const Vector3& n) {
  Eigen::Index least = 0;
  n.cwiseAbs().minCoeff(&least);
  Matrix3 axes;
  axes.col(0) = n;
  axes.col(1) = (Vector3::Unit(least) - n(least) * n).normalized();
  axes.col(2) = n.cross(axes.col(1));
  return axes;
}

}  // namespace spacedyn
