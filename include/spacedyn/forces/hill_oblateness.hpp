/// @file
/// The oblateness of a planet in the frame of an orbit.
#pragma once

#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/acceleration_field.hpp"
#include "spacedyn/forces/element.hpp"
#include "spacedyn/forces/hill_field.hpp"

namespace spacedyn {

/// What J₂ adds to the gravity of HillField, at the centroid of each body, ρ = R + r:
///   a = −3/2 μ J₂ R_e²/ρ⁵ ((1 − 5 s²) ρ + 2 s ρ z_N), s = ρ̂·z_N [Vallado 2013],
/// z_N to the north, (sin i sin u, sin i cos u, cos i) with u = u_0 + n t.
///
/// The frame keeps to its circle, which is no orbit about an oblate planet: bodies leave its origin
/// by kilometres per revolution, so that the tide should be exact. The field turns against the
/// frame; it has no potential in it, and its work counts as put in.
class SPACEDYN_EXPORT HillOblateness final : public ForceElement, public AccelerationField {
 public:
  struct Settings {
    double j2 = 0.0;
    double equatorial_radius = 0.0;  ///< R_e, m
    double inclination = 0.0;        ///< i of the orbit against the equator, rad
    double argument = 0.0;           ///< u_0, at t = 0 along the orbit from the ascending node, rad
  };
  /// @throws DomainError if a number is not finite, the equatorial radius not positive or not
  /// within the orbit
  HillOblateness(std::string name, const OrbitSettings& orbit, const Settings& settings);

  const Settings& settings() const { return settings_; }
  void declare(Declarations& declared) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;
  Vector3 acceleration(const EvaluationContext& context, int body, const Vector3& r,
                       const Vector3& v) const override;
  double potential(const EvaluationContext&, int, const Vector3&, double) const override {
    return 0.0;
  }

 private:
  Vector3 pull(double time, const Vector3& r) const;

  OrbitSettings orbit_;
  Settings settings_;
  double rate_ = 0.0;
};

}  // namespace spacedyn
