/// @file
/// A tree of boxes around triangles. Private.
#pragma once

#include <Eigen/Geometry>

#include "spacedyn/terrain/triangle_mesh.hpp"

namespace spacedyn {

/// What part of a triangle is nearest to a point: a corner or an edge 0…2, or the face.
enum class TrianglePart { corner, edge, face };

struct NearestOnTriangle {
  Vector3 point = Vector3::Zero();
  TrianglePart part = TrianglePart::face;
  int number = 0;  ///< of the corner or of the edge, which starts at that corner
};

NearestOnTriangle nearest_on_triangle(const Vector3& point, const Vector3& a, const Vector3& b,
                                      const Vector3& c);

/// Finds triangles. Immutable; the mesh must live as long.
class TriangleTree {
 public:
  explicit TriangleTree(const TriangleMesh& mesh);

  struct Nearest {
    int triangle = -1;
    NearestOnTriangle at;
  };
  /// Of several triangles as near the one of the least number.
  Nearest nearest(const Vector3& point) const;

  /// The highest triangle on the vertical line through a place and its height there.
  struct Hit {
    int triangle = -1;
    double height = 0.0;
  };
  Hit highest(double x, double y) const;

 private:
  using Box = Eigen::AlignedBox3d;
  /// The first child follows its parent.
  struct Node {
    Box box;
    int first = 0;  // of the triangles of a leaf; else the second child
    int count = 0;  // 0: no leaf
  };

  void build(int begin, int end, const std::vector<Vector3>& centers);
  const Vector3& corner(int triangle, int k) const {
    return mesh_.points[static_cast<std::size_t>(
        mesh_.triangles[static_cast<std::size_t>(triangle)][static_cast<std::size_t>(k)])];
  }

  const TriangleMesh& mesh_;
  std::vector<Node> nodes_;
  std::vector<int> order_;
};

}  // namespace spacedyn
