#include "spacedyn/terrain/triangle_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "spacedyn/error.hpp"
#include "terrain/triangle_tree.hpp"

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

namespace {

constexpr int kLeaf = 4;
/// A tree of halves with a million leaves is 20 deep.
constexpr std::size_t kDeepest = 64;

}  // namespace

NearestOnTriangle nearest_on_triangle(const Vector3& point, const Vector3& a, const Vector3& b,
                                      const Vector3& c) {
  const Vector3 ab = b - a, ac = c - a, ap = point - a;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0.0 && d2 <= 0.0) return {a, TrianglePart::corner, 0};
  const Vector3 bp = point - b;
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0.0 && d4 <= d3) return {b, TrianglePart::corner, 1};
  const double on_c = d1 * d4 - d3 * d2;
  if (on_c <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
    return {a + d1 / (d1 - d3) * ab, TrianglePart::edge, 0};
  }
  const Vector3 cp = point - c;
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0.0 && d5 <= d6) return {c, TrianglePart::corner, 2};
  const double on_b = d5 * d2 - d1 * d6;
  if (on_b <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
    return {a + d2 / (d2 - d6) * ac, TrianglePart::edge, 2};
  }
  const double on_a = d3 * d6 - d5 * d4;
  if (on_a <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
    return {b + (d4 - d3) / (d4 - d3 + d5 - d6) * (c - b), TrianglePart::edge, 1};
  }
  // the foot on the plane, which weights of area would give less exactly
  const Vector3 normal = ab.cross(ac).normalized();
  return {point - normal.dot(ap) * normal, TrianglePart::face, 0};
}

TriangleTree::TriangleTree(const TriangleMesh& mesh) : mesh_(mesh), order_(mesh.triangles.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  std::vector<Vector3> centers;
  centers.reserve(order_.size());
  for (const int triangle : order_) {
    centers.emplace_back((corner(triangle, 0) + corner(triangle, 1) + corner(triangle, 2)) / 3.0);
  }
  nodes_.reserve(order_.size());
  if (!order_.empty()) build(0, static_cast<int>(order_.size()), centers);
}

void TriangleTree::build(int begin, int end, const std::vector<Vector3>& centers) {
  const std::size_t own = nodes_.size();
  nodes_.emplace_back();
  Box box, middle;
  for (int i = begin; i < end; ++i) {
    const int triangle = order_[static_cast<std::size_t>(i)];
    for (int k = 0; k < 3; ++k) box.extend(corner(triangle, k));
    middle.extend(centers[static_cast<std::size_t>(triangle)]);
  }
  nodes_[own].box = box;
  if (end - begin <= kLeaf) {
    nodes_[own].first = begin;
    nodes_[own].count = end - begin;
    return;
  }
  Eigen::Index axis = 0;
  middle.sizes().maxCoeff(&axis);
  const int half = begin + (end - begin) / 2;
  const auto at = [&](int i) { return order_.begin() + i; };
  std::nth_element(at(begin), at(half), at(end), [&](int a, int b) {
    const double x = centers[static_cast<std::size_t>(a)](axis);
    const double y = centers[static_cast<std::size_t>(b)](axis);
    return x != y ? x < y : a < b;
  });
  build(begin, half, centers);
  nodes_[own].first = static_cast<int>(nodes_.size());
  build(half, end, centers);
}

TriangleTree::Nearest TriangleTree::nearest(const Vector3& point) const {
  Nearest found;
  double least = std::numeric_limits<double>::infinity();
  std::array<std::pair<int, double>, kDeepest> stack;
  std::size_t size = 0;
  stack[size++] = {0, nodes_.front().box.squaredExteriorDistance(point)};
  while (size > 0) {
    const auto [index, bound] = stack[--size];
    if (bound > least) continue;
    const Node& node = nodes_[static_cast<std::size_t>(index)];
    if (node.count == 0) {
      const int left = index + 1, right = node.first;
      const auto bound_of = [&](int child) {
        return nodes_[static_cast<std::size_t>(child)].box.squaredExteriorDistance(point);
      };
      const double near_left = bound_of(left), near_right = bound_of(right);
      const bool left_first = near_left <= near_right;
      // the nearer one is looked at first
      stack[size++] = left_first ? std::pair(right, near_right) : std::pair(left, near_left);
      stack[size++] = left_first ? std::pair(left, near_left) : std::pair(right, near_right);
      continue;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      const int triangle = order_[static_cast<std::size_t>(i)];
      const NearestOnTriangle at =
          nearest_on_triangle(point, corner(triangle, 0), corner(triangle, 1), corner(triangle, 2));
      const double distance = (point - at.point).squaredNorm();
      if (distance > least || (distance == least && triangle > found.triangle)) continue;
      least = distance;
      found = {triangle, at};
    }
  }
  return found;
}

TriangleTree::Hit TriangleTree::highest(double x, double y) const {
  Hit hit;
  std::array<int, kDeepest> stack;
  std::size_t size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const int index = stack[--size];
    const Node& node = nodes_[static_cast<std::size_t>(index)];
    const Vector3 &low = node.box.min(), &high = node.box.max();
    if (x < low.x() || x > high.x() || y < low.y() || y > high.y()) continue;
    if (hit.triangle >= 0 && high.z() < hit.height) continue;
    if (node.count == 0) {
      stack[size++] = node.first;
      stack[size++] = index + 1;
      continue;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      const int triangle = order_[static_cast<std::size_t>(i)];
      const Vector3 &a = corner(triangle, 0), &b = corner(triangle, 1), &c = corner(triangle, 2);
      const auto area = [&](const Vector3& p, const Vector3& q) {
        return (q.x() - p.x()) * (y - p.y()) - (q.y() - p.y()) * (x - p.x());
      };
      const double u = area(b, c), v = area(c, a), w = area(a, b), sum = u + v + w;
      if (sum == 0.0 || u * sum < 0.0 || v * sum < 0.0 || w * sum < 0.0) continue;
      const double height = (u * a.z() + v * b.z() + w * c.z()) / sum;
      if (hit.triangle < 0 || height > hit.height) hit = {triangle, height};
    }
  }
  return hit;
}

}  // namespace spacedyn
