#include <limits>

#include "forces/point_mass_field.hpp"
#include "loading/scenario/planet_keys.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/forces/body_field.hpp"
#include "spacedyn/forces/hill_field.hpp"
#include "spacedyn/forces/third_bodies.hpp"

namespace spacedyn::loading {
namespace {

enum class Tide { linear, exact };

/// `linear` or `exact`.
Kind<std::optional<Tide>> tide() {
  return kind::optional(
      kind::choice<Tide>({"linear", "exact"}, "Default linear: Clohessy and Wiltshire"));
}

/// An orbit as a file gives it.
struct OrbitKeys {
  double altitude = 0.0, planet_radius = kEarthRadius, j2 = 0.0, node = 0.0;
  int frame = 0;
  std::optional<Tide> tide;
  ReferenceOrbit path;
  PlanetTurn turn;
  SeriesKeys series;
};

/// Of another planet nothing is known unless the file says it.
bool knows_planet(const MapReader& map) {
  return map.has("planet_radius") || map.has("harmonics") || !map.has("mu");
}

/// A field that is not that of a point.
bool has_shape(const MapReader& map) { return map.has("j2") || map.has("harmonics"); }

void finish_orbit(OrbitKeys& orbit, Reading& reading) {
  MapReader& map = reading.map;
  const ErrorMark errors(map.problems());
  HarmonicCoefficients& planet = orbit.series.coefficients;
  if (map.has("harmonics")) {
    read_series(reading, orbit.series,
                [](const std::string& text, const std::string& name, const SeriesKeys&) {
                  return parse_gfc(text, name);
                });
    if (errors.found()) return;
    if (!map.has("mu")) orbit.path.mu = planet.mu;
    planet.mu = orbit.path.mu;
    if (!map.has("planet_radius")) orbit.planet_radius = planet.radius;
  }
  const double radius = orbit.planet_radius;
  if (map.has("altitude")) orbit.path.radius = radius + orbit.altitude;
  if (map.has("altitude") && !(orbit.altitude > 0.0)) {
    map.error_at("altitude", "expected an altitude above the planet's surface, got " +
                                 format_number(orbit.altitude) + " m: inside the planet");
  } else if (knows_planet(map) && orbit.path.radius <= radius) {
    map.error_at("radius", "expected a radius beyond that of the planet, " + format_number(radius) +
                               " m, got " + format_number(orbit.path.radius) +
                               " m: inside the planet");
  }
  if (map.has("j2")) planet = HarmonicCoefficients::oblate(orbit.path.mu, radius, orbit.j2);
  if (map.has("j2") && !knows_planet(map)) {
    map.error_at("j2", "expected the equatorial radius that j2 is about, planet_radius, got none");
  }
}

/// Axes matter where the field of the planet is not that of a point, or the sun and the moon are
/// seen.
void check_turn(MapReader& map, bool sees_sky) {
  if (has_shape(map)) {
    map.require("inclination", expectation(quantity::kAngle));
    if (map.has("harmonics")) map.require("rotation", expectation(quantity::kRate));
    for (const char* key : {"rotation", "longitude"}) {
      if (!map.has("harmonics")) map.refuse(key, "an oblate planet is the same at all longitudes");
    }
    return;
  }
  for (const std::string& key : once<planet_turn_keys>().names()) {
    const bool is_of_sky = key == "inclination" || key == "argument";
    if (is_of_sky && (sees_sky || map.has("ascending_node"))) continue;
    map.refuse(key, "without j2, harmonics or an ascending_node the planet is a sphere");
  }
}

Mapping<OrbitKeys> orbit_keys() {
  using namespace kind;
  Mapping<OrbitKeys> keys("An orbit whose local frame takes the place of the inertial one");
  const auto path = [](auto member) {
    return [member](OrbitKeys& orbit) -> double& { return orbit.path.*member; };
  };
  Kind<double> altitude = number(kPlanetLength, "Over planet_radius, of the periapsis, m");
  altitude.read = number(kLength).read;  // finish_orbit() says what is wrong with it
  keys.allow("altitude", &OrbitKeys::altitude, altitude);
  keys.allow("radius", path(&ReferenceOrbit::radius), kPlanetLength,
             "From the centre, of the periapsis, m");
  keys.allow("eccentricity", path(&ReferenceOrbit::eccentricity), not_negative(kNumber),
             "Default 0, a circle", {0.0, std::numeric_limits<double>::infinity(), 1.0});
  keys.allow("true_anomaly", path(&ReferenceOrbit::true_anomaly), kAngle,
             "With an eccentricity: at t = 0 from the periapsis, rad; default 0");
  keys.with("eccentricity", "a circle has no periapsis");
  keys.allow("planet_radius", &OrbitKeys::planet_radius, kPlanetLength,
             "m, default that of the earth or of harmonics");
  keys.allow("mu", path(&ReferenceOrbit::mu), kMu,
             "m³/s², default that of the earth or of harmonics");
  keys.allow("frame", &OrbitKeys::frame,
             choice<int>({"lvlh"}, "x outward, y along the track, z along the normal"));
  keys.allow("tide", &OrbitKeys::tide, defined(tide(), "tide"));
  keys.allow("j2", &OrbitKeys::j2, kNumber, "Oblateness, the earth's is 1.0826e-3");
  keys.merge(&OrbitKeys::series,
             series_keys(Presence::optional, "Gravity of the planet, an ICGEM file"));
  keys.merge(&OrbitKeys::turn, once<planet_turn_keys>());
  keys.allow("ascending_node", &OrbitKeys::node, kAngle,
             "With an epoch or third_bodies: of the orbit, from the x axis of inertial axes, the "
             "equinox of J2000, rad");
  keys.check_keys(one_key_rule({"altitude", "radius"}), [](MapReader& map) {
    has_one_of(map, {"altitude", "radius"});
  });
  const Json shapes =
      Json::array({at_most_one_key_rule({"j2", "harmonics"}),
                   if_rule(required_rule({"j2"}), required_rule({"inclination"})),
                   if_rule(required_rule({"harmonics"}), required_rule({"inclination", "rotation"}),
                           no_key_rule({"rotation", "longitude"})),
                   if_rule(some_key_rule({"j2", "harmonics", "ascending_node"}), Json(),
                           no_key_rule(once<planet_turn_keys>().names())),
                   if_rule(required_rule({"ascending_node"}), required_rule({"inclination"}))});
  keys.check_keys({{"allOf", shapes}}, [](MapReader& map) {
    if (map.has("harmonics")) map.refuse("j2", "the file of harmonics says it");
  });
  keys.check(finish_orbit);
  return keys;
}

void read_orbit(ScenarioContext& scenario, const Value& value, MapReader& environment) {
  MapReader map(value, scenario.context());
  OrbitKeys given;
  Reading reading{map, &scenario};
  const bool is_right = once<orbit_keys>().read(reading, given);
  OrbitSettings orbit;
  static_cast<ReferenceOrbit&>(orbit) = given.path;
  scenario.space.orbit = is_right ? given.path : ReferenceOrbit();
  Reading outer{environment};
  std::optional<Tide> outer_tide;
  if (const auto place = environment.find("tide")) tide().read(*place, outer, &outer_tide);
  if (given.tide && outer_tide) environment.refuse("tide", "the orbit says it already");
  orbit.exact_tide = given.tide.value_or(outer_tide.value_or(Tide::linear)) == Tide::exact;
  orbit.gravity_gradient = environment.boolean("gravity_gradient", false);
  if (is_right && knows_planet(map)) {
    scenario.space.planets.push_back({given.path.center(0.0), given.planet_radius, given.path});
  }
  const bool sees_sky = scenario.space.sky || environment.has("third_bodies");
  check_turn(map, sees_sky);
  if (sees_sky) {
    if (!has_shape(map)) map.require("inclination", expectation(quantity::kAngle));
    map.require("ascending_node", expectation(quantity::kAngle));
  } else {
    map.refuse("ascending_node", "without an epoch or third_bodies nothing depends on it");
  }
  if (scenario.space.sky && is_earth(given.path.mu)) {
    scenario.space.node_longitude = given.node - earth_rotation_angle(scenario.space.sky->epoch);
    if (!map.has("longitude")) given.turn.longitude = scenario.space.node_longitude;
    if (map.has("harmonics") && !map.has("longitude")) scenario.space.is_sky_used = true;
  }
  map.finish();
  scenario.space.centers.push_back({given.path.mu});
  const PlanetTurn& turn = given.turn;
  scenario.space.equator =
      BodyAxes::in_orbit(given.path, turn.inclination, turn.argument, 0.0, given.node).attitude;
  const char* shape = map.has("j2") ? "oblateness" : "harmonics";
  scenario.names.elements.insert("orbit");
  if (has_shape(map)) scenario.names.elements.insert(shape);
  if (!scenario.model || scenario.problems().has_errors()) return;
  scenario.add_force(std::make_shared<HillField>("orbit", *scenario.model, orbit));
  if (!has_shape(map)) return;
  // the point mass is that of the orbit
  given.series.coefficients.cosine(0, 0) -= 1.0;
  add_body_field(scenario, shape, std::make_shared<SphericalHarmonics>(given.series.coefficients),
                 given.turn.about(given.path), orbit.gravity_gradient);
}

}  // namespace

extern const SchemaDefinition kTideDefinition{"tide", schema_of<tide>};
extern const SchemaDefinition kOrbitDefinition{"orbit", schema_of<orbit_keys>};

void add_body_field(ScenarioContext& scenario, const std::string& name,
                    std::shared_ptr<const GravityModel> gravity, const BodyAxes& axes,
                    bool gravity_gradient) {
  scenario.add_force(gravity_gradient ? std::make_shared<BodyField>(name, std::move(gravity), axes)
                                      : std::make_shared<BodyField>(name, std::move(gravity), axes,
                                                                    *scenario.model));
}

void read_gravity_fields(ScenarioContext& scenario, MapReader& map) {
  const auto orbit = map.find("orbit"), bodies = map.find("bodies");
  if (orbit && bodies) {
    map.refuse("bodies",
               "with an orbit its local frame takes the place of the inertial one, in which a "
               "central body is the planet");
    return;
  }
  if (orbit) return read_orbit(scenario, *orbit, map);
  map.refuse("tide", "only an orbit has a tide");
  if (!bodies) {
    map.refuse("gravity_gradient", "it needs an orbit or central bodies");
    return;
  }
  read_central_bodies(scenario, *bodies, map.boolean("gravity_gradient", true));
}

namespace {

/// An instant of the calendar.
Kind<Sky> epoch() {
  const char* expected = "an instant of UTC from 1950 to 2050 as 2026-06-21T12:00:00";
  const auto read = [=](const Value& value, Reading& reading) -> std::optional<Sky> {
    const auto text = read_text(value, reading.problems());
    const auto days = text ? epoch_of(*text) : std::nullopt;
    if (days) return Sky{*days};
    if (text) {
      reading.problems().error(value,
                               std::string("expected ") + expected + ", got " + quote(*text));
    }
    return std::nullopt;
  };
  return make_kind<Sky>(
      expected,
      [] { return text_schema("Of t = 0, UTC: where the sun and the moon of ephemerides are"); },
      read);
}

/// One of known place, or with the keys of its orbit.
struct ThirdKeys {
  ThirdBody body;
  PlanetTurn turn;
};

Mapping<ThirdKeys> third_body_keys() {
  using namespace kind;
  const auto path = [](auto member) {
    return [member](ThirdKeys& keys) -> double& { return keys.body.orbit.*member; };
  };
  const auto turn = [](auto member) {
    return [member](ThirdKeys& keys) -> double& { return keys.turn.*member; };
  };
  const char* reason = "without a radius there is no orbit";
  Mapping<ThirdKeys> keys("A mass that goes about the central body; sun and moon by the epoch");
  keys.allow(
      "mu", [](ThirdKeys& all) -> double& { return all.body.mu; }, kMu,
      "m³/s², default that of the sun or the moon");
  keys.allow("radius", path(&ReferenceOrbit::radius), kPlanetLength,
             "Of its orbit about the central body, of the periapsis, m");
  keys.allow("eccentricity", path(&ReferenceOrbit::eccentricity), not_negative(kNumber),
             "Default 0, a circle", {0.0, std::numeric_limits<double>::infinity(), 1.0});
  keys.with("radius", reason);
  keys.allow("true_anomaly", path(&ReferenceOrbit::true_anomaly), kAngle,
             "With an eccentricity: at t = 0 from the periapsis, rad; default 0");
  keys.with("eccentricity", "a circle has no periapsis");
  keys.allow("inclination", turn(&PlanetTurn::inclination), kAngle,
             "Of its orbit against the xy plane of inertial axes, rad; default 0");
  keys.with("radius", reason);
  keys.allow("argument", turn(&PlanetTurn::argument), kAngle,
             "At t = 0, along the orbit from the ascending node, rad; default 0");
  keys.with("radius", reason);
  keys.allow("ascending_node", turn(&PlanetTurn::longitude), kAngle,
             "From the x axis, rad; default 0");
  keys.with("radius", reason);
  return keys;
}

Json third_bodies_schema() {
  return by_name_schema(schema_of<third_body_keys>(), "Masses in the distance, by name", 1);
}

}  // namespace

extern const SchemaDefinition kEpochDefinition{"epoch", schema_of<epoch>};
extern const SchemaDefinition kThirdBodiesDefinition{"third_bodies", third_bodies_schema};

void read_epoch(ScenarioContext& scenario, MapReader& environment) {
  const auto value = environment.find("epoch");
  if (!value) return;
  // where it is wrong what depends on it is not looked at
  scenario.space.sky = Sky();
  read_value(epoch(), *value, scenario.context(), *scenario.space.sky);
}

void check_sky(ScenarioContext& scenario, MapReader& map) {
  const auto& centers = scenario.space.centers;
  if (centers.empty() || is_earth(centers.front().mu)) return;
  map.error("expected a flight about the earth, from which ephemerides see the sun and the moon");
}

void read_third_bodies(ScenarioContext& scenario, const Value& value) {
  Space& space = scenario.space;
  scenario.names.elements.insert("third_bodies");
  std::vector<ThirdBody> bodies;
  std::size_t count = 0;
  const auto read = [&](const std::string& name, const Value& item) {
    ++count;
    MapReader map(item, scenario.context());
    ThirdKeys keys;
    keys.body.name = name;
    const bool is_seen = (name == "sun" || name == "moon") && !map.has("radius");
    if (is_seen) {
      keys.body.mu = name == "sun" ? kSunMu : kMoonMu;
      keys.body.ephemeris = name == "sun" ? sun_position : moon_position;
    }
    Reading reading{map, &scenario};
    const bool is_right = once<third_body_keys>().read(reading, keys);
    if (is_seen) {
      if (!space.sky)
        map.error("expected an 'epoch' of the environment, or its mu and radius, got none");
      space.is_sky_used = true;
      check_sky(scenario, map);
    } else {
      map.require("mu", "a number");
      map.require("radius", "a length");
    }
    map.finish();
    if (!is_right || space.centers.empty()) return;
    keys.body.orbit.mu = space.centers.front().mu + keys.body.mu;
    keys.body.orbit_axes = keys.turn.about({}).attitude.transpose();
    bodies.push_back(std::move(keys.body));
  };
  for_each_entry(value, "third bodies", scenario.problems(), read);
  if (value.node->is_mapping() && count == 0) {
    scenario.problems().error(value, "expected at least one third body, got none");
  }
  if (scenario.problems().has_errors()) return;
  if (space.centers.size() != 1) {
    scenario.problems().error(value,
                              "expected one central body that they go about, that of an "
                              "orbit or of 'bodies', got " +
                                  std::to_string(space.centers.size()));
    return;
  }
  if (!scenario.model) return;
  BodyAxes axes;
  axes.position = space.centers.front().position;
  axes.orbit = space.orbit.value_or(ReferenceOrbit());
  axes.attitude = space.equator;
  add_body_field(scenario, "third_bodies",
                 std::make_shared<ThirdBodies>(std::move(bodies), space.sky.value_or(Sky()).epoch),
                 axes, false);
}

}  // namespace spacedyn::loading
