#include "spacedyn/terrain/mesh_terrain.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "spacedyn/error.hpp"
#include "terrain/edge_gradient.hpp"
#include "terrain/triangle_tree.hpp"

namespace spacedyn {
namespace {

/// m; nearer to an edge or a corner than this the normal is that of the part.
constexpr double kAtSurface = 1e-12;

using Edge = std::pair<int, int>;

Edge edge_between(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

/// Whether all triangles look upwards and the edges of one triangle alone form one closed rim.
bool is_sheet(const TriangleMesh& mesh) {
  std::map<Edge, int> uses;
  for (const auto& triangle : mesh.triangles) {
    const auto point = [&](std::size_t k) {
      return mesh.points[static_cast<std::size_t>(triangle[k])];
    };
    if (!((point(1) - point(0)).cross(point(2) - point(0)).z() > 0.0)) return false;
    for (std::size_t k = 0; k < 3; ++k) ++uses[edge_between(triangle[k], triangle[(k + 1) % 3])];
  }
  std::map<int, std::vector<int>> rim;
  for (const auto& [edge, count] : uses) {
    if (count > 2) return false;
    if (count == 2) continue;
    rim[edge.first].push_back(edge.second);
    rim[edge.second].push_back(edge.first);
  }
  if (rim.empty()) return false;
  const int start = rim.begin()->first;
  int previous = -1, now = start;
  std::size_t length = 0;
  do {
    const auto& next = rim[now];
    if (next.size() != 2) return false;
    const int after = next[0] == previous ? next[1] : next[0];
    previous = std::exchange(now, after);
    ++length;
  } while (now != start && length <= rim.size());
  return length == rim.size();
}

/// Normals of faces around an edge or a corner cancel where faces lie back to back.
constexpr double kLeastNormal = 1e-9;

/// @throws DomainError if a sum of normals has no direction
void require_outside(const Vector3& normals, const Vector3& place) {
  if (normals.norm() > kLeastNormal) return;
  throw DomainError(fmt::format(
      "a mesh needs an outside everywhere, but triangles lie back to back at ({:g}, {:g}, {:g})",
      place.x(), place.y(), place.z()));
}

}  // namespace

MeshTerrain::MeshTerrain(TriangleMesh mesh, const Vector3& origin) : mesh_(std::move(mesh)) {
  if (mesh_.triangles.empty()) throw DomainError("a mesh needs triangles");
  if (!origin.allFinite()) throw DomainError("the origin of a mesh must be finite");
  require_area(mesh_);
  if (!is_sheet(mesh_)) require_closed(mesh_);
  for (Vector3& point : mesh_.points) point += origin;
  tree_ = std::make_unique<const TriangleTree>(mesh_);

  const auto count = static_cast<Eigen::Index>(mesh_.triangles.size());
  face_normals_.resize(3, count);
  edge_normals_.resize(3, 3 * count);
  point_normals_ = Matrix3X::Zero(3, static_cast<Eigen::Index>(mesh_.points.size()));
  std::map<Edge, Vector3> edges;
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto& triangle = mesh_.triangles[static_cast<std::size_t>(i)];
    const auto point = [&](std::size_t k) {
      return mesh_.points[static_cast<std::size_t>(triangle[k % 3])];
    };
    const Vector3 normal = (point(1) - point(0)).cross(point(2) - point(0)).normalized();
    face_normals_.col(i) = normal;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector3 next = point(k + 1) - point(k), last = point(k + 2) - point(k);
      const double angle = std::atan2(next.cross(last).norm(), next.dot(last));
      point_normals_.col(triangle[k]) += angle * normal;
      edges.emplace(edge_between(triangle[k], triangle[(k + 1) % 3]), Vector3::Zero())
          .first->second += normal;
    }
  }
  for (const auto& [edge, sum] : edges) {
    require_outside(sum, mesh_.points[static_cast<std::size_t>(edge.first)]);
  }
  for (const auto& triangle : mesh_.triangles) {
    for (const int corner : triangle) {
      require_outside(point_normals_.col(corner), mesh_.points[static_cast<std::size_t>(corner)]);
    }
  }
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto& triangle = mesh_.triangles[static_cast<std::size_t>(i)];
    for (std::size_t k = 0; k < 3; ++k) {
      edge_normals_.col(3 * i + static_cast<Eigen::Index>(k)) =
          edges.at(edge_between(triangle[k], triangle[(k + 1) % 3])).normalized();
    }
  }
  point_normals_.colwise().normalize();
}

MeshTerrain::~MeshTerrain() = default;

double MeshTerrain::height(double x, double y) const {
  const TriangleTree::Hit hit = tree_->highest(x, y);
  return hit.triangle < 0 ? std::numeric_limits<double>::quiet_NaN() : hit.height;
}

Vector3 MeshTerrain::normal(double x, double y) const {
  const TriangleTree::Hit hit = tree_->highest(x, y);
  return hit.triangle < 0 ? Vector3::UnitZ() : Vector3(face_normals_.col(hit.triangle));
}

SurfacePoint MeshTerrain::nearest(const Vector3& point) const {
  const TriangleTree::Nearest found = tree_->nearest(point);
  SurfacePoint surface;
  surface.point = found.at.point;
  const Vector3 away = point - surface.point;
  if (found.at.part == TrianglePart::face) {
    surface.normal = face_normals_.col(found.triangle);
    surface.distance = surface.normal.dot(away);
    return surface;
  }
  const auto& triangle = mesh_.triangles[static_cast<std::size_t>(found.triangle)];
  const bool is_edge = found.at.part == TrianglePart::edge;
  const auto number = static_cast<std::size_t>(found.at.number);
  const Vector3 own = is_edge ? edge_normals_.col(3 * found.triangle + found.at.number)
                              : point_normals_.col(triangle[number]);
  const double distance = away.norm();
  const double side = own.dot(away) < 0.0 ? -1.0 : 1.0;
  surface.distance = side * distance;
  surface.normal = distance > kAtSurface ? Vector3(side / distance * away) : own;
  if (!(distance > kAtSurface)) return surface;
  const Matrix3 across = Matrix3::Identity() - surface.normal * surface.normal.transpose();
  surface.normal_gradient = across / surface.distance;
  if (!is_edge) return surface;
  const Vector3 along = (mesh_.points[static_cast<std::size_t>(triangle[(number + 1) % 3])] -
                         mesh_.points[static_cast<std::size_t>(triangle[number])])
                            .normalized();
  surface.normal_gradient -= along * along.transpose() / surface.distance;
  return surface;
}

Matrix3 MeshTerrain::normal_gradient_change(const SurfacePoint& at,
                                            const Vector3& direction) const {
  return edge_gradient_change(at, direction);
}

}  // namespace spacedyn
