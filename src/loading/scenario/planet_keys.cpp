#include "loading/scenario/planet_keys.hpp"

#include "loading/keys/geometry.hpp"
#include "loading/keys/session.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/scenario/shared_keys.hpp"

namespace spacedyn::loading {
namespace {

/// At most one of four keys.
KeyGroup<Matrix3> orientation() {
  const auto read = [](Reading& reading, Matrix3& attitude) {
    const ErrorMark errors(reading.problems());
    attitude = read_orientation(reading.map).value_or(Matrix3::Identity());
    return !errors.found();
  };
  return {[](MappingSchema& schema) { describe_orientation(schema); }, read};
}

constexpr int kMostDegree = 1000;

}  // namespace

Mapping<SeriesKeys> series_keys(Presence presence, const char* title) {
  Mapping<SeriesKeys> keys;
  keys.add(presence, "harmonics", &SeriesKeys::file, kind::path(title, "a file of coefficients"));
  keys.allow("degree", &SeriesKeys::degree,
             kind::whole_number<int>(1, kMostDegree, "a degree from 1 to 1000",
                                     "Of the series, default that of the file"));
  keys.with("harmonics", "without harmonics there is no series");
  return keys;
}

void read_series(Reading& reading, SeriesKeys& series,
                 HarmonicCoefficients (*parse)(const std::string& text, const std::string& name,
                                               const SeriesKeys& series)) {
  const Value file = *reading.map.find("harmonics");
  const std::string path = path_beside(file, series.file);
  const ErrorMark errors(reading.problems());
  guard(file, reading.problems(), [&] {
    series.coefficients =
        parse(reading.map.context().session.open_source(path).text(), path, series);
  });
  if (errors.found()) return;
  const int most = series.coefficients.degree();
  if (series.degree > most) {
    reading.map.error_at("degree", "expected a degree of at most " + std::to_string(most) +
                                       ", that of the file, got " + std::to_string(series.degree));
  } else if (series.degree >= 0) {
    series.coefficients = series.coefficients.up_to(series.degree);
  }
}

Mapping<BodyAxes> body_axes_keys(Presence angular_velocity) {
  using namespace kind;
  Mapping<BodyAxes> keys;
  keys.allow("position", &BodyAxes::position, vector(kLength, "Of the origin of its axes, m"));
  keys.group(&BodyAxes::attitude, orientation());
  keys.add(angular_velocity, "angular_velocity", &BodyAxes::angular_velocity,
           vector(kRate, "Inertial, constant, rad/s"));
  return keys;
}

Mapping<PlanetTurn> planet_turn_keys() {
  using namespace kind;
  Mapping<PlanetTurn> keys;
  keys.allow("inclination", &PlanetTurn::inclination, kAngle,
             "In an orbit: against the equator, rad");
  keys.allow("argument", &PlanetTurn::argument, kAngle,
             "In an orbit: of the start, along it from the ascending node, rad; default 0");
  keys.allow("rotation", &PlanetTurn::rotation, kRate,
             "In an orbit: of the planet about its axis, rad/s");
  keys.allow("longitude", &PlanetTurn::longitude, kAngle,
             "In an orbit: of the ascending node at t = 0, rad; default 0, with an epoch what "
             "follows from it and ascending_node");
  return keys;
}

bool fit_axes(Reading& reading, bool in_orbit, const std::vector<std::string>& required) {
  const ErrorMark errors(reading.problems());
  MapReader& map = reading.map;
  if (!in_orbit) {
    for (const std::string& key : once<planet_turn_keys>().names()) {
      map.refuse(key, "it is of an orbit, and there is none");
    }
    return !errors.found();
  }
  for (const char* key : {"position", "center", "north", "angular_velocity", "twist", "rpy",
                          "quaternion", "matrix"}) {
    map.refuse(key,
               "the orbit is about the planet, and its inclination says where the axis of that is");
  }
  bool is_complete = true;
  for (const std::string& key : required) {
    const Quantity& quantity = key == "rotation" ? quantity::kRate : quantity::kAngle;
    is_complete = map.require(key, expectation(quantity)) && is_complete;
  }
  return is_complete && !errors.found();
}

}  // namespace spacedyn::loading
