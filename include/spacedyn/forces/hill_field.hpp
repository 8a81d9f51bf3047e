/// @file
/// Flight in the rotating frame of an orbit.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/reference_orbit.hpp"
#include "spacedyn/forces/robot_field.hpp"

namespace spacedyn {

/// An orbit whose local frame takes the place of the inertial one.
struct OrbitSettings : ReferenceOrbit {
  bool exact_tide = false;        ///< the full field instead of its linear part
  bool gravity_gradient = false;  ///< gravity differs within robots and bodies
};

/// The forces of the local frame of an orbit: x outward, y along the track, z along the orbit's
/// normal, origin on the orbit at R, turning at ω: Hill's on a circle, that of Tschauner and Hempel
/// on an ellipse. Positions, attitudes, velocities and rates are relative to it.
///
/// On each body, mass m at r with velocity v, angular velocity Ω and S = ½ tr(I) E − I:
///   F = m (ω² (x, y, 0) + ω̇ (y, −x, 0) − 2 ω × v),  N = ω × S ω + 2 Ω × S ω − I ω̇,
/// exact for a rigid body, wheels included; and gravity less that at the origin, linear
/// μ/R³ (2x, −y, −z), or exact −μ (R + r)/|R + r|³ + μ R/|R|³ computed without cancellation. With
/// gravity_gradient it acts on each body at its centroid, with the torque of its gradient and
/// (exact) the force on its inertia, MacCullagh's, to second order in the size of the body.
/// Without, all bodies of a robot feel the gravity at the robot's centroid; a robot is what hangs
/// together by joints other than free ones. On a circle all but the Coriolis force, which does no
/// work, has a potential; on an ellipse none has, and all work counts as put in.
class SPACEDYN_EXPORT HillField final : public RobotField {
 public:
  /// @throws DomainError as check_orbit()
  HillField(std::string name, const Model& model, const OrbitSettings& settings);

  const OrbitSettings& settings() const { return settings_; }
  /// ω at t = 0, rad/s.
  double rate() const { return settings_.at(0.0).rate; }
  void declare(Declarations& declared) const override;
  double stored_energy(const EvaluationContext& context) const override;
  Vector3 acceleration(const EvaluationContext& context, int body, const Vector3& r,
                       const Vector3& v) const override;
  double potential(const EvaluationContext& context, int body, const Vector3& r,
                   double specific_inertia) const override;
  Vector3 frame_rate(double time) const override { return {0.0, 0.0, settings_.at(time).rate}; }
  Matrix3 frame_attitude(double time) const override { return settings_.attitude(time); }

 private:
  EnergyRates attract(const EvaluationContext& context, Loads* loads) const override;
  struct Wrench {
    Vector3 force, moment;
  };
  using Place = ReferenceOrbit::Place;
  /// Where gravity acts on what a body has at r.
  Vector3 place_of(const EvaluationContext& context, int body, const Vector3& r) const;
  Vector3 gravity(const Place& place, const Vector3& r) const;
  double potential(const Place& place, const Vector3& r) const;
  /// Of the forces that do not depend on velocities, on one body.
  Wrench conservative(const EvaluationContext& context, const Place& place, int body,
                      const Matrix3& inertia, const Vector3& center) const;
  template <typename Visit>
  void for_each_body(const EvaluationContext& context, const Visit& visit) const;

  OrbitSettings settings_;
};

}  // namespace spacedyn
