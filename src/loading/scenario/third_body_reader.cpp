#include <limits>

#include "forces/point_mass_field.hpp"
#include "loading/scenario/planet_keys.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/forces/body_field.hpp"

namespace spacedyn::loading {
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
