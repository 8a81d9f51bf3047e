/// @file
/// Where two shapes touch or are about to, by the corners of the patch. Private.
#pragma once

#include <array>

#include "spacedyn/collision/contact_geometry.hpp"

namespace spacedyn {

/// Corners of a patch, all with one normal; those that are still apart have negative depths.
struct ContactCorners {
  static constexpr int kMost = 8;

  std::array<ContactPoint, kMost> points;
  int count = 0;

  void add(const ContactPoint& point) {
    if (count < kMost) points[static_cast<std::size_t>(count++)] = point;
  }
};

/// Corners of the patch along which two shapes touch, or would after a motion of so many metres;
/// shapes that touch in a single point have one. With more than eight those are left out that are
/// near to others. Allocates nothing.
/// @param reach  m, not negative
SPACEDYN_EXPORT ContactCorners contact_corners(const ShapePose& a, const ShapePose& b,
                                               double reach);

/// Of two boxes.
ContactCorners box_corners(const ShapePose& a, const ShapePose& b, double reach);

}  // namespace spacedyn
