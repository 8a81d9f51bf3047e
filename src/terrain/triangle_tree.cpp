#include "terrain/triangle_tree.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace spacedyn {
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
