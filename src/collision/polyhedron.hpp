/// @file
/// Boxes and meshes as polyhedra at some instant. Private.
#pragma once

#include "spacedyn/collision/contact_geometry.hpp"

namespace spacedyn {

/// The cube of edge 1 about the origin.
const ConvexHull& unit_cube();

/// Allocates nothing.
struct Polyhedron {
  const ConvexHull& hull;
  Vector3 scale, position;
  Matrix3 rotation;

  explicit Polyhedron(const ShapePose& pose)
      : hull(pose.hull != nullptr ? *pose.hull : unit_cube()),
        scale(pose.hull != nullptr ? Vector3(Vector3::Ones()) : pose.size),
        position(pose.position),
        rotation(pose.rotation) {}

  static bool is_one(CollisionType type) {
    return type == CollisionType::box || type == CollisionType::mesh;
  }

  int face_count() const { return static_cast<int>(hull.faces().size()); }
  const ConvexHull::Face& face(int i) const { return hull.faces()[static_cast<std::size_t>(i)]; }
  Vector3 corner(int i) const {
    return position + rotation * scale.cwiseProduct(hull.corners()[static_cast<std::size_t>(i)]);
  }
  Vector3 normal(int face_number) const { return rotation * face(face_number).normal; }
  Vector3 center() const { return position + rotation * scale.cwiseProduct(hull.center()); }
  /// The corner that is farthest in a direction.
  int farthest(const Vector3& direction) const;
};

/// How two shapes are parted: along a unit vector from the first to the second, at a distance that
/// is negative where they overlap.
struct Separation {
  double distance = 0.0;
  Vector3 direction = Vector3::UnitZ();
  bool is_at_edges = false;         ///< crossing edges: they touch in one point alone
  Vector3 point = Vector3::Zero();  ///< of crossing edges, in the middle
};

/// Width of the gap between two shapes along a unit vector from the first to the second.
double gap_along(const ShapePose& a, const ShapePose& b, const Vector3& direction);
/// The point of a shape that is farthest in a direction.
Vector3 farthest_point(const ShapePose& shape, const Vector3& direction);

/// The direction along which the gap is widest, by the theorem of separating axes. Where shapes
/// are apart it may be less than their distance.
Separation separate_polyhedra(const Polyhedron& a, const Polyhedron& b);
/// Of a cylinder and a box, a mesh or a cylinder.
Separation separate_cylinder(const ShapePose& a, const ShapePose& b);
/// Of a capsule and another shape, which may be at their distance, too.
Separation separate_capsule(const ShapePose& capsule, const ShapePose& other);
/// Of any two shapes that touch along a patch.
Separation separate_shapes(const ShapePose& a, const ShapePose& b);

/// Where two shapes that touch along a patch are deepest inside each other.
ContactPoint deepest_contact(const ShapePose& a, const ShapePose& b);

/// How far a point is outside of a shape, negative inside, and the direction of steepest ascent.
double distance_from_shape(const ShapePose& shape, const Vector3& point, Vector3& normal);

}  // namespace spacedyn
