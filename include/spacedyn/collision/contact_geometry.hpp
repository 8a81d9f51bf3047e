/// @file
/// Where shapes touch each other and the ground: depths, normals and points in closed form.
#pragma once

#include <array>

#include "spacedyn/collision/body_shape.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/terrain/terrain.hpp"

namespace spacedyn {

/// One point of a contact, inertial axes.
struct ContactPoint {
  double depth = 0.0;                 ///< m, negative where the shapes are apart
  Vector3 normal = Vector3::UnitZ();  ///< unit vector from the second shape, or the ground
  Vector3 point = Vector3::Zero();    ///< where forces act on both
};

/// @name Points of contact
///
/// The points of a pair have fixed numbers, so that each has a history: its depth is continuous in
/// the motion, normal and point wherever it touches. The depth changes with −n·(v_a − v_b) of the
/// material points there; of a cylinder this holds for the sum over its points.
///
/// Against the ground a sphere and an ellipsoid have one point, the lowest; a capsule those of its
/// ends; a box and a mesh their corners; a cylinder on the rim of each end the lowest point and
/// those at 90°, 180° and 270° from it. They act at the surface of the shape. On a curved surface
/// these points stand for the whole shape, whose edges and sides must not be much longer than its
/// radius of curvature. On ground with edges (Terrain::has_edges()) the lowest point of a rim whose
/// axis is within 60° of the ground's tangent is where the least motion parts both, exactly. Of
/// ground of several parts each has all these points.
///
/// Two shapes have one number. Spheres with all others and capsules with capsules touch in one
/// point in the middle of the overlap, in closed form. Inside a box or a cylinder the normal
/// belongs to the nearest face. Of parallel capsules it is the point nearest to both centres. All
/// other pairs touch along a patch, see contact_manifold(); their depth is that of the least motion
/// that parts them.
/// @{
/// Against each part of the ground.
SPACEDYN_EXPORT int contact_point_count(const ShapePose& shape);
/// Point of a number from 0: that of the first part, then those of the second. Allocates nothing.
SPACEDYN_EXPORT ContactPoint contact_point(const ShapePose& shape, const Terrain& terrain,
                                           int number);
/// Of two shapes: the deepest. Allocates nothing.
SPACEDYN_EXPORT ContactPoint contact_point(const ShapePose& a, const ShapePose& b);
/// @}

/// Whether contacts between two shapes are known: ellipsoids touch spheres and the ground alone.
SPACEDYN_EXPORT bool may_touch(CollisionType a, CollisionType b);

/// Whether two shapes touch in a single point in closed form.
SPACEDYN_EXPORT bool touches_in_point(CollisionType a, CollisionType b);

/// Where two shapes touch: up to so many points that all have one normal.
struct ContactManifold {
  static constexpr int kMost = 96;

  ContactPoint deepest;
  std::array<ContactPoint, kMost> points;  ///< only those with a depth
  std::array<double, kMost> weights;       ///< how many springs a point counts as
  int count = 0;
};

/// The patch of two shapes that do not touch in a point; empty where they do not touch.
///
/// Seen along the normal the patch is where the surfaces overlap; springs are spread over it
/// evenly, four of faces, two of a line: four of the greatest depth for a face flat on another, two
/// for one tilted about an edge, 4/3 for a corner. The normal is the direction of the shortest line
/// between what is left of the shapes without a layer as thick as the depth of the deepest point,
/// which is that of the least motion that parts them. So the force Σ weight · depth · normal and
/// its moment are continuous in the motion and vanish with the depth. Symmetric under exchange. No
/// allocation.
SPACEDYN_EXPORT ContactManifold contact_manifold(const ShapePose& a, const ShapePose& b);

/// Radius of the sphere about the centre of a shape that holds it.
SPACEDYN_EXPORT double bounding_radius(CollisionType type, const Vector3& size,
                                       const ConvexHull* hull = nullptr);

}  // namespace spacedyn
