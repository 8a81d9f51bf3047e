/// @file
/// Where the sun and the moon are, and what masses that go about a planet do to flight about it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/acceleration_field.hpp"
#include "spacedyn/forces/reference_orbit.hpp"

namespace spacedyn {

/// μ of the sun and of the moon, m³/s², and the astronomical unit, m.
inline constexpr double kSunMu = 1.32712440018e20;
inline constexpr double kMoonMu = 4.9028e12;
inline constexpr double kAstronomicalUnit = 1.495978707e11;

/// @name Geocentric positions, m, by series of low precision
///
/// In axes of the mean equator and equinox of J2000, without the time that light takes. From 1950
/// to 2050 the sun is within 0.012° and 1e-4 of its distance, the moon within 0.08° and 500 km.
/// @param days  of terrestrial time since 2000 January 1, 12 h
/// @{
SPACEDYN_EXPORT Vector3 sun_position(double days);
SPACEDYN_EXPORT Vector3 moon_position(double days);
/// @}

/// Days of terrestrial time since J2000 at an instant of UTC, `2026-06-21T12:00:00`, with or
/// without decimals of the second and a `Z`. TT − UTC counts as the 69.184 s that it has been since
/// 2017.
/// @returns nothing for another text, a date that is not there or one outside of 1950 to 2050
SPACEDYN_EXPORT std::optional<double> epoch_of(const std::string& utc);

/// Right ascension of the meridian of Greenwich in axes of the equator of J2000, rad, 0 to 2π: the
/// earth rotation angle of IERS conventions, with UTC in place of UT1, 0.004° apart at most.
/// @param days  of terrestrial time since J2000
SPACEDYN_EXPORT double earth_rotation_angle(double days);

/// When a flight begins and what axes the ephemerides have: those of the equator of J2000, in the
/// axes that the frame of coordinates has at t = 0.
struct Sky {
  double epoch = 0.0;  ///< of t = 0, days of terrestrial time since J2000
  Matrix3 equator = Matrix3::Identity();

  /// Of the sun from the earth, in axes that the frame of coordinates has at t = 0, m.
  Vector3 sun(double time) const;
};

/// A mass that goes about the planet: as an ephemeris says, or on a Kepler orbit.
struct SPACEDYN_EXPORT ThirdBody {
  std::string name;
  double mu = 0.0;                           ///< m³/s²
  Vector3 (*ephemeris)(double) = nullptr;    ///< of days since J2000; null: on the orbit
  ReferenceOrbit orbit = {};                 ///< its μ that of both masses together
  Matrix3 orbit_axes = Matrix3::Identity();  ///< of the orbit's frame at t = 0, inertial
};

/// The tide of masses in the distance, on top of the gravity of the planet that they pull as well:
/// −μ/d³ (r + f s) at r from the planet, s to the mass, d = |s − r|, f = (d/|s|)³ − 1 after Battin
/// without cancellation. It changes with time, so BodyField stores no energy in it.
class SPACEDYN_EXPORT ThirdBodies final : public GravityModel {
 public:
  /// @param epoch  of t = 0, days of terrestrial time since J2000
  /// @throws DomainError if there is none, a μ is not positive, or an orbit is none
  ThirdBodies(std::vector<ThirdBody> bodies, double epoch);

  /// From the planet, inertial, m.
  Vector3 place(const ThirdBody& body, double time) const;
  const std::vector<ThirdBody>& bodies() const { return bodies_; }
  GravityPotential at(const Vector3& r, double time) const override;
  void describe(CelestialBody& /*body*/) const override {}
  bool is_steady() const override { return false; }

 private:
  std::vector<ThirdBody> bodies_;
  double epoch_;
};

}  // namespace spacedyn
