/// @file
/// Where shapes touch each other and the ground: depths, normals and points in closed form.
#pragma once

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
/// Against the ground a sphere has one point, its lowest; a capsule those of its ends; a box its
/// corners; a cylinder on the rim of each end the lowest point and those at 90°, 180° and 270° from
/// it. They act at the surface of the shape. On a curved surface these points stand for the whole
/// shape, whose edges and sides must not be much longer than its radius of curvature.
///
/// Between shapes: spheres with spheres, capsules, boxes and cylinders, and capsules with capsules,
/// each with one point in the middle of the overlap. Inside a box or a cylinder the normal belongs
/// to the nearest face. Of parallel capsules it is the point nearest to both centres.
/// @{
/// Against the ground.
SPACEDYN_EXPORT int contact_point_count(CollisionType type);
/// Of two shapes; 0 if their contact is not supported.
SPACEDYN_EXPORT int contact_point_count(CollisionType a, CollisionType b);
/// Point of a number from 0. Allocates nothing.
SPACEDYN_EXPORT ContactPoint contact_point(const ShapePose& shape, const Terrain& terrain,
                                           int number);
SPACEDYN_EXPORT ContactPoint contact_point(const ShapePose& a, const ShapePose& b, int number);
/// @}

/// Radius of the sphere about the centre of a shape that holds it.
SPACEDYN_EXPORT double bounding_radius(CollisionType type, const Vector3& size);

}  // namespace spacedyn
