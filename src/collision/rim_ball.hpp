/// @file
/// A rim on ground with edges. Private.
#pragma once

#include "collision/rim.hpp"

namespace spacedyn {

/// The ball about a point of the axis that touches a rim of the radius r where the ground touches
/// it. With n the normal at the ground nearest to that point and s the sine between axis x and n it
/// is at τ x from the centre of the rim,
///
///     τ = r (n·x)/s,   radius r/s,   depth = r/s − distance,
///
/// so the depth is that of the least motion that parts rim and ground, and changes with −n·v of the
/// rim's material point there; nothing is looked for inside the ground, where normals jump.
struct RimBall {
  double shift = 0.0;  // τ
  double sine = 1.0;   // s
  Vector3 center;
  SurfacePoint ground;  // nearest to the centre

  /// @param end  centre of the rim, whose nearest ground @p rim knows
  RimBall(const RimPoint& rim, const Vector3& end, double radius, const Terrain& terrain);

  double radius(double of_rim) const { return of_rim / sine; }
  ContactPoint contact(double of_rim) const {
    const double own = radius(of_rim);
    return {own - ground.distance, ground.normal, center - own * ground.normal};
  }
};

}  // namespace spacedyn
