/// @file
/// Flight in the rotating frame of a circular orbit.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/acceleration_field.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// μ of the earth, m³/s², and its equatorial radius, m.
inline constexpr double kEarthMu = 3.986004418e14;
inline constexpr double kEarthRadius = 6378137.0;

/// A circular orbit whose local frame takes the place of the inertial one.
struct OrbitSettings {
  double radius = 0.0;      ///< R, m
  double mu = kEarthMu;     ///< μ, m³/s²
  bool exact_tide = false;  ///< the full field instead of the linear one of Clohessy–Wiltshire
  bool gravity_gradient = false;  ///< gravity differs within robots and bodies
};

/// The forces of Hill's frame: x outward, y along the track, z along the orbit's normal, origin on
/// the orbit, turning at n = √(μ/R³). Positions, attitudes, velocities and rates are relative to
/// it.
///
/// On each body, mass m at r with velocity v, angular velocity ω and S = ½ tr(I) E − I:
///   F = m (n² (x, y, 0) − 2 n × v),  N = n × S n + 2 ω × S n,
/// exact for a rigid body, wheels included; and gravity less that at the origin, linear
/// n² (2x, −y, −z), or exact −μ (R + r)/|R + r|³ + μ R/|R|³ computed without cancellation. With
/// gravity_gradient it acts on each body at its centroid, with the torque of its gradient and
/// (exact) the force on its inertia, MacCullagh's, to second order in the size of the body.
/// Without, all bodies of a robot feel the gravity at the robot's centroid; a robot is what hangs
/// together by joints other than free ones. All but the Coriolis force, which does no work, has a
/// potential.
class SPACEDYN_EXPORT HillField final : public ForceElement, public AccelerationField {
 public:
  /// @throws DomainError if radius or μ is not positive and finite
  HillField(std::string name, const Model& model, const OrbitSettings& settings);

  const OrbitSettings& settings() const { return settings_; }
  /// n, rad/s.
  double rate() const { return rate_; }
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
  Vector3 frame_rate() const override { return {0.0, 0.0, rate_}; }

 private:
  /// Adds the loads unless null.
  EnergyRates attract(const EvaluationContext& context, Loads* loads) const;
  struct Wrench {
    Vector3 force, moment;
  };
  /// Where gravity acts on what a body has at r.
  Vector3 place_of(const EvaluationContext& context, int body, const Vector3& r) const;
  Vector3 gravity(const Vector3& r) const;
  double potential(const Vector3& r) const;
  /// Of the forces with a potential, on one body.
  Wrench conservative(const EvaluationContext& context, int body, const Matrix3& inertia,
                      const Vector3& center) const;
  template <typename Visit>
  void for_each_body(const EvaluationContext& context, const Visit& visit) const;

  OrbitSettings settings_;
  double rate_;
  std::vector<int> robots_;  // of each body
  int robot_count_ = 1;
};

}  // namespace spacedyn
