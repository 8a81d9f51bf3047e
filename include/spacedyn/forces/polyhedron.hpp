/// @file
/// Gravity of a small body of any shape.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/acceleration_field.hpp"
#include "spacedyn/terrain/triangle_mesh.hpp"

namespace spacedyn {

/// G, m³/(kg s²).
inline constexpr double kGravitationalConstant = 6.67430e-11;

/// @throws DomainError naming an edge if the surface has holes, triangles that turn against their
/// neighbours or have no area, or if it encloses nothing
SPACEDYN_EXPORT void check_closed(const TriangleMesh& mesh);

/// Potential and derivatives of a homogeneous polyhedron with G ρ = 1 [Werner 1997]:
///   U = ½ Σ_e r_e·E_e r_e L_e − ½ Σ_f r_f·F_f r_f ω_f, exact, inside, too.
class SPACEDYN_EXPORT Polyhedron {
 public:
  struct Field : GravityPotential {
    double solid_angle = 0.0;  ///< Σ ω_f: 4π inside, 0 outside; ∇²U = −Σ ω_f
  };

  /// Triangles that all turn inward are turned around. @throws DomainError as check_closed()
  explicit Polyhedron(const TriangleMesh& mesh);

  double volume() const { return volume_; }
  /// O(triangles), allocates nothing. On an edge itself the field is that beside it.
  Field field(const Vector3& r) const;

 private:
  MatrixX edges_, faces_;  // a row each, padded as the kernels read them
  double volume_ = 0.0;
};

/// Gravity of a homogeneous polyhedron.
class SPACEDYN_EXPORT PolyhedronGravity final : public GravityModel {
 public:
  /// @param mu  G ρ V, m³/s²
  /// @throws DomainError if the mesh is not closed or μ not positive
  PolyhedronGravity(const TriangleMesh& mesh, double mu);

  GravityPotential at(const Vector3& r, double time) const override;
  void describe(CelestialBody& body) const override;

 private:
  Polyhedron polyhedron_;
  double mu_, density_;           // G ρ
  std::vector<float> triangles_;  // that are drawn
};

}  // namespace spacedyn
