#include "reporting/facts/mesh_file.hpp"

#include "spacedyn/terrain/triangle_mesh.hpp"

namespace spacedyn {

std::vector<float> read_mesh(const std::string& path) {
  const TriangleMesh mesh = read_triangle_mesh(path, kMostTriangles);
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

}  // namespace spacedyn
