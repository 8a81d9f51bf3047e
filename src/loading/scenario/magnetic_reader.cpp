#include <array>
#include <cmath>

#include "loading/scenario/planet_keys.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/forces/magnetic_torquer.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kFluxDensity{Dimension::none, Range::any, false, "T"};
constexpr Quantity kDipole{Dimension::none, Range::positive, false, "A m²"};

/// All keys of all fields.
struct MagneticKeys {
  MagneticField field;
  PlanetTurn turn;
  BodyAxes axes;
  double tilt = 0.0;
  SeriesKeys series;
};

bool is_in_orbit(const Reading& reading) { return reading.scenario->space.orbit.has_value(); }

/// No mass may start where the field is infinite.
void check_center(const char* key, const Vector3& center, Reading& reading) {
  const ScenarioContext& scenario = *reading.scenario;
  if (!scenario.model) return;
  const Body* body = find_at_start(
      scenario, [&](const Body&, const Vector3& r) { return (r - center).norm() == 0.0; });
  if (body == nullptr) return;
  reading.map.error_at(key, "expected the center of a planet, got that of '" + body->name +
                                "', where the field is infinite");
}

Mapping<MagneticKeys> uniform_keys() {
  Mapping<MagneticKeys> keys("The same everywhere");
  keys.require(
      "uniform", [](MagneticKeys& all) -> Vector3& { return all.field.uniform; },
      kind::vector(kFluxDensity, "B, T"));
  keys.check([](MagneticKeys& all, Reading& reading) {
    if (is_in_orbit(reading)) {
      reading.map.refuse("uniform", "in the frame of an orbit the field is that of a planet");
    } else {
      check_direction(reading.map, "uniform", all.field.uniform);
    }
  });
  return keys;
}

/// Puts a dipole or a series about its planet; `key` has the place of that without an orbit.
void place(const char* key, MagneticKeys& all, const std::vector<std::string>& required,
           Reading& reading) {
  const bool in_orbit = is_in_orbit(reading);
  if (!fit_axes(reading, in_orbit, required)) return;
  if (in_orbit) {
    Space& space = reading.scenario->space;
    if (!reading.map.has("longitude")) {
      all.turn.longitude = space.node_longitude;
      if (space.sky && reading.map.has("rotation")) space.is_sky_used = true;
    }
    all.field.axes = all.turn.about(*reading.scenario->space.orbit);
  } else {
    all.field.axes = all.axes;
    check_center(key, all.axes.position, reading);
  }
}

Mapping<MagneticKeys> dipole_keys() {
  using namespace kind;
  Mapping<MagneticKeys> keys("That of a planet with the moment -M z_N");
  keys.require(
      "dipole", [](MagneticKeys& all) -> double& { return all.field.dipole; }, kDipole,
      "M, A m²; the earth's is 7.71e+22");
  keys.merge(&MagneticKeys::turn, once<planet_turn_keys>());
  keys.allow("tilt", &MagneticKeys::tilt, kAngle,
             "In an orbit: of z_N against the axis of the planet, towards longitude 0, rad; "
             "default 0");
  keys.allow(
      "north", [](MagneticKeys& all) -> Vector3& { return all.field.north; },
      vector(kNumber, "z_N at t = 0, default z; without an orbit"));
  keys.allow(
      "center", [](MagneticKeys& all) -> Vector3& { return all.axes.position; },
      vector(kLength, "m, default 0; without an orbit"));
  keys.allow(
      "angular_velocity", [](MagneticKeys& all) -> Vector3& { return all.axes.angular_velocity; },
      vector(kRate, "Inertial, constant, rad/s; without an orbit"));
  const Json tilt{{"rotation", {"tilt"}}, {"longitude", {"tilt"}}, {"tilt", {"rotation"}}};
  keys.check_keys({{"dependentRequired", tilt}}, [](MapReader& map) {
    for (const char* key : {"rotation", "longitude"}) {
      if (!map.has("tilt")) map.refuse(key, "a dipole without tilt is the same at all longitudes");
    }
    if (map.has("tilt")) map.require("rotation", expectation(quantity::kRate));
  });
  keys.check([](MagneticKeys& all, Reading& reading) {
    if (!is_in_orbit(reading)) reading.map.refuse("tilt", "without an orbit 'north' says it");
    check_direction(reading.map, "north", all.field.north);
    place("center", all, {"inclination"}, reading);
    all.field.north.normalize();
    if (is_in_orbit(reading)) all.field.north = {std::sin(all.tilt), 0.0, std::cos(all.tilt)};
  });
  return keys;
}

Mapping<MagneticKeys> series_of_field_keys() {
  using namespace kind;
  Mapping<MagneticKeys> keys("Spherical harmonics of the World Magnetic Model");
  keys.merge(&MagneticKeys::series, series_keys(Presence::required, "The file .COF"));
  keys.require(
      "date", [](MagneticKeys& all) -> double& { return all.series.date; }, kNumber,
      "In years, for instance 2026.5");
  keys.merge(&MagneticKeys::turn, once<planet_turn_keys>());
  keys.merge(&MagneticKeys::axes, body_axes_keys(Presence::optional));
  keys.check([](MagneticKeys& all, Reading& reading) {
    const bool in_orbit = is_in_orbit(reading);
    place("position", all, {"inclination", "rotation"}, reading);
    if (!in_orbit) reading.map.require("angular_velocity", "a list of 3 numbers");
    const auto parse = [](const std::string& text, const std::string& name,
                          const SeriesKeys& series) { return parse_cof(text, name, series.date); };
    const ErrorMark errors(reading.problems());
    read_series(reading, all.series, parse);
    if (errors.found()) return;
    // g and h are in nT
    const HarmonicCoefficients& series = all.series.coefficients;
    all.field.harmonics = std::make_shared<SphericalHarmonics>(series, 1e-9 * series.radius);
  });
  return keys;
}

/// One of several fields, each known by a key.
struct FieldType {
  const char* key;
  const Mapping<MagneticKeys>& (*keys)();
};

const std::array<FieldType, 3> kFields = {{{"dipole", &once<dipole_keys>},
                                           {"harmonics", &once<series_of_field_keys>},
                                           {"uniform", &once<uniform_keys>}}};

Json magnetic_field_schema() {
  std::vector<Json> all;
  for (const FieldType& field : kFields) all.push_back(field.keys().schema());
  return one_of_schema(all, "What magnetic torquers are in");
}

}  // namespace

extern const SchemaDefinition kMagneticFieldDefinition{"magnetic_field", magnetic_field_schema};

void read_magnetic_field(ScenarioContext& scenario, const Value& value) {
  const ErrorMark errors(scenario.problems());
  scenario.space.has_magnetic_field = true;
  MapReader map(value, scenario.context());
  if (!map.is_mapping()) return;
  std::vector<std::string> names;
  for (const FieldType& field : kFields) names.emplace_back(field.key);
  MagneticKeys keys;
  Reading reading{map, &scenario};
  if (has_one_of(map, names)) {
    for (const FieldType& field : kFields) {
      if (map.has(field.key)) field.keys().read(reading, keys);
    }
    map.finish();
  }
  const bool is_orbit_wrong = scenario.space.orbit && !scenario.space.orbit->exists();
  if (!errors.found() && !is_orbit_wrong) scenario.space.magnetic_field = keys.field;
}

}  // namespace spacedyn::loading
