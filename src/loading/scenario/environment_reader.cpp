#include <cmath>

#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/forces/hill_field.hpp"

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
  Mapping<Settings> keys("Density that falls exponentially with the altitude");
  keys.require("density", &Settings::density, not_negative(in("kg/m³")),
               "At reference_altitude, kg/m³");
  keys.require("reference_altitude", &Settings::reference_altitude, kLength, "Of the density, m");
  keys.require("scale_height", &Settings::scale_height, positive(kLength),
               "Over which the density falls to 1/e, m");
  keys.allow("rotation", &Settings::rotation, vector(kRate, "Of the air against the stars, rad/s"));
  return keys;
}

Mapping<SolarPressure::Settings> sun_keys() {
  using namespace kind;
  using Settings = SolarPressure::Settings;
  Mapping<Settings> keys("Light that presses on plates");
  keys.require("direction", &Settings::direction, vector(kNumber, "Towards the sun"));
  keys.allow("pressure", &Settings::pressure, not_negative(in("Pa")),
             "Of light, Pa, default 4.56e-6");
  keys.check([](Settings& sun, Reading& reading) {
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
  keys.allow("sun", &Surroundings::sun, optional(mapping(once<sun_keys>())));
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
      .allow("magnetic_field", reference_schema("magnetic_field"))
      .add_rule(at_most_one_key_rule({"orbit", "bodies"}))
      .add_rule({{"dependentRequired",
                  {{"tide", {"orbit"}}, {"atmosphere", {"plates"}}, {"sun", {"plates"}}}}});
  return schema;
}

constexpr Quantity kFluxDensity{Dimension::none, Range::any, false, "T"};
constexpr Quantity kDipole{Dimension::none, Range::positive, false, "A m²"};

Json magnetic_field_schema() {
  MappingSchema uniform("The same everywhere");
  uniform.require("uniform", vector_schema(kFluxDensity, "B, T"));
  MappingSchema dipole("That of a planet with the moment -M z_N");
  dipole.require("dipole", number_schema({kDipole}, "M, A m²; the earth's is 7.71e+22"))
      .allow("inclination",
             number_schema({quantity::kAngle}, "Of the orbit against the magnetic equator, rad"))
      .allow("argument", number_schema({quantity::kAngle},
                                       "At t = 0, along the orbit from where it crosses the "
                                       "magnetic equator to the north, rad; default 0"))
      .allow("north", vector_schema(quantity::kNumber, "z_N, default z; without an orbit"))
      .allow("center", vector_schema(quantity::kLength, "m, default 0; without an orbit"));
  return one_of_schema({uniform, dipole}, "What magnetic torquers are in");
}

void add_drag(ScenarioContext& scenario, MapReader& environment, DragForce::Settings settings) {
  const auto& planets = scenario.space.planets;
  if (planets.size() != 1) {
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
  if (scenario.space.planets.size() == 1) settings.planet = scenario.space.planets.front();
  scenario.add_force(
      std::make_shared<SolarPressure>("solar_pressure", *scenario.model, std::move(settings)));
}

void add_surfaces(ScenarioContext& scenario, MapReader& environment, Surroundings& around) {
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
    add_drag(scenario, environment, std::move(*around.atmosphere));
  }
  if (around.sun) {
    around.sun->plates = around.plates;
    add_solar_pressure(scenario, std::move(*around.sun));
  }
}

/// No mass may start where the field of a dipole is infinite.
void check_center(ScenarioContext& scenario, MapReader& map, const Vector3& center) {
  if (!scenario.model || !map.is_mapping()) return;
  const Body* body = find_at_start(
      scenario, [&](const Body&, const Vector3& r) { return (r - center).norm() == 0.0; });
  if (body == nullptr) return;
  map.error_at("center", "expected the center of a planet, got that of '" + body->name +
                             "', where the field is infinite");
}

bool has_orbit(ScenarioContext& scenario) {
  const auto environment = scenario.map.find("environment");
  return environment && environment->node->find("orbit") != nullptr;
}

void read_dipole(ScenarioContext& scenario, MapReader& map, MagneticField& field) {
  if (!has_orbit(scenario)) {
    for (const char* key : {"inclination", "argument"}) {
      map.refuse(key, "it is of an orbit, and there is none");
    }
    const ErrorMark errors(map.problems());
    const Vector3 north = map.vector3("north", quantity::kNumber, Vector3::UnitZ());
    if (!errors.found()) check_direction(map, "north", north);
    field.north = north.normalized();
    field.center = map.vector3("center", quantity::kLength, Vector3::Zero());
    check_center(scenario, map, field.center);
    return;
  }
  for (const char* key : {"north", "center"}) {
    map.refuse(key, "the orbit is about the dipole, and its inclination says where north is");
  }
  const double i = map.required_number("inclination", quantity::kAngle);
  const double u = map.number("argument", quantity::kAngle, 0.0);
  const ForceElement* orbit = find_force(scenario, "orbit");
  const CelestialScene scene = orbit == nullptr ? CelestialScene() : declarations_of(*orbit).scene;
  if (scene.orbit_radius == 0.0) return;
  field.center = Vector3(-scene.orbit_radius, 0.0, 0.0);
  field.frame_rate = scene.frame_rate;
  field.north = {std::sin(i) * std::sin(u), std::sin(i) * std::cos(u), std::cos(i)};
}

void read_magnetic_field(ScenarioContext& scenario, const Value& value) {
  const ErrorMark errors(scenario.problems());
  scenario.space.has_magnetic_field = true;
  MapReader map(value, scenario.context());
  MagneticField field;
  const bool is_uniform = map.has("uniform"), is_dipole = map.has("dipole");
  has_one_of(map, "dipole", "uniform");
  if (is_uniform && has_orbit(scenario)) {
    map.refuse("uniform", "in the frame of an orbit the field is that of a dipole");
  } else if (is_uniform) {
    field.uniform = map.vector3("uniform", kFluxDensity, Vector3::Zero());
    if (!errors.found()) check_direction(map, "uniform", field.uniform);
  }
  field.dipole = map.number("dipole", kDipole, 0.0);
  for (const char* key : {"inclination", "argument", "north", "center"}) {
    if (is_uniform && !is_dipole) map.refuse(key, "a uniform field has none");
  }
  if (is_dipole && !is_uniform) read_dipole(scenario, map, field);
  map.finish();
  if (!errors.found()) scenario.space.magnetic_field = field;
}

}  // namespace

extern const SchemaDefinition kEnvironmentDefinition{"environment", environment_schema};
extern const SchemaDefinition kMagneticFieldDefinition{"magnetic_field", magnetic_field_schema};

void read_environment(ScenarioContext& scenario) {
  const auto value = scenario.map.find("environment");
  if (!value) return;
  MapReader map(*value, scenario.context());
  Surroundings around;
  Reading reading{map, &scenario};
  once<surroundings_keys>().read(reading, around);
  scenario.setup().gravity = around.gravity;
  if (const auto terrain = map.find("terrain")) read_terrain(scenario, *terrain);
  read_gravity_fields(scenario, map);
  add_surfaces(scenario, map, around);
  if (const auto field = map.find("magnetic_field")) read_magnetic_field(scenario, *field);
  map.finish();
}

}  // namespace spacedyn::loading
