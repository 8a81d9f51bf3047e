#include <cmath>

#include <fmt/format.h>

#include "loading/keys/fields.hpp"
#include "loading/keys/geometry.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/forces/central_bodies.hpp"
#include "spacedyn/forces/hill_field.hpp"
#include "spacedyn/forces/hill_oblateness.hpp"
#include "spacedyn/forces/polyhedron_field.hpp"
#include "terrain/obj_file.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kMu{Dimension::none, Range::positive, false, "m³/s²"};
constexpr Quantity kBodyDensity{Dimension::none, Range::positive, false, "kg/m³"};
constexpr Quantity kMeshScale{Dimension::none, Range::positive};
constexpr Quantity kPlanetLength{Dimension::length, Range::positive};
const std::vector<std::string> kOrbitFrames = {"lvlh"};
const std::vector<std::string> kTides = {"linear", "exact"};

std::string polyhedron_schema() {
  MappingSchema schema("A homogeneous body with the surface of a Wavefront OBJ file");
  schema.require("mesh", text_schema("The file: a closed surface"))
      .allow("scale", number_schema({kMeshScale}, "m per unit of the file, default 1"))
      .allow("mu", number_schema({kMu}, "m³/s²"))
      .allow("density", number_schema({kBodyDensity}, "kg/m³"))
      .add_rule(one_key_rule({"mu", "density"}))
      .allow("position", vector_schema(quantity::kLength, "Of the origin of its axes, m"));
  describe_orientation(schema);
  schema.allow("angular_velocity", vector_schema(quantity::kRate, "Inertial, constant, rad/s"));
  return schema.text();
}

/// A closed surface of a file.
TriangleMesh read_surface_mesh(const Value& file, double scale, ReadContext& context) {
  TriangleMesh mesh;
  const auto name = read_text(file, context.problems);
  if (!name) return mesh;
  guard(file, context.problems, [&] {
    mesh = parse_obj(context.session.open_source(path_beside(file, *name)).text());
    for (Vector3& point : mesh.points) point *= scale;
    check_closed(mesh);
  });
  return mesh;
}

/// Radius of an orbit given by itself or by an altitude; 0 where it is wrong.
double read_radius(MapReader& map) {
  const bool has_altitude = map.has("altitude"), has_radius = map.has("radius");
  const double planet = map.number("planet_radius", kPlanetLength, kEarthRadius);
  const double altitude = map.number("altitude", quantity::kLength, 0.0);
  const double radius = map.number("radius", kPlanetLength, 0.0);
  if (!has_one_of(map, "altitude", "radius")) return 0.0;
  if (has_altitude && !(altitude > 0.0)) {
    map.error_at("altitude", "expected an altitude above the planet's surface, got " +
                                 format_number(altitude) + " m: inside the planet");
    return 0.0;
  }
  // of another planet nothing is known unless the file says it
  const bool knows_planet = map.has("planet_radius") || !map.has("mu");
  if (has_radius && knows_planet && radius > 0.0 && radius <= planet) {
    map.error_at("radius", "expected a radius beyond that of the planet, " + format_number(planet) +
                               " m, got " + format_number(radius) + " m: inside the planet");
    return 0.0;
  }
  return has_radius ? radius : planet + altitude;
}

std::string tide_schema() {
  return choice_schema(kTides, "Default linear: Clohessy and Wiltshire");
}

std::string orbit_schema() {
  MappingSchema schema("A circular orbit whose local frame takes the place of the inertial one");
  schema.allow("altitude", number_schema({kPlanetLength}, "Over planet_radius, m"))
      .allow("radius", number_schema({kPlanetLength}, "From the centre, m"))
      .allow("planet_radius", number_schema({kPlanetLength}, "m, default that of the earth"))
      .allow("mu", number_schema({kMu}, "m³/s², default that of the earth"))
      .allow("frame",
             choice_schema(kOrbitFrames, "x outward, y along the track, z along the normal"))
      .allow("tide", reference_schema("tide"))
      .allow("j2", number_schema({quantity::kNumber}, "Oblateness, the earth's is 1.0826e-3"))
      .allow("inclination",
             number_schema({quantity::kAngle}, "With j2: against the planet's equator, rad"))
      .allow("argument", number_schema({quantity::kAngle},
                                       "With j2: at t = 0 from the ascending node, rad; default 0"))
      .add_rule(one_key_rule({"altitude", "radius"}))
      .add_rule(R"("dependentRequired": {"j2": ["inclination"], "inclination": ["j2"], )"
                R"("argument": ["j2"]})");
  return schema.text();
}

std::string point_mass_schema() {
  MappingSchema schema("A point mass or an oblate planet");
  schema.require("mu", number_schema({kMu}, "m³/s²"))
      .allow("position", vector_schema(quantity::kLength, "m, default the origin"))
      .allow("planet_radius", number_schema({kPlanetLength}, "At the equator, m"))
      .allow("j2", number_schema({quantity::kNumber}, "Oblateness, about axis"))
      .allow("axis", vector_schema(quantity::kNumber, "Default z"))
      .add_rule(R"("dependentRequired": {"j2": ["planet_radius"], "axis": ["j2"]})");
  return schema.text();
}

std::string central_body_schema() {
  return one_of_schema({point_mass_schema(), reference_schema("polyhedron")},
                       "A point mass, an oblate planet or a polyhedron that stays where it is");
}

/// `j2` of the planet and where its equator lies; nothing where there is none or it is wrong.
std::optional<HillOblateness::Settings> read_orbit_oblateness(MapReader& map, double radius) {
  if (!map.has("j2")) {
    for (const char* key : {"inclination", "argument"}) {
      map.refuse(key, "without j2 the planet is a sphere");
    }
    return std::nullopt;
  }
  HillOblateness::Settings settings;
  settings.j2 = map.number("j2", quantity::kNumber, 0.0);
  settings.inclination = map.required_number("inclination", quantity::kAngle);
  settings.argument = map.number("argument", quantity::kAngle, 0.0);
  settings.equatorial_radius = map.number("planet_radius", kPlanetLength, kEarthRadius);
  if (map.has("mu") && !map.has("planet_radius")) {
    map.error_at("j2", "expected the equatorial radius that j2 is about, planet_radius, got none");
    return std::nullopt;
  }
  if (settings.equatorial_radius >= radius) return std::nullopt;  // reported before
  return settings;
}

/// `j2` and the axis that it is about.
void read_oblateness(MapReader& map, double radius, CentralBody& body) {
  body.j2 = map.number("j2", quantity::kNumber, 0.0);
  if (!map.has("j2")) {
    map.refuse("axis", "without j2 a central body has no axis");
    return;
  }
  const Vector3 axis = map.vector3("axis", quantity::kNumber, Vector3::UnitZ());
  check_direction(map, "axis", axis);
  body.axis = axis.normalized();
  if (!map.has("planet_radius")) {
    map.error_at("j2", "expected the equatorial radius that j2 is about, planet_radius, got none");
  }
  body.equatorial_radius = radius;
}

void read_polyhedron(ScenarioContext& scenario, MapReader& map, const std::string& name,
                     bool gravity_gradient) {
  const ErrorMark errors(map.problems());
  PolyhedronField::Settings settings;
  const double scale = map.number("scale", kMeshScale, 1.0);
  settings.mesh = read_surface_mesh(*map.find("mesh"), scale, scenario.context());
  settings.mu = map.number("mu", kMu, 0.0);
  const double density = map.number("density", kBodyDensity, 0.0);
  has_one_of(map, "density", "mu");
  settings.position = map.vector3("position", quantity::kLength, Vector3::Zero());
  settings.attitude = read_orientation(map).value_or(Matrix3::Identity());
  settings.angular_velocity = map.vector3("angular_velocity", quantity::kRate, Vector3::Zero());
  map.finish();
  scenario.names.elements.insert(name);
  if (!scenario.model || errors.found()) return;
  if (density > 0.0) {
    settings.mu = kGravitationalConstant * density * std::abs(enclosed_volume(settings.mesh));
  }
  const Polyhedron body(settings.mesh);
  const auto is_inside = [&](const Body& part, const Vector3& r) {
    const Vector3 place = settings.attitude.transpose() * (r - settings.position);
    return part.mass != 0.0 && body.field(place).solid_angle >= 6.0;
  };
  if (const Body* part = find_at_start(scenario, is_inside)) {
    map.error_at("mesh",
                 "expected a start outside of the surface, got '" + part->name + "' inside of it");
    return;
  }
  scenario.add_force(gravity_gradient ? std::make_shared<PolyhedronField>(name, std::move(settings))
                                      : std::make_shared<PolyhedronField>(name, std::move(settings),
                                                                          *scenario.model));
}

std::optional<bool> read_tide(MapReader& map) {
  const auto choice = find_choice(map, "tide", kTides);
  if (!choice) return std::nullopt;
  return *choice == 1;
}

void read_orbit(ScenarioContext& scenario, const Value& value, MapReader& environment) {
  MapReader map(value, scenario.context());
  OrbitSettings orbit;
  orbit.mu = map.number("mu", kMu, kEarthMu);
  orbit.radius = read_radius(map);
  const bool is_orbit = orbit.radius > 0.0 && orbit.mu > 0.0;
  scenario.space.orbit_rate = is_orbit ? std::sqrt(orbit.mu / orbit.radius) / orbit.radius : -1.0;
  find_choice(map, "frame", kOrbitFrames);
  const auto own = read_tide(map), outer = read_tide(environment);
  if (own && outer) environment.refuse("tide", "the orbit says it already");
  orbit.exact_tide = own.value_or(outer.value_or(false));
  orbit.gravity_gradient = environment.boolean("gravity_gradient", false);
  const auto oblateness = read_orbit_oblateness(map, orbit.radius);
  // of another planet nothing is known unless the file says it
  if (!scenario.problems().has_errors() && (map.has("planet_radius") || !map.has("mu"))) {
    const double planet = map.number("planet_radius", kPlanetLength, kEarthRadius);
    scenario.space.planets.push_back(
        {Vector3(-orbit.radius, 0.0, 0.0), planet, Vector3(0.0, 0.0, scenario.space.orbit_rate)});
  }
  map.finish();
  scenario.names.elements.insert("orbit");
  if (oblateness) scenario.names.elements.insert("oblateness");
  if (!scenario.model || scenario.problems().has_errors()) return;
  scenario.add_force(std::make_shared<HillField>("orbit", *scenario.model, orbit));
  if (!oblateness) return;
  scenario.add_force(std::make_shared<HillOblateness>("oblateness", orbit, *oblateness));
}

/// No mass may start inside of a planet.
void check_outside(ScenarioContext& scenario, MapReader& map, const Vector3& position,
                   double radius) {
  if (!scenario.model || !map.is_mapping()) return;
  double distance = 0.0;
  const Body* body = find_at_start(scenario, [&](const Body& part, const Vector3& r) {
    distance = (r - position).norm();
    return part.mass != 0.0 && distance <= radius;
  });
  if (body == nullptr) return;
  map.error_at(radius > 0.0 ? "planet_radius" : "position",
               fmt::format("expected a start outside of the planet, got '{}' at {:g} m from its "
                           "centre",
                           body->name, distance));
}

void read_central_bodies(ScenarioContext& scenario, const Value& value, bool gravity_gradient) {
  if (value.node->is_mapping()) scenario.names.elements.insert("central_bodies");
  std::vector<CentralBody> bodies;
  std::size_t meshes = 0;
  const auto read = [&](const std::string& name, const Value& item) {
    MapReader map(item, scenario.context());
    if (map.has("mesh")) {
      read_polyhedron(scenario, map, name, gravity_gradient);
      ++meshes;
      return;
    }
    CentralBody body;
    body.name = name;
    body.mu = map.required_number("mu", kMu);
    body.position = map.vector3("position", quantity::kLength, Vector3::Zero());
    const double radius = map.number("planet_radius", kPlanetLength, 0.0);
    check_outside(scenario, map, body.position, radius);
    read_oblateness(map, radius, body);
    map.finish();
    if (radius > 0.0) scenario.space.planets.push_back({body.position, radius, Vector3::Zero()});
    bodies.push_back(std::move(body));
  };
  for_each_entry(value, "central bodies", scenario.problems(), read);
  if (value.node->is_mapping() && bodies.empty() && meshes == 0) {
    scenario.problems().error(value, "expected at least one central body {mu, position}, got none");
  }
  if (!scenario.model || scenario.problems().has_errors() || bodies.empty()) return;
  constexpr const char* kName = "central_bodies";
  scenario.add_force(gravity_gradient ? std::make_shared<CentralBodies>(kName, std::move(bodies))
                                      : std::make_shared<CentralBodies>(kName, std::move(bodies),
                                                                        *scenario.model));
}

}  // namespace

extern const SchemaDefinition kPolyhedronDefinition{"polyhedron", polyhedron_schema};
extern const SchemaDefinition kTideDefinition{"tide", tide_schema};
extern const SchemaDefinition kOrbitDefinition{"orbit", orbit_schema};
extern const SchemaDefinition kCentralBodyDefinition{"central_body", central_body_schema};

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

}  // namespace spacedyn::loading
