/// @file
/// Convex polyhedra: corners, faces, edges.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// The convex hull of points. Immutable.
class SPACEDYN_EXPORT ConvexHull {
 public:
  /// A plane polygon, counterclockwise as seen from outside.
  struct Face {
    Vector3 normal;            ///< unit vector outwards
    std::vector<int> corners;  ///< numbers of corners
  };
  /// Between two corners and two faces.
  struct Edge {
    int from, to;
    int left, right;  ///< numbers of faces; seen from outside left is on the left
  };

  /// Points nearer to a face than 1e-10 of the size count as on it.
  /// @throws DomainError if the points lie in a plane, or are not finite
  explicit ConvexHull(const std::vector<Vector3>& points);

  const std::vector<Vector3>& corners() const { return corners_; }
  const std::vector<Face>& faces() const { return faces_; }
  const std::vector<Edge>& edges() const { return edges_; }
  double radius() const { return radius_; }  ///< of the sphere about the origin that holds it
  const Vector3& center() const { return center_; }  ///< mean of the corners, inside
  /// How far a point is outside, negative inside, and the direction in which that grows fastest.
  double distance(const Vector3& point, Vector3& normal) const;

 private:
  std::vector<Vector3> corners_;
  std::vector<Face> faces_;
  std::vector<Edge> edges_;
  Vector3 center_ = Vector3::Zero();
  double radius_ = 0.0;
};

}  // namespace spacedyn
