#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"

namespace spacedyn::loading {
namespace {

Mapping<Plate> plate_keys() {
  using namespace kind;
  const Quantity part = not_negative(kNumber);
  Mapping<Plate> keys("A flat piece of a body's surface");
  keys.allow("name", &Plate::name, text());
  keys.require("at", &Plate::at, point("Its centre: a frame, a link or <link>.com"));
  keys.require("normal", &Plate::normal, vector(kNumber, "Outward, in the axes of the frame"));
  keys.allow("two_sided", &Plate::two_sided, boolean("Met on both sides, as a solar panel is"));
  keys.require("area", &Plate::area, positive(in("m²")), "Area, m²");
  keys.allow("drag_coefficient", &Plate::drag_coefficient, part, "Default 2.2");
  keys.allow("specular", &Plate::specular, part, "Part of the light that is mirrored, default 0",
             kAtMostOne);
  keys.allow("diffuse", &Plate::diffuse, part,
             "Part of the light that is scattered back, default 0", kAtMostOne);
  keys.check([](Plate& plate, Reading& reading) {
    check_direction(reading.map, "normal", plate.normal);
    if (const double sum = plate.specular + plate.diffuse; sum > 1.0) {
      reading.map.error_at(
          reading.map.has("specular") ? "specular" : "diffuse",
          "expected parts of the light that are together at most 1, got " + format_number(sum));
    }
    plate.normal.normalize();
  });
  return keys;
}

Mapping<DragForce::Settings> atmosphere_keys() {
  using namespace kind;
  using Settings = DragForce::Settings;
  const char* standard = "the standard atmosphere has its own";
  Mapping<Settings> keys("Density that falls exponentially with the altitude, or of a standard");
  keys.allow("model", &Settings::standard,
             optional(choice<StandardAtmosphere>(
                 {"us_1976"},
                 "A standard in the place of density, reference_altitude and "
                 "scale_height: U.S. Standard Atmosphere 1976")));
  const auto unless_standard = [&](const char* key, auto member, const Quantity& quantity,
                                   const char* title) {
    keys.require(key, member, quantity, title);
    keys.unless("model", standard);
  };
  unless_standard("density", &Settings::density, not_negative(in("kg/m³")),
                  "At reference_altitude, kg/m³");
  unless_standard("reference_altitude", &Settings::reference_altitude, kLength,
                  "Of the density, m");
  unless_standard("scale_height", &Settings::scale_height, positive(kLength),
                  "Over which the density falls to 1/e, m");
  keys.allow("rotation", &Settings::rotation, vector(kRate, "Of the air against the stars, rad/s"));
  return keys;
}

Mapping<SolarPressure::Settings> sun_keys() {
  using namespace kind;
  using Settings = SolarPressure::Settings;
  Mapping<Settings> keys("Light that presses on plates");
  keys.allow("direction", &Settings::direction,
             vector(kNumber, "Towards the sun; without an epoch, which says it"));
  keys.allow("pressure", &Settings::pressure, not_negative(in("Pa")),
             "Of light, at an astronomical unit with an epoch, Pa, default 4.56e-6");
  keys.check([](Settings& sun, Reading& reading) {
    Space& space = reading.scenario->space;
    if (space.sky) {
      reading.map.refuse("direction", "the epoch says where the sun is");
      check_sky(*reading.scenario, reading.map);
      space.is_sky_used = true;
      return;
    }
    reading.map.require("direction", "a list of 3 numbers");
    check_direction(reading.map, "direction", sun.direction);
    sun.direction.normalize();
  });
  return keys;
}

/// Keys of the environment that stand by themselves.
struct Surroundings {
  Vector3 gravity = Vector3::Zero();
  std::vector<Plate> plates;
  std::optional<DragForce::Settings> atmosphere;
  std::optional<SolarPressure::Settings> sun;
};

Mapping<Surroundings> surroundings_keys() {
  using namespace kind;
  Mapping<Surroundings> keys("Surroundings");
  keys.allow("gravity", &Surroundings::gravity,
             vector(kAcceleration, "Acceleration of free fall, m/s²"));
  keys.allow("plates", &Surroundings::plates,
             list(mapping(once<plate_keys>()), "a list of plates", 1));
  keys.allow("atmosphere", &Surroundings::atmosphere, optional(mapping(once<atmosphere_keys>())));
  return keys;
}

/// What is around the robots.
Json environment_schema() {
  MappingSchema schema(once<surroundings_keys>().title());
  once<surroundings_keys>().describe(schema);
  schema.allow("terrain", reference_schema("terrain"))
      .allow("orbit", reference_schema("orbit"))
      .allow("tide", reference_schema("tide"))
      .allow("bodies",
             by_name_schema(reference_schema("central_body"), "Central bodies by name", 1))
      .allow("gravity_gradient",
             boolean_schema("Gravity differs between and within bodies; default: false in an "
                            "orbit, true with bodies"))
      .allow("sun", schema_of<sun_keys>())
      .allow("epoch", reference_schema("epoch"))
      .allow("third_bodies", reference_schema("third_bodies"))
      .allow("magnetic_field", reference_schema("magnetic_field"))
      .add_rule(at_most_one_key_rule({"orbit", "bodies"}))
      .add_condition(if_rule(required_rule({"epoch"}), Json(),
                             {{"properties", {{"sun", required_rule({"direction"})}}}}))
      .add_rule({{"dependentRequired",
                  {{"tide", {"orbit"}}, {"atmosphere", {"plates"}}, {"sun", {"plates"}}}}});
  return schema;
}

/// @param all_are_known  whether no error has hidden a planet
void add_drag(ScenarioContext& scenario, MapReader& environment, DragForce::Settings settings,
              bool all_are_known) {
  const auto& planets = scenario.space.planets;
  if (planets.size() != 1 && all_are_known) {
    environment.error_at("atmosphere",
                         "expected one planet whose radius is known, of an orbit or a central body "
                         "with planet_radius, got " +
                             std::to_string(planets.size()));
  }
  scenario.names.elements.insert("drag");
  if (!scenario.model || scenario.problems().has_errors()) return;
  settings.planet = planets.front();
  scenario.add_force(std::make_shared<DragForce>("drag", *scenario.model, std::move(settings)));
}

void add_solar_pressure(ScenarioContext& scenario, SolarPressure::Settings settings) {
  scenario.names.elements.insert("solar_pressure");
  if (!scenario.model || scenario.problems().has_errors()) return;
  // without a planet of known radius there is no shadow; the turning of the frame counts all the
  // same
  settings.planet.orbit = scenario.space.orbit.value_or(ReferenceOrbit());
  settings.sky = scenario.space.sky;
  if (settings.sky) settings.sky->equator = scenario.space.equator;
  if (scenario.space.planets.size() == 1) settings.planet = scenario.space.planets.front();
  scenario.add_force(
      std::make_shared<SolarPressure>("solar_pressure", *scenario.model, std::move(settings)));
}

void add_surfaces(ScenarioContext& scenario, MapReader& environment, Surroundings& around,
                  bool all_are_known) {
  if (environment.has("plates") && !around.atmosphere && !around.sun) {
    environment.error_at("plates", "expected an atmosphere or a sun that acts on plates, got none");
  }
  for (const char* key : {"atmosphere", "sun"}) {
    if (!environment.has(key) || environment.has("plates")) continue;
    environment.error_at(key, "expected plates on which it acts, got none");
  }
  for (std::size_t i = 0; i < around.plates.size(); ++i) {
    std::string& name = around.plates[i].name;
    if (name.empty()) name = "plate_" + std::to_string(i);
  }
  if (around.atmosphere) {
    around.atmosphere->plates = around.plates;
    add_drag(scenario, environment, std::move(*around.atmosphere), all_are_known);
  }
  if (around.sun) {
    around.sun->plates = around.plates;
    add_solar_pressure(scenario, std::move(*around.sun));
  }
}

}  // namespace

extern const SchemaDefinition kEnvironmentDefinition{"environment", environment_schema};

void read_environment(ScenarioContext& scenario) {
  const auto value = scenario.map.find("environment");
  if (!value) return;
  MapReader map(*value, scenario.context());
  Surroundings around;
  Reading reading{map, &scenario};
  once<surroundings_keys>().read(reading, around);
  scenario.setup().gravity = around.gravity;
  if (const auto terrain = map.find("terrain")) read_terrain(scenario, *terrain);
  const ErrorMark errors(scenario.problems());
  read_epoch(scenario, map);
  read_gravity_fields(scenario, map);
  if (const auto bodies = map.find("third_bodies")) read_third_bodies(scenario, *bodies);
  if (const auto sun = map.find("sun")) {
    MapReader keys(*sun, scenario.context());
    Reading inner{keys, &scenario};
    once<sun_keys>().read(inner, around.sun.emplace());
    keys.finish();
  }
  add_surfaces(scenario, map, around, !errors.found());
  if (const auto field = map.find("magnetic_field")) read_magnetic_field(scenario, *field);
  if (scenario.space.sky && !scenario.space.is_sky_used) {
    map.error_at("epoch",
                 "expected the sun or the moon of 'third_bodies', a 'sun' on plates, or an earth "
                 "that turns below an orbit, which depend on it, got none");
  }
  map.finish();
}

}  // namespace spacedyn::loading
