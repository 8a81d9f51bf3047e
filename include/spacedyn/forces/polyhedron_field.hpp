/// @file
/// Gravity of a small body of any shape.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/acceleration_field.hpp"
#include "spacedyn/forces/element.hpp"
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
  struct Field {
    double potential = 0.0;              ///< U, positive
    Vector3 gradient = Vector3::Zero();  ///< ∇U, towards the body
    Matrix3 second = Matrix3::Zero();    ///< ∇∇U
    double solid_angle = 0.0;            ///< Σ ω_f: 4π inside, 0 outside; ∇²U = −Σ ω_f
  };

  /// Triangles that all turn inward are turned around. @throws DomainError as check_closed()
  explicit Polyhedron(const TriangleMesh& mesh);

  double volume() const { return volume_; }
  /// O(triangles), allocates nothing. On an edge itself the field is that beside it.
  Field field(const Vector3& r) const;

 private:
  struct Edge {
    Vector3 from, to;
    Matrix3 dyad;
    double length;
  };
  struct Face {
    std::array<Vector3, 3> corners;
    Vector3 normal;
  };
  std::vector<Edge> edges_;
  std::vector<Face> faces_;
  double volume_ = 0.0;
};

/// Gravity of a homogeneous polyhedron that stands or spins: on each body the force at its centroid
/// and the torque of ∇∇U. What its spin and that torque do counts as work. Without gravity gradient
/// all bodies of a robot feel the gravity at the robot's centroid; a robot is what hangs together
/// by joints other than free ones.
class SPACEDYN_EXPORT PolyhedronField final : public ForceElement, public AccelerationField {
 public:
  struct Settings {
    TriangleMesh mesh;                           ///< in its own axes
    double mu = 0.0;                             ///< G ρ V, m³/s²
    Vector3 position = Vector3::Zero();          ///< of the origin of its axes, inertial, m
    Matrix3 attitude = Matrix3::Identity();      ///< of its axes at t = 0
    Vector3 angular_velocity = Vector3::Zero();  ///< inertial, constant, rad/s
  };

  /// With gravity gradient.
  /// @throws DomainError if the mesh is not closed, μ not positive or a number not finite
  PolyhedronField(std::string name, Settings settings);
  /// Without, of the robots of a model.
  /// @throws DomainError likewise
  PolyhedronField(std::string name, Settings settings, const Model& model);

  const Settings& settings() const { return settings_; }
  /// @throws DomainError if it is not the model of the constructor
  void check(const Model& model) const override;
  void declare(Declarations& declared) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override {
    attract(context, &loads);
  }
  double stored_energy(const EvaluationContext& context) const override;
  EnergyRates energy_rates(const EvaluationContext& context) const override {
    return attract(context, nullptr);
  }
  EnergyRates act(const EvaluationContext& context, Loads& loads, VectorRef) const override {
    return attract(context, &loads);
  }
  Vector3 acceleration(const EvaluationContext& context, int body, const Vector3& r,
                       const Vector3& v) const override;
  double potential(const EvaluationContext& context, int body, const Vector3& r,
                   double specific_inertia) const override;

 private:
  /// Adds the loads unless null.
  EnergyRates attract(const EvaluationContext& context, Loads* loads) const;
  template <typename Visit>
  void for_each_body(const EvaluationContext& context, const Visit& visit) const;
  /// Where gravity of a body is taken.
  Vector3 center_of(const EvaluationContext& context, int body) const;
  Matrix3 attitude(double time) const;
  /// At an inertial point, times G ρ, inertial axes.
  Polyhedron::Field field(double time, const Vector3& r) const;

  Settings settings_;
  Polyhedron polyhedron_;
  double density_;           // G ρ
  std::vector<int> robots_;  // of each body; empty with gravity gradient
  int robot_count_ = 1;
};

}  // namespace spacedyn
