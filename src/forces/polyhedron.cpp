#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/polyhedron.hpp"

namespace spacedyn {
namespace {

using EdgeKey = std::pair<int, int>;

/// The triangle on the left of each directed edge. @throws DomainError if there are two
std::map<EdgeKey, int> directed_edges(const TriangleMesh& mesh) {
  std::map<EdgeKey, int> left;
  const int count = static_cast<int>(mesh.points.size());
  for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
    const auto& corners = mesh.triangles[f];
    for (int k = 0; k < 3; ++k) {
      const int a = corners[static_cast<std::size_t>(k)];
      const int b = corners[static_cast<std::size_t>((k + 1) % 3)];
      if (a < 0 || a >= count) {
        throw DomainError(
            fmt::format("triangle {} has vertex {}, but there are {}", f + 1, a + 1, count));
      }
      if (left.emplace(EdgeKey{a, b}, static_cast<int>(f)).second) continue;
      throw DomainError(
          fmt::format("the surface turns over or branches at its edge from vertex "
                      "{} to {}",
                      a + 1, b + 1));
    }
  }
  return left;
}

Vector3 normal_of(const TriangleMesh& mesh, int face) {
  const auto& corners = mesh.triangles[static_cast<std::size_t>(face)];
  const auto at = [&](std::size_t k) -> const Vector3& {
    return mesh.points[static_cast<std::size_t>(corners[k])];
  };
  return (at(1) - at(0)).cross(at(2) - at(0));
}

}  // namespace

void check_closed(const TriangleMesh& mesh) {
  if (mesh.triangles.size() < 4) throw DomainError("the surface has fewer than 4 triangles");
  for (const Vector3& vertex : mesh.points) {
    if (!vertex.allFinite()) throw DomainError("a vertex of the surface is not finite");
  }
  const std::map<EdgeKey, int> left = directed_edges(mesh);
  for (const auto& [edge, face] : left) {
    if (left.count({edge.second, edge.first}) > 0) continue;
    throw DomainError(fmt::format("the surface has a hole at the edge from vertex {} to {}",
                                  edge.first + 1, edge.second + 1));
  }
  double area = 0.0;
  for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
    const double twice = normal_of(mesh, static_cast<int>(f)).norm();
    if (!(twice > 0.0)) throw DomainError(fmt::format("triangle {} has no area", f + 1));
    area += 0.5 * twice;
  }
  if (std::abs(enclosed_volume(mesh)) > 1e-9 * std::pow(area, 1.5)) return;
  throw DomainError("the surface encloses no volume");
}

Polyhedron::Polyhedron(const TriangleMesh& given) {
  check_closed(given);
  TriangleMesh mesh = given;
  if (enclosed_volume(mesh) < 0.0) {
    for (auto& corners : mesh.triangles) std::swap(corners[1], corners[2]);
  }
  volume_ = enclosed_volume(mesh);
  for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
    Face face;
    for (std::size_t k = 0; k < 3; ++k) {
      face.corners[k] = mesh.points[static_cast<std::size_t>(mesh.triangles[f][k])];
    }
    face.normal = normal_of(mesh, static_cast<int>(f)).normalized();
    faces_.push_back(face);
  }
  const std::map<EdgeKey, int> left = directed_edges(mesh);
  for (const auto& [key, face] : left) {
    if (key.first > key.second) continue;
    Edge edge;
    edge.from = mesh.points[static_cast<std::size_t>(key.first)];
    edge.to = mesh.points[static_cast<std::size_t>(key.second)];
    edge.length = (edge.to - edge.from).norm();
    const Vector3 along = (edge.to - edge.from) / edge.length;
    const Vector3& A = faces_[static_cast<std::size_t>(face)].normal;
    const Vector3& B = faces_[static_cast<std::size_t>(left.at({key.second, key.first}))].normal;
    // in each face, outward from it across the edge
    edge.dyad = A * along.cross(A).transpose() - B * along.cross(B).transpose();
    edges_.push_back(edge);
  }
}

Polyhedron::Field Polyhedron::field(const Vector3& r) const {
  Field sum;
  for (const Edge& edge : edges_) {
    const Vector3 arm = edge.from - r;
    const double ends = arm.norm() + (edge.to - r).norm();
    // on the edge itself the logarithm has no end, what it is multiplied with vanishes
    const double gap = std::max(ends - edge.length, 1e-15 * ends);
    const double L = std::log((ends + edge.length) / gap);
    const Vector3 Er = edge.dyad * arm;
    sum.potential += 0.5 * L * arm.dot(Er);
    sum.gradient -= L * Er;
    sum.second += L * edge.dyad;
  }
  for (const Face& face : faces_) {
    const Vector3 a = face.corners[0] - r, b = face.corners[1] - r, c = face.corners[2] - r;
    const double na = a.norm(), nb = b.norm(), nc = c.norm();
    const double omega = 2.0 * std::atan2(a.dot(b.cross(c)), na * nb * nc + na * b.dot(c) +
                                                                 nb * c.dot(a) + nc * a.dot(b));
    const double height = face.normal.dot(a);
    sum.potential -= 0.5 * omega * height * height;
    sum.gradient += omega * height * face.normal;
    sum.second -= omega * face.normal * face.normal.transpose();
    sum.solid_angle += omega;
  }
  return sum;
}

PolyhedronGravity::PolyhedronGravity(const TriangleMesh& mesh, double mu)
    : polyhedron_(mesh),
      mu_(mu),
      density_(mu / polyhedron_.volume()),
      triangles_(corner_coordinates(mesh)) {
  if (!std::isfinite(mu) || mu <= 0.0) throw DomainError("mu of a polyhedron must be positive");
}

GravityPotential PolyhedronGravity::at(const Vector3& r, double /*time*/) const {
  GravityPotential field = polyhedron_.field(r);
  field.potential *= density_;
  field.gradient *= density_;
  field.second *= density_;
  return field;
}

void PolyhedronGravity::describe(CelestialBody& body) const {
  body.mu = mu_;
  body.triangles = triangles_;
}

}  // namespace spacedyn
