#include "reporting/facts/mesh_file.hpp"

namespace spacedyn {

std::vector<float> mesh_corners(const TriangleMesh& mesh) {
  std::vector<float> corners;
  corners.reserve(9 * mesh.triangles.size());
  for (const auto& triangle : mesh.triangles) {
    for (const int number : triangle) {
      for (const double x : mesh.points[static_cast<std::size_t>(number)]) {
        corners.push_back(static_cast<float>(x));
      }
    }
  }
  return corners;
}

std::vector<float> read_mesh(const std::string& path) {
  return mesh_corners(read_triangle_mesh(path, kMostTriangles));
}

}  // namespace spacedyn
