/// @file
/// Orbits whose local frame replaces the inertial one, and axes of planets in the frame of
/// coordinates.
#pragma once

#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// μ of the earth, m³/s², and its equatorial radius, m.
inline constexpr double kEarthMu = 3.986004418e14;
inline constexpr double kEarthRadius = 6378137.0;

/// A Kepler orbit, circular or elliptic, whose local frame is the frame of coordinates: x outward,
/// y in the orbital plane along the track, z along the normal, origin on the orbit.
struct SPACEDYN_EXPORT ReferenceOrbit {
  double radius = 0.0;   ///< at the periapsis, m; 0: none, the frame of coordinates is inertial
  double mu = kEarthMu;  ///< μ, m³/s²
  double eccentricity = 0.0;  ///< e, 0 ≤ e < 1
  double true_anomaly = 0.0;  ///< ν at t = 0, rad

  /// Origin and axes of the frame at an instant.
  struct Place {
    double radius = 0.0;        ///< R, m
    double radial_speed = 0.0;  ///< Ṙ, m/s
    double angle = 0.0;         ///< ν(t) − ν(0), about z, rad
    double rate = 0.0;          ///< ω = √(μ p)/R², about z, rad/s
    double rate_change = 0.0;   ///< ω̇ = −2 Ṙ ω/R, rad/s²
  };
  /// By Kepler's equation E − e sin E = M; zero without an orbit. Allocates nothing.
  Place at(double time) const;
  /// Its axes in those that it has at t = 0; the identity without an orbit.
  Matrix3 attitude(double time) const;
  /// Centre of the planet, and its velocity, in the frame.
  Vector3 center(double time) const { return {-at(time).radius, 0.0, 0.0}; }
  bool is_circular() const { return eccentricity == 0.0; }
  bool exists() const { return radius != 0.0; }
};

/// @throws DomainError, its text beginning with @p owner, if an orbit is none
SPACEDYN_EXPORT void check_orbit(const ReferenceOrbit& orbit, const std::string& owner);

/// Axes fixed in a planet, moon or asteroid that turns at a constant rate, in the frame of
/// coordinates: inertial, or that of an orbit about the body.
struct SPACEDYN_EXPORT BodyAxes {
  Vector3 position = Vector3::Zero();          ///< of their origin, m; in an orbit its centre
  Matrix3 attitude = Matrix3::Identity();      ///< at t = 0
  Vector3 angular_velocity = Vector3::Zero();  ///< against the stars, in axes that the frame of
                                               ///< coordinates has at t = 0, rad/s
  ReferenceOrbit orbit = {};                   ///< whose frame is that of coordinates

  /// Axes of a planet that turns about its z axis at a rate, in the frame of an orbit: with the
  /// inclination i of the orbit against the equator and the argument u of the start from the
  /// ascending node, z = (sin i sin u, sin i cos u, cos i) at t = 0.
  /// @param longitude  of the ascending node at t = 0 in the axes of the planet, rad
  static BodyAxes in_orbit(const ReferenceOrbit& orbit, double inclination, double argument,
                           double rotation = 0.0, double longitude = 0.0);

  /// Where they are in the frame of coordinates at an instant.
  struct Pose {
    Vector3 origin = Vector3::Zero();
    Matrix3 attitude = Matrix3::Identity();
    /// Velocity of the origin and angular velocity, both relative to the frame.
    Vector3 velocity = Vector3::Zero(), rate = Vector3::Zero();

    /// Velocity of the point of the body that is at a place.
    Vector3 velocity_at(const Vector3& place) const {
      return velocity + rate.cross(place - origin);
    }
  };
  /// Allocates nothing.
  Pose at(double time) const;
  bool is_finite() const {
    return position.allFinite() && attitude.allFinite() && angular_velocity.allFinite();
  }
};

}  // namespace spacedyn
