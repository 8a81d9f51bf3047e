#include "spacedyn/terrain/triangle_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>
#include <Eigen/Geometry>

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

/// A part of a mesh that shares no point with the rest.
struct Part {
  int triangles = 0;
  const Vector3* apex = nullptr;  ///< one of its points, from which its volume is computed
  double volume = 0.0;
  Eigen::AlignedBox3d box;
};

std::vector<Part> parts_of(const TriangleMesh& mesh) {
  std::vector<int> joined(mesh.points.size());  // points of a part lead to the same one
  std::iota(joined.begin(), joined.end(), 0);
  const auto end_of = [&](int point) {
    auto at = static_cast<std::size_t>(point);
    while (joined[at] != static_cast<int>(at)) {
      joined[at] = joined[static_cast<std::size_t>(joined[at])];
      at = static_cast<std::size_t>(joined[at]);
    }
    return static_cast<int>(at);
  };
  for (const auto& triangle : mesh.triangles) {
    for (const int corner : {triangle[1], triangle[2]}) {
      joined[static_cast<std::size_t>(end_of(corner))] = end_of(triangle[0]);
    }
  }
  std::map<int, Part> parts;
  for (int i = 0; i < static_cast<int>(mesh.triangles.size()); ++i) {
    Part& part = parts[end_of(mesh.triangles[static_cast<std::size_t>(i)][0])];
    const Vector3 &a = point_of(mesh, i, 0), &b = point_of(mesh, i, 1), &c = point_of(mesh, i, 2);
    if (part.apex == nullptr) part.apex = &a;
    part.volume += (a - *part.apex).cross(b - *part.apex).dot(c - *part.apex) / 6.0;
    part.box.extend(a).extend(b).extend(c);
    ++part.triangles;
  }
  std::vector<Part> list;
  for (const auto& [point, part] : parts) list.push_back(part);
  return list;
}

/// Refuses a part that points inwards, unless it is a cavity of another one.
void require_outward_parts(const TriangleMesh& mesh) {
  constexpr double kNoVolume = 1e-9;  // of the cube of its diagonal, as of sheets with two sides
  const std::vector<Part> parts = parts_of(mesh);
  for (const Part& part : parts) {
    if (part.volume >= -kNoVolume * std::pow(part.box.diagonal().norm(), 3)) continue;
    const bool is_cavity = std::any_of(parts.begin(), parts.end(), [&](const Part& around) {
      return around.volume > -part.volume && around.box.contains(part.box);
    });
    if (is_cavity) continue;
    throw DomainError(fmt::format("{} of {} triangles, a part by itself at {}, are turned round",
                                  part.triangles, mesh.triangles.size(), text_of(*part.apex)));
  }
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
  require_outward_parts(mesh);
}

}  // namespace spacedyn
