/// @file
/// Points on the rims of a cylinder above the ground. Private.
#pragma once

#include "spacedyn/collision/contact_geometry.hpp"

namespace spacedyn {

/// A point on a rim, by quarters of a turn from the lowest one. With s the sine between axis and
/// normal, depths are that of the centre of the end and r s (1, 0, −1, 0): smooth where the
/// cylinder stands upright, though the lowest point jumps there.
struct RimPoint {
  /// Four points on the rim of each end.
  static constexpr int kEach = 4;
  /// Sine between axis and normal below which no point is the lowest.
  static constexpr double kUpright = 1e-12;

  Vector3 axis, arm;    // arm: to the centre of the end
  SurfacePoint ground;  // below that
  Vector3 across;       // part of the normal that is square to the axis
  Vector3 down;         // towards the lowest point
  bool is_beside;       // at 90° or 270°
  double sign;          // of the direction below

  RimPoint(const ShapePose& cylinder, int number, const Terrain& terrain)
      : axis(cylinder.rotation.col(2)),
        arm((number < kEach ? -0.5 : 0.5) * cylinder.size.y() * axis),
        ground(terrain.nearest(cylinder.position + arm)),
        across(ground.normal - ground.normal.dot(axis) * axis),
        down(is_upright() ? Vector3(cylinder.rotation.col(0)) : Vector3(-across.normalized())),
        is_beside(number % 2 == 1),
        sign(number % kEach < 2 ? 1.0 : -1.0) {}

  bool is_upright() const { return !(across.norm() > kUpright); }
  /// Whether it is a lowest point whose axis is nearer to the ground's tangent than to its normal:
  /// by 60° at least.
  bool is_lying() const { return !is_beside && sign > 0.0 && across.norm() >= 0.5; }
  Vector3 direction() const { return sign * (is_beside ? Vector3(axis.cross(down)) : down); }
};

}  // namespace spacedyn
