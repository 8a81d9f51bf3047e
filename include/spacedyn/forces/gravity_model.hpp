/// @file
/// Potentials of bodies in their own axes.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

struct CelestialBody;

/// A potential U, positive, and its derivatives at a point.
struct GravityPotential {
  double potential = 0.0;              ///< U, m²/s²
  Vector3 gradient = Vector3::Zero();  ///< ∇U, towards the body
  Matrix3 second = Matrix3::Zero();    ///< ∇∇U
};

/// Gravity of a body in axes fixed in it.
class SPACEDYN_EXPORT GravityModel {
 public:
  virtual ~GravityModel();

  /// At a point, and a time where the field changes. Must not allocate.
  virtual GravityPotential at(const Vector3& r, double time) const = 0;
  /// Whether it is the same at all times; one that is not need not have a potential.
  virtual bool is_steady() const { return true; }
  /// Sets μ and what the body looks like.
  virtual void describe(CelestialBody& body) const = 0;

 protected:
  GravityModel() = default;
  GravityModel(const GravityModel&) = default;
  GravityModel& operator=(const GravityModel&) = default;
};

}  // namespace spacedyn
