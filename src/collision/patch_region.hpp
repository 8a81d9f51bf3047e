/// @file
/// The part of a face that touches: its moments and points that have them. Private.
#pragma once

#include "collision/outline.hpp"

namespace spacedyn {

/// A part of the plane across the normal.
struct PatchRegion {
  double area = 0.0;
  Vector2 center = Vector2::Zero();
  /// √2 times the symmetric root of the second central moments over the area: four equal points at
  /// center ± spread u, center ± spread v, with u and v square to each other, have the same area,
  /// center and second moments. A function that is linear and not negative on a convex region is
  /// not negative at them.
  Eigen::Matrix2d spread = Eigen::Matrix2d::Zero();
};

/// Moments of the inside of an outline of straight lines and arcs of the unit circle. Coordinates
/// are relative to a point of the outline, along a direction across which the region may be
/// narrow, so that narrow regions have precise moments, too.
class OutlineMoments {
 public:
  /// @param reference  a point of the outline
  /// @param narrow     direction, of any length
  OutlineMoments(const Vector2& reference, const Vector2& narrow);

  /// Counterclockwise.
  void add_line(const Vector2& from, const Vector2& to);
  /// Of the circle about the origin, by an angle of either sign.
  void add_arc(const Vector2& from, const Vector2& to, double angle);

  double area() const { return area_; }
  Vector2 center() const { return reference_ + turn_ * middle(); }
  /// Second central moments over the area, along the narrow direction and across it.
  Eigen::Matrix2d variance() const { return second_ / area_ - middle() * middle().transpose(); }

 private:
  Vector2 middle() const { return first_ / area_; }

  Vector2 reference_;
  Eigen::Matrix2d turn_;
  double area_ = 0.0;
  Vector2 first_ = Vector2::Zero();
  Eigen::Matrix2d second_ = Eigen::Matrix2d::Zero();
};

/// Axes of which the first has a direction of any length.
Eigen::Matrix2d axes_along(const Vector2& direction);

/// Of a polygon, which may be narrow along a gradient.
PatchRegion region_of(const Polygon& polygon, const Vector2& gradient);
/// What a polygon and the round end of a cylinder have in common.
PatchRegion region_of(const Polygon& polygon, const Vector2& gradient, const RoundEnd& end);

}  // namespace spacedyn
