/// @file
/// Forces that give all masses at one place the same acceleration.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Gravity, and the fictitious forces of a frame that turns: what an accelerometer does not feel.
class SPACEDYN_EXPORT AccelerationField {
 public:
  virtual ~AccelerationField();

  /// Acceleration of a free particle at @p r with velocity @p v, both of the frame of coordinates,
  /// as a part of a body. Must not allocate.
  virtual Vector3 acceleration(const EvaluationContext& context, int body, const Vector3& r,
                               const Vector3& v) const = 0;
  /// What the stored energy grows by with the mass of a small ball at @p r that becomes a part of a
  /// body, J/kg, under the approximations of the field for extended bodies.
  /// @param specific_inertia  of the ball about its centroid, m²
  virtual double potential(const EvaluationContext& context, int body, const Vector3& r,
                           double specific_inertia) const = 0;
  /// Angular velocity of the frame of coordinates against the stars, in its axes, rad/s.
  virtual Vector3 frame_rate(double /*time*/) const { return Vector3::Zero(); }
  /// Axes of the frame of coordinates in those that it has at t = 0.
  virtual Matrix3 frame_attitude(double /*time*/) const { return Matrix3::Identity(); }

 protected:
  AccelerationField() = default;
  AccelerationField(const AccelerationField&) = default;
  AccelerationField& operator=(const AccelerationField&) = default;
};

/// @name Of the frame of coordinates, of all fields together
/// @{
SPACEDYN_EXPORT Vector3 frame_rate(const std::vector<const AccelerationField*>& fields,
                                   double time);
SPACEDYN_EXPORT Matrix3 frame_attitude(const std::vector<const AccelerationField*>& fields,
                                       double time);
/// @}

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
