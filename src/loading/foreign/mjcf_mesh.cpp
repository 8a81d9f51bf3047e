#include <cmath>

#include "loading/foreign/mjcf_geom.hpp"
#include "loading/yaml/node.hpp"
#include "spacedyn/collision/convex_hull.hpp"

namespace spacedyn::loading::foreign {
namespace {

using Triangle = std::array<Vector3, 3>;

constexpr double kSameVolume = 1e-6;  // relative; meshes are kept in single precision

std::vector<Triangle> triangles_of(const TriangleMesh& mesh, const Vector3& scale) {
  std::vector<Triangle> triangles;
  const auto point = [&](int number) {
    return Vector3(scale.cwiseProduct(mesh.points[static_cast<std::size_t>(number)]));
  };
  for (const auto& corners : mesh.triangles) {
    triangles.push_back({point(corners[0]), point(corners[1]), point(corners[2])});
  }
  return triangles;
}

std::vector<Triangle> triangles_of(const ConvexHull& hull) {
  std::vector<Triangle> triangles;
  const auto point = [&](int number) { return hull.corners()[static_cast<std::size_t>(number)]; };
  for (const ConvexHull::Face& face : hull.faces()) {
    for (std::size_t k = 2; k < face.corners.size(); ++k) {
      triangles.push_back(
          {point(face.corners[0]), point(face.corners[k - 1]), point(face.corners[k])});
    }
  }
  return triangles;
}

/// Mean of the centroids of the triangles by their areas.
Vector3 center_of_surface(const std::vector<Triangle>& triangles) {
  Vector3 sum = Vector3::Zero();
  double area = 0.0;
  for (const auto& [a, b, c] : triangles) {
    const double part = 0.5 * (b - a).cross(c - a).norm();
    sum += part * (a + b + c) / 3.0;
    area += part;
  }
  return area > 0.0 ? Vector3(sum / area) : sum;
}

/// Volume, centroid and ∫ x xᵀ about a point of the tetrahedra between it and the triangles.
struct Integrals {
  double volume = 0.0, volume_without_signs = 0.0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();

  Integrals(const std::vector<Triangle>& triangles, const Vector3& apex) {
    for (const Triangle& triangle : triangles) {
      const Vector3 a = triangle[0] - apex, b = triangle[1] - apex, c = triangle[2] - apex;
      const double part = a.dot(b.cross(c)) / 6.0;
      const Vector3 sum = a + b + c;
      volume += part;
      volume_without_signs += std::abs(part);
      first += part * sum / 4.0;
      second += part / 20.0 *
                (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
    }
    if (volume >= 0.0) return;
    volume = -volume;  // its triangles point inwards
    first = -first;
    second = -second;
  }
};

}  // namespace

MeshInertia read_mesh_inertia(const xml::Values& values, const MjcfCompiler& compiler) {
  const std::string text = values.element().text("inertia");
  if (text.empty()) return compiler.exact_mesh_inertia ? MeshInertia::exact : MeshInertia::legacy;
  if (text == "convex") return MeshInertia::convex;
  if (text == "exact") return MeshInertia::exact;
  if (text != "legacy") {
    values.error("inertia", "expected convex, exact or legacy, got " + quote(text),
                 text == "shell" ? "shells are not supported; give the body an <inertial>" : "");
  }
  return MeshInertia::legacy;
}

MassProperties solid_of(const TriangleMesh& mesh, const Vector3& scale, MeshInertia how) {
  std::vector<Triangle> triangles = triangles_of(mesh, scale);
  if (how == MeshInertia::convex) {
    std::vector<Vector3> points;
    for (const Triangle& triangle : triangles) {
      points.insert(points.end(), triangle.begin(), triangle.end());
    }
    triangles = triangles_of(ConvexHull(points));
  }
  const Vector3 apex = center_of_surface(triangles);
  const Integrals about_apex(triangles, apex);
  MassProperties solid;
  solid.mass = about_apex.volume;
  if (!(solid.mass > 0.0)) return {};
  solid.center = apex + about_apex.first / solid.mass;
  const Matrix3 second = Integrals(triangles, solid.center).second;
  solid.inertia = second.trace() * Matrix3::Identity() - second;
  solid.counts_twice = how == MeshInertia::legacy &&
                       about_apex.volume_without_signs > (1.0 + kSameVolume) * solid.mass;
  return solid;
}

}  // namespace spacedyn::loading::foreign
