/// @file
/// Gravity of a body that is more than a point.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/reference_orbit.hpp"
#include "spacedyn/forces/robot_field.hpp"

namespace spacedyn {

/// Gravity of a planet or an asteroid that stands or spins: on each body the force at its centroid
/// and the torque of ∇∇U. What its motion and that torque do counts as work. Without gravity
/// gradient all bodies of a robot feel the gravity at the robot's centroid; a robot is what hangs
/// together by joints other than free ones. In the frame of an orbit it is what comes on top of the
/// field of HillField: a model without the term of the point mass. All work of a field that changes
/// with time, ThirdBodies, counts as put in.
class SPACEDYN_EXPORT BodyField final : public RobotField {
 public:
  using Gravity = std::shared_ptr<const GravityModel>;

  /// With gravity gradient.
  /// @throws DomainError if there is no gravity, or a number of the axes is not finite
  BodyField(std::string name, Gravity gravity, const BodyAxes& axes);
  /// Without, of the robots of a model.
  /// @throws DomainError likewise
  BodyField(std::string name, Gravity gravity, const BodyAxes& axes, const Model& model);

  const BodyAxes& axes() const { return axes_; }
  void declare(Declarations& declared) const override;
  double stored_energy(const EvaluationContext& context) const override;
  Vector3 acceleration(const EvaluationContext& context, int body, const Vector3& r,
                       const Vector3& v) const override;
  double potential(const EvaluationContext& context, int body, const Vector3& r,
                   double specific_inertia) const override;

 private:
  EnergyRates attract(const EvaluationContext& context, Loads* loads) const override;
  template <typename Visit>
  void for_each_body(const EvaluationContext& context, const Visit& visit) const;
  /// Where gravity of a body is taken.
  Vector3 center_of(const EvaluationContext& context, int body) const;
  /// At a point, in the axes of the frame of coordinates.
  GravityPotential field(const BodyAxes::Pose& pose, const Vector3& r, double time) const;

  Gravity gravity_;
  BodyAxes axes_;
};

}  // namespace spacedyn
