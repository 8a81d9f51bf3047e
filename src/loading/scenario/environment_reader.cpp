#include <cmath>

#include "loading/keys/fields.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/forces/hill_field.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kPart{Dimension::none, Range::not_negative};

const Fields<Plate>& plate_fields() {
  static const Fields<Plate> kFields = {
      {"area",
       "Area, m²",
       {Dimension::none, Range::positive, false, "m²"},
       [](Plate& p) -> double& { return p.area; },
       Presence::required},
      {"drag_coefficient", "Default 2.2", kPart,
       [](Plate& p) -> double& { return p.drag_coefficient; }},
      {"specular", "Part of the light that is mirrored, default 0", kPart,
       [](Plate& p) -> double& { return p.specular; }, Presence::optional, kAtMostOne},
      {"diffuse", "Part of the light that is scattered back, default 0", kPart,
       [](Plate& p) -> double& { return p.diffuse; }, Presence::optional, kAtMostOne}};
  return kFields;
}

const Fields<DragForce::Settings>& atmosphere_fields() {
  using Air = DragForce::Settings;
  static const Fields<Air> kFields = {
      {"density",
       "At reference_altitude, kg/m³",
       {Dimension::none, Range::not_negative, false, "kg/m³"},
       [](Air& air) -> double& { return air.density; },
       Presence::required},
      {"reference_altitude", "Of the density, m", quantity::kLength,
       [](Air& air) -> double& { return air.reference_altitude; }, Presence::required},
      {"scale_height", "Over which the density falls to 1/e, m",
       quantity::kLength.within(Range::positive),
       [](Air& air) -> double& { return air.scale_height; }, Presence::required}};
  return kFields;
}

const Fields<SolarPressure::Settings>& sun_fields() {
  using Sun = SolarPressure::Settings;
  static const Fields<Sun> kFields = {{"pressure",
                                       "Of light, Pa, default 4.56e-6",
                                       {Dimension::none, Range::not_negative, false, "Pa"},
                                       [](Sun& sun) -> double& { return sun.pressure; }}};
  return kFields;
}

std::string plate_schema() {
  MappingSchema schema("A flat piece of a body's surface");
  schema.allow("name", text_schema())
      .require("at", text_schema("Its centre: a frame, a link or <link>.com"))
      .require("normal", vector_schema(quantity::kNumber, "Outward, in the axes of the frame"))
      .allow("two_sided", boolean_schema("Met on both sides, as a solar panel is"));
  describe_fields(plate_fields(), schema);
  return schema.text();
}

std::string atmosphere_schema() {
  MappingSchema schema("Density that falls exponentially with the altitude");
  describe_fields(atmosphere_fields(), schema);
  schema.allow("rotation", vector_schema(quantity::kRate, "Of the air against the stars, rad/s"));
  return schema.text();
}

std::string sun_schema() {
  MappingSchema schema("Light that presses on plates");
  schema.require("direction", vector_schema(quantity::kNumber, "Towards the sun"));
  describe_fields(sun_fields(), schema);
  return schema.text();
}

/// What is around the robots.
std::string environment_schema() {
  MappingSchema schema("Surroundings");
  schema.allow("gravity", vector_schema(quantity::kAcceleration, "Acceleration of free fall, m/s²"))
      .allow("terrain", reference_schema("terrain"))
      .allow("orbit", reference_schema("orbit"))
      .allow("tide", reference_schema("tide"))
      .allow("bodies",
             by_name_schema(reference_schema("central_body"), "Central bodies by name", 1))
      .allow("gravity_gradient",
             boolean_schema("Gravity differs between and within bodies; default: false in an "
                            "orbit, true with bodies"))
      .allow("plates", series_schema(plate_schema(), 1))
      .allow("atmosphere", atmosphere_schema())
      .allow("sun", sun_schema())
      .allow("magnetic_field", reference_schema("magnetic_field"))
      .add_rule(at_most_one_key_rule({"orbit", "bodies"}))
      .add_rule(R"("dependentRequired": {"tide": ["orbit"], "atmosphere": ["plates"], )"
                R"("sun": ["plates"]})");
  return schema.text();
}

constexpr Quantity kFluxDensity{Dimension::none, Range::any, false, "T"};
constexpr Quantity kDipole{Dimension::none, Range::positive, false, "A m²"};

std::string magnetic_field_schema() {
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
  return one_of_schema({uniform.text(), dipole.text()}, "What magnetic torquers are in");
}

std::vector<Plate> read_plates(ScenarioContext& scenario, MapReader& environment) {
  std::vector<Plate> plates;
  const auto list = environment.find("plates");
  if (!list) return plates;
  for_each_item(*list, scenario.problems(), [&](const Value& item) {
    const ErrorMark errors(scenario.problems());
    MapReader map(item, scenario.context());
    Plate plate;
    plate.name = map.text("name");
    if (plate.name.empty()) plate.name = "plate_" + std::to_string(plates.size());
    const auto at = read_point(scenario, map);
    const Vector3 normal = map.required_vector3("normal");
    check_direction(map, "normal", normal);
    plate.two_sided = map.boolean("two_sided", false);
    read_fields(map, plate_fields(), plate);
    if (!errors.found() && plate.specular + plate.diffuse > 1.0) {
      map.error_at(map.has("specular") ? "specular" : "diffuse",
                   "expected parts of the light that are together at most 1, got " +
                       format_number(plate.specular + plate.diffuse));
    }
    map.finish();
    if (!at || errors.found()) return;
    plate.at = *at;
    plate.normal = normal.normalized();
    plates.push_back(std::move(plate));
  });
  return plates;
}

void read_atmosphere(ScenarioContext& scenario, const Value& value,
                     const std::vector<Plate>& plates) {
  MapReader map(value, scenario.context());
  DragForce::Settings settings;
  settings.plates = plates;
  read_fields(map, atmosphere_fields(), settings);
  settings.rotation = map.vector3("rotation", quantity::kRate, Vector3::Zero());
  map.finish();
  if (scenario.space.planets.size() != 1) {
    scenario.problems().error(
        value,
        "expected one planet whose radius is known, of an orbit or a central body "
        "with planet_radius, got " +
            std::to_string(scenario.space.planets.size()));
  }
  scenario.names.elements.insert("drag");
  if (!scenario.model || scenario.problems().has_errors()) return;
  settings.planet = scenario.space.planets.front();
  scenario.add_force(std::make_shared<DragForce>("drag", *scenario.model, std::move(settings)));
}

void read_sun(ScenarioContext& scenario, const Value& value, const std::vector<Plate>& plates) {
  MapReader map(value, scenario.context());
  SolarPressure::Settings settings;
  settings.plates = plates;
  const Vector3 direction = map.required_vector3("direction");
  check_direction(map, "direction", direction);
  read_fields(map, sun_fields(), settings);
  map.finish();
  scenario.names.elements.insert("solar_pressure");
  if (!scenario.model || scenario.problems().has_errors()) return;
  settings.direction = direction.normalized();
  // without a planet of known radius there is no shadow; the turning of the frame counts all the
  // same
  if (scenario.space.planets.size() == 1) settings.planet = scenario.space.planets.front();
  scenario.add_force(
      std::make_shared<SolarPressure>("solar_pressure", *scenario.model, std::move(settings)));
}

void read_surfaces(ScenarioContext& scenario, MapReader& environment) {
  const std::vector<Plate> plates = read_plates(scenario, environment);
  const auto atmosphere = environment.find("atmosphere"), sun = environment.find("sun");
  if (environment.has("plates") && !atmosphere && !sun) {
    environment.error_at("plates", "expected an atmosphere or a sun that acts on plates, got none");
  }
  for (const char* key : {"atmosphere", "sun"}) {
    if (!environment.has(key) || environment.has("plates")) continue;
    environment.error_at(key, "expected plates on which it acts, got none");
  }
  if (atmosphere) read_atmosphere(scenario, *atmosphere, plates);
  if (sun) read_sun(scenario, *sun, plates);
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
  const auto* orbit = dynamic_cast<const HillField*>(find_force(scenario, "orbit"));
  if (orbit == nullptr) return;
  field.center = Vector3(-orbit->settings().radius, 0.0, 0.0);
  field.frame_rate = orbit->frame_rate();
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
  scenario.setup().gravity = map.vector3("gravity", quantity::kAcceleration, Vector3::Zero());
  if (const auto terrain = map.find("terrain")) read_terrain(scenario, *terrain);
  read_gravity_fields(scenario, map);
  read_surfaces(scenario, map);
  if (const auto field = map.find("magnetic_field")) read_magnetic_field(scenario, *field);
  map.finish();
}

}  // namespace spacedyn::loading
