#include "spacedyn/terrain/triangle_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// A triangle is a line if its height is this part of its longest edge.
constexpr double kFlat = 1e-12;

const Vector3& point_of(const TriangleMesh& mesh, int triangle, int corner) {
  return mesh.points[static_cast<std::size_t>(
      mesh.triangles[static_cast<std::size_t>(triangle)][static_cast<std::size_t>(corner)])];
}

std::string text_of(const Vector3& point) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", point.x(), point.y(), point.z());
}

}  // namespace

std::vector<float> corner_coordinates(const TriangleMesh& mesh) {
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

TriangleMesh join_corners(const std::vector<Vector3>& corners) {
  std::vector<int> order(corners.size()), number(corners.size(), -1);
  std::iota(order.begin(), order.end(), 0);
  const auto corner = [&](int i) -> const Vector3& { return corners[static_cast<std::size_t>(i)]; };
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const Vector3 &p = corner(a), &q = corner(b);
    for (int k = 0; k < 3; ++k) {
      if (p(k) != q(k)) return p(k) < q(k);
    }
    return a < b;
  });
  // the first of equal corners stands for all of them; points keep the order of the file
  std::vector<int> stands_for(corners.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && corner(order[i]) == corner(order[i - 1]);
    stands_for[static_cast<std::size_t>(order[i])] =
        same ? stands_for[static_cast<std::size_t>(order[i - 1])] : order[i];
  }
  TriangleMesh mesh;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const auto first = static_cast<std::size_t>(stands_for[i]);
    if (first == i) {
      number[i] = static_cast<int>(mesh.points.size());
      mesh.points.push_back(corners[i]);
    } else {
      number[i] = number[first];
    }
  }
  for (std::size_t i = 0; i + 3 <= corners.size(); i += 3) {
    const std::array<int, 3> triangle{number[i], number[i + 1], number[i + 2]};
    mesh.triangles.push_back(triangle);
  }
  return mesh;
}

void require_area(const TriangleMesh& mesh) {
  int first = -1;
  long count = 0;
  for (int i = 0; i < static_cast<int>(mesh.triangles.size()); ++i) {
    const Vector3 &a = point_of(mesh, i, 0), &b = point_of(mesh, i, 1), &c = point_of(mesh, i, 2);
    const double longest =
        std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    if ((b - a).cross(c - a).norm() > kFlat * longest) continue;
    if (first < 0) first = i;
    ++count;
  }
  if (first < 0) return;
  throw DomainError(fmt::format("{} of {} triangles have no area, the first is number {} at {}",
                                count, mesh.triangles.size(), first + 1,
                                text_of(point_of(mesh, first, 0))));
}

double enclosed_volume(const TriangleMesh& mesh) {
  double volume = 0.0;
  if (mesh.points.empty()) return volume;
  const Vector3& origin = mesh.points.front();
  for (int i = 0; i < static_cast<int>(mesh.triangles.size()); ++i) {
    const Vector3 a = point_of(mesh, i, 0) - origin, b = point_of(mesh, i, 1) - origin;
    volume += a.cross(b).dot(point_of(mesh, i, 2) - origin) / 6.0;
  }
  return volume;
}

void require_closed(TriangleMesh& mesh) {
  // how often an edge is run along from its lower to its higher point, less the other direction
  std::map<std::pair<int, int>, std::pair<int, int>> edges;
  for (const auto& triangle : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int from = triangle[k], to = triangle[(k + 1) % 3];
      auto& uses = edges[{std::min(from, to), std::max(from, to)}];
      ++(from < to ? uses.first : uses.second);
    }
  }
  long open = 0, turned = 0;
  std::pair<int, int> first{-1, -1};
  for (const auto& [edge, uses] : edges) {
    if (uses.first == 1 && uses.second == 1) continue;
    if (first.first < 0) first = edge;
    ++(uses.first + uses.second == 2 ? turned : open);
  }
  const auto place = [&] {
    return fmt::format("from {} to {}", text_of(mesh.points[static_cast<std::size_t>(first.first)]),
                       text_of(mesh.points[static_cast<std::size_t>(first.second)]));
  };
  if (open > 0) {
    throw DomainError(
        fmt::format("{} of {} edges do not belong to two triangles, one goes {}: the "
                    "surface has holes and encloses no volume",
                    open, edges.size(), place()));
  }
  if (turned > 0) {
    throw DomainError(
        fmt::format("{} of {} edges are between triangles of which one is turned "
                    "round, one goes {}",
                    turned, edges.size(), place()));
  }
  const double volume = enclosed_volume(mesh);
  if (volume < 0.0) {
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  }
}

}  // namespace spacedyn
