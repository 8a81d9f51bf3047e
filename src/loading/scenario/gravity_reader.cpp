#include <cmath>

#include <fmt/format.h>

#include "loading/keys/geometry.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/forces/central_bodies.hpp"
#include "spacedyn/forces/hill_field.hpp"
#include "spacedyn/forces/hill_oblateness.hpp"
#include "spacedyn/forces/polyhedron_field.hpp"
#include "terrain/mesh_text.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kMu{Dimension::none, Range::positive, false, "m³/s²"};
constexpr Quantity kBodyDensity{Dimension::none, Range::positive, false, "kg/m³"};
constexpr Quantity kMeshScale{Dimension::none, Range::positive};
constexpr Quantity kPlanetLength{Dimension::length, Range::positive};

enum class Tide { linear, exact };

/// `linear` or `exact`.
Kind<std::optional<Tide>> tide() {
  return kind::optional(
      kind::choice<Tide>({"linear", "exact"}, "Default linear: Clohessy and Wiltshire"));
}

Json polyhedron_schema() {
  MappingSchema schema("A homogeneous body with the surface of a Wavefront OBJ file");
  schema.require("mesh", text_schema("The file: a closed surface"))
      .allow("scale", number_schema({kMeshScale}, "m per unit of the file, default 1"))
      .allow("mu", number_schema({kMu}, "m³/s²"))
      .allow("density", number_schema({kBodyDensity}, "kg/m³"))
      .add_rule(one_key_rule({"mu", "density"}))
      .allow("position", vector_schema(quantity::kLength, "Of the origin of its axes, m"));
  describe_orientation(schema);
  schema.allow("angular_velocity", vector_schema(quantity::kRate, "Inertial, constant, rad/s"));
  return schema;
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

/// An orbit as a file gives it.
struct OrbitKeys {
  double altitude = 0.0, radius = 0.0, planet_radius = kEarthRadius, mu = kEarthMu;
  int frame = 0;
  std::optional<Tide> tide;
  HillOblateness::Settings oblateness;
};

/// Of another planet nothing is known unless the file says it.
bool knows_planet(const MapReader& map) { return map.has("planet_radius") || !map.has("mu"); }

/// Replaces an altitude by the radius.
void finish_orbit(OrbitKeys& orbit, Reading& reading) {
  MapReader& map = reading.map;
  const double planet = orbit.planet_radius;
  if (map.has("altitude")) orbit.radius = planet + orbit.altitude;
  if (map.has("altitude") && !(orbit.altitude > 0.0)) {
    map.error_at("altitude", "expected an altitude above the planet's surface, got " +
                                 format_number(orbit.altitude) + " m: inside the planet");
  } else if (knows_planet(map) && orbit.radius <= planet) {
    map.error_at("radius", "expected a radius beyond that of the planet, " + format_number(planet) +
                               " m, got " + format_number(orbit.radius) + " m: inside the planet");
  }
  orbit.oblateness.equatorial_radius = planet;
  if (map.has("j2") && !knows_planet(map)) {
    map.error_at("j2", "expected the equatorial radius that j2 is about, planet_radius, got none");
  }
}

Mapping<OrbitKeys> orbit_keys() {
  using namespace kind;
  using Oblateness = HillOblateness::Settings;
  const char* sphere = "without j2 the planet is a sphere";
  Mapping<Oblateness> planet;
  planet.allow("j2", &Oblateness::j2, kNumber, "Oblateness, the earth's is 1.0826e-3");
  planet
      .require("inclination", &Oblateness::inclination, kAngle,
               "With j2: against the planet's equator, rad")
      .with("j2", sphere);
  planet
      .allow("argument", &Oblateness::argument, kAngle,
             "With j2: at t = 0 from the ascending node, rad; default 0")
      .with("j2", sphere);
  Mapping<OrbitKeys> keys("A circular orbit whose local frame takes the place of the inertial one");
  Kind<double> altitude = number(kPlanetLength, "Over planet_radius, m");
  altitude.read = number(kLength).read;  // finish_orbit() says what is wrong with it
  keys.allow("altitude", &OrbitKeys::altitude, altitude);
  keys.allow("radius", &OrbitKeys::radius, kPlanetLength, "From the centre, m");
  keys.allow("planet_radius", &OrbitKeys::planet_radius, kPlanetLength,
             "m, default that of the earth");
  keys.allow("mu", &OrbitKeys::mu, kMu, "m³/s², default that of the earth");
  keys.allow("frame", &OrbitKeys::frame,
             choice<int>({"lvlh"}, "x outward, y along the track, z along the normal"));
  keys.allow("tide", &OrbitKeys::tide, defined(tide(), "tide"));
  keys.merge(&OrbitKeys::oblateness, planet);
  keys.check_keys(one_key_rule({"altitude", "radius"}),
                  [](MapReader& map) { has_one_of(map, "altitude", "radius"); });
  keys.check(finish_orbit);
  return keys;
}

Json point_mass_schema() {
  return MappingSchema("A point mass or an oblate planet")
      .require("mu", number_schema({kMu}, "m³/s²"))
      .allow("position", vector_schema(quantity::kLength, "m, default the origin"))
      .allow("planet_radius", number_schema({kPlanetLength}, "At the equator, m"))
      .allow("j2", number_schema({quantity::kNumber}, "Oblateness, about axis"))
      .allow("axis", vector_schema(quantity::kNumber, "Default z"))
      .add_rule({{"dependentRequired", {{"j2", {"planet_radius"}}, {"axis", {"j2"}}}}});
}

Json central_body_schema() {
  return one_of_schema({point_mass_schema(), reference_schema("polyhedron")},
                       "A point mass, an oblate planet or a polyhedron that stays where it is");
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

void read_orbit(ScenarioContext& scenario, const Value& value, MapReader& environment) {
  MapReader map(value, scenario.context());
  OrbitKeys given;
  const bool is_right = once<orbit_keys>().read(map, given);
  OrbitSettings orbit;
  orbit.mu = given.mu;
  orbit.radius = given.radius;
  scenario.space.orbit_rate = is_right ? std::sqrt(orbit.mu / orbit.radius) / orbit.radius : -1.0;
  Reading outer{environment};
  std::optional<Tide> outer_tide;
  if (const auto place = environment.find("tide")) tide().read(*place, outer, &outer_tide);
  if (given.tide && outer_tide) environment.refuse("tide", "the orbit says it already");
  orbit.exact_tide = given.tide.value_or(outer_tide.value_or(Tide::linear)) == Tide::exact;
  orbit.gravity_gradient = environment.boolean("gravity_gradient", false);
  if (!scenario.problems().has_errors() && knows_planet(map)) {
    scenario.space.planets.push_back({Vector3(-orbit.radius, 0.0, 0.0), given.planet_radius,
                                      Vector3(0.0, 0.0, scenario.space.orbit_rate)});
  }
  map.finish();
  const bool is_oblate = map.has("j2");
  scenario.names.elements.insert("orbit");
  if (is_oblate) scenario.names.elements.insert("oblateness");
  if (!scenario.model || scenario.problems().has_errors()) return;
  scenario.add_force(std::make_shared<HillField>("orbit", *scenario.model, orbit));
  if (!is_oblate) return;
  scenario.add_force(std::make_shared<HillOblateness>("oblateness", orbit, given.oblateness));
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
extern const SchemaDefinition kTideDefinition{"tide", schema_of<tide>};
extern const SchemaDefinition kOrbitDefinition{"orbit", schema_of<orbit_keys>};
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
