/// @file
/// Keys about planets that gravity and magnetic fields share.
#pragma once

#include <string>
#include <vector>

#include "loading/keys/mapping.hpp"
#include "spacedyn/forces/reference_orbit.hpp"
#include "spacedyn/forces/spherical_harmonics.hpp"

namespace spacedyn::loading {

constexpr Quantity kMu{Dimension::none, Range::positive, false, "m³/s²"};
constexpr Quantity kPlanetLength{Dimension::length, Range::positive};

/// Coefficients of spherical harmonics in a file.
struct SeriesKeys {
  std::string file;
  int degree = -1;    ///< −1: that of the file
  double date = 0.0;  ///< of a model that changes over the years
  HarmonicCoefficients coefficients = {};
};

/// `harmonics` and `degree`; the caller makes a series of what read_series() returns.
Mapping<SeriesKeys> series_keys(Presence presence, const char* title);
/// Reads the file of `harmonics` and cuts it at `degree`; what is wrong is reported.
/// @param parse  of its text and its name
void read_series(Reading& reading, SeriesKeys& series,
                 HarmonicCoefficients (*parse)(const std::string& text, const std::string& name,
                                               const SeriesKeys& series));

/// `position`, an orientation and `angular_velocity` of axes in inertial flight.
Mapping<BodyAxes> body_axes_keys(Presence angular_velocity);

/// Axes of the planet in the frame of an orbit.
struct PlanetTurn {
  double inclination = 0.0, argument = 0.0, rotation = 0.0, longitude = 0.0;

  BodyAxes about(const ReferenceOrbit& orbit) const {
    return BodyAxes::in_orbit(orbit, inclination, argument, rotation, longitude);
  }
};
/// `inclination`, `argument`, `rotation` and `longitude`.
Mapping<PlanetTurn> planet_turn_keys();
/// Whether the keys of axes fit to flight in an orbit or without one, which is reported.
/// @param required  of those in an orbit
bool fit_axes(Reading& reading, bool in_orbit, const std::vector<std::string>& required);

}  // namespace spacedyn::loading
