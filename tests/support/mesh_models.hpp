/// @file
/// Meshes of balls and boxes, and files of them.
#pragma once

#include <fstream>
#include <map>
#include <string>

#include "spacedyn/terrain/triangle_mesh.hpp"

namespace spacedyn::testing {

/// A ball of 20·4^levels triangles whose corners are on the sphere.
inline TriangleMesh ball_mesh(double radius, int levels) {
  const double g = 0.5 * (1.0 + std::sqrt(5.0));
  TriangleMesh mesh;
  mesh.points = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                 {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  mesh.triangles = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                    {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                    {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                    {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [at, added] =
          middles.emplace(std::minmax(a, b), static_cast<int>(mesh.points.size()));
      if (added) {
        const Vector3 point = mesh.points[static_cast<std::size_t>(a)].normalized() +
                              mesh.points[static_cast<std::size_t>(b)].normalized();
        mesh.points.push_back(point);
      }
      return at->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    mesh.triangles = std::move(finer);
  }
  for (Vector3& point : mesh.points) point = radius * point.normalized();
  return mesh;
}

inline void write_obj(const TriangleMesh& mesh, const std::string& path) {
  std::ofstream file(path);
  file.precision(17);
  for (const Vector3& p : mesh.points)
    file << "v " << p.x() << ' ' << p.y() << ' ' << p.z() << '\n';
  for (const auto& t : mesh.triangles) {
    file << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
  }
}

}  // namespace spacedyn::testing
