#include "reporting/facts/mesh_file.hpp"

namespace spacedyn {

std::vector<float> read_mesh(const std::string& path) {
  return corner_coordinates(read_triangle_mesh(path, kMostTriangles));
}

}  // namespace spacedyn
