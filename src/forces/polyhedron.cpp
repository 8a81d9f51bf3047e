#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "dynamics/tree/kernel_choice.hpp"
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

Eigen::Index padded(std::size_t count) {
  constexpr std::size_t kStep = KernelPolyhedron::kPadding;
  return static_cast<Eigen::Index>((count + kStep - 1) / kStep * kStep);
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
  const auto point = [&](int i) -> const Vector3& {
    return mesh.points[static_cast<std::size_t>(i)];
  };

  // rows that pad are a face without area and normal, and an edge without dyad
  faces_ = MatrixX::Zero(padded(mesh.triangles.size()), KernelPolyhedron::kOfFace);
  for (int k = 0; k < 3; ++k) faces_.middleCols<3>(3 * k).rowwise() = point(0).transpose();
  for (int f = 0; f < static_cast<int>(mesh.triangles.size()); ++f) {
    const auto& [a, b, c] = mesh.triangles[static_cast<std::size_t>(f)];
    faces_.row(f) << point(a).transpose(), point(b).transpose(), point(c).transpose(),
        normal_of(mesh, f).normalized().transpose();
  }

  const auto normal = [&](int face) -> Vector3 { return faces_.row(face).tail<3>().transpose(); };
  const std::map<EdgeKey, int> left = directed_edges(mesh);
  edges_ = MatrixX::Zero(padded(left.size() / 2), KernelPolyhedron::kOfEdge);
  int row = 0;
  for (const auto& [key, face] : left) {
    if (key.first > key.second) continue;
    const Vector3 &from = point(key.first), &to = point(key.second);
    const double length = (to - from).norm();
    const Vector3 along = (to - from) / length;
    const Vector3 A = normal(face), B = normal(left.at({key.second, key.first}));
    // in each face, outward from it across the edge; symmetric but for rounding
    const Matrix3 E = A * along.cross(A).transpose() - B * along.cross(B).transpose();
    edges_.row(row++) << from.transpose(), to.transpose(), length, E(0, 0),
        0.5 * (E(0, 1) + E(1, 0)), 0.5 * (E(0, 2) + E(2, 0)), E(1, 1), 0.5 * (E(1, 2) + E(2, 1)),
        E(2, 2);
  }
  edges_.bottomRows(edges_.rows() - row).leftCols<6>().rowwise() = edges_.row(0).leftCols<6>();
}

Polyhedron::Field Polyhedron::field(const Vector3& r) const {
  double sums[KernelPolyhedron::kSums];
  kernels_of(instruction_set())
      .polyhedron_field({edges_.data(), faces_.data(), static_cast<int>(edges_.rows()),
                         static_cast<int>(faces_.rows())},
                        r.data(), sums);
  Field field;
  field.potential = sums[0];
  field.gradient << sums[1], sums[2], sums[3];
  field.second << sums[4], sums[5], sums[6], sums[5], sums[7], sums[8], sums[6], sums[8], sums[9];
  field.solid_angle = sums[10];
  return field;
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
