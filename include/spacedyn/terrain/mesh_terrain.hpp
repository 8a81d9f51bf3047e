/// @file
/// A body of triangles as the ground.
#pragma once

#include <memory>

#include "spacedyn/export.hpp"
#include "spacedyn/terrain/terrain.hpp"
#include "spacedyn/terrain/triangle_mesh.hpp"

namespace spacedyn {

class TriangleTree;

/// The ground inside a closed mesh, an asteroid for instance, or below a sheet without holes.
///
/// Nearest points are exact; a tree of bounding boxes finds them in O(log n). Which side a point is
/// on is told by the normal of the nearest face or, weighted by angles, edge or corner (Bærentzen,
/// Aanæs 2005). Distances are continuous; normals outside, too, but for points as far from two
/// places; inside they jump from face to face.
class SPACEDYN_EXPORT MeshTerrain final : public Terrain {
 public:
  /// @param origin  of the mesh's axes
  /// @throws DomainError if a triangle has no area, or the mesh is neither closed nor a sheet: a
  /// single rim, all triangles upwards, or triangles lie back to back
  MeshTerrain(TriangleMesh mesh, const Vector3& origin);
  ~MeshTerrain() override;

  const TriangleMesh& mesh() const { return mesh_; }  ///< inertial axes

  /// Of the highest place; not a number beside the mesh.
  double height(double x, double y) const override;
  /// There; z beside the mesh.
  Vector3 normal(double x, double y) const override;
  SurfacePoint nearest(const Vector3& point) const override;
  Matrix3 normal_gradient_change(const SurfacePoint& at, const Vector3& direction) const override;
  bool has_edges() const override { return true; }

 private:
  TriangleMesh mesh_;
  std::unique_ptr<const TriangleTree> tree_;
  Matrix3X face_normals_;
  Matrix3X edge_normals_;   // of edge k of triangle i at 3 i + k
  Matrix3X point_normals_;  // weighted by angles
};

}  // namespace spacedyn
