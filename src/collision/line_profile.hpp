/// @file
/// Depths along the line of a cylinder or a capsule. Private.
#pragma once

#include <algorithm>
#include <array>

#include "collision/surface_pieces.hpp"

namespace spacedyn {

/// Part of a line, from 0 to 1.
struct Interval {
  double low = 0.0, high = 1.0;

  /// Keeps where offset + slope s is not negative.
  void cut(double offset, double slope) {
    if (slope > 0.0) {
      low = std::max(low, -offset / slope);
    } else if (slope < 0.0) {
      high = std::min(high, -offset / slope);
    } else if (offset < 0.0) {
      high = -1.0;
    }
  }
  /// Keeps where offset + slope s − bend s², bend ≥ 0, is not negative.
  void cut(double offset, double slope, double bend);
  bool is_empty() const { return !(high >= low); }
};

/// The depth along a line: depth + slope s − bend s² where it lies over the other surface.
struct LineProfile {
  Vector3 from = Vector3::Zero(), along = Vector3::Zero();
  double depth = 0.0, slope = 0.0, bend = 0.0;
  /// To the middle between both surfaces.
  Vector2 across = Vector2::Zero(), across_change = Vector2::Zero();
  double side = 1.0;  ///< 1: the line belongs to the first shape, −1: to the second
  Interval over;

  double at(double s) const { return depth + s * (slope - bend * s); }
  Vector3 place(double s) const;
  /// Where it is deepest.
  double deepest() const;
  /// Where the depth is not negative.
  Interval inside() const;
};

LineProfile over_face(const SurfacePiece& line, const SurfacePiece& face, double side);
/// Over another line the depth falls with the square of the distance between both: beside it, and
/// beyond its two ends. A cylinder goes on there with the slope of its end, a capsule is round.
std::array<LineProfile, 3> over_line(const Surface& line, const Surface& other, double side);

}  // namespace spacedyn
