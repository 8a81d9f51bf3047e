#include <fmt/format.h>

#include <cmath>

#include "loading/keys/fields.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/forces/central_bodies.hpp"
#include "spacedyn/forces/hill_field.hpp"
#include "spacedyn/forces/hill_oblateness.hpp"
#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kMu{Dimension::none, Range::positive, false, "m³/s²"};
constexpr Quantity kPlanetLength{Dimension::length, Range::positive};
const std::vector<std::string> kOrbitFrames = {"lvlh"};
const std::vector<std::string> kTides = {"linear", "exact"};

/// Radius of an orbit given by itself or by an altitude; 0 where it is wrong.
double read_radius(MapReader& map) {
  const bool has_altitude = map.has("altitude"), has_radius = map.has("radius");
  const double planet = map.number("planet_radius", kPlanetLength, kEarthRadius);
  const double altitude = map.number("altitude", quantity::kLength, 0.0);
  const double radius = map.number("radius", kPlanetLength, 0.0);
  if (!map.is_mapping()) return 0.0;
  if (has_altitude == has_radius) {
    map.problems().error(map.mark(), map.path(),
                         std::string("expected one of the keys altitude and radius, got ") +
                             (has_altitude ? "both" : "neither"));
    return 0.0;
  }
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
  if (axis.isZero(0.0)) {
    map.error_at("axis", "expected a vector other than zero");
  } else {
    body.axis = axis.normalized();
  }
  if (!map.has("planet_radius")) {
    map.error_at("j2", "expected the equatorial radius that j2 is about, planet_radius, got none");
  }
  body.equatorial_radius = radius;
}

}  // namespace

extern const SchemaDefinition kTideDefinition{"tide", tide_schema};
extern const SchemaDefinition kOrbitDefinition{"orbit", orbit_schema};
extern const SchemaDefinition kCentralBodyDefinition{"central_body", central_body_schema};

std::optional<bool> ScenarioReader::read_tide(MapReader& map) {
  const auto value = map.find("tide");
  const auto choice = value ? read_choice(*value, kTides, problems()) : std::nullopt;
  if (!choice) return std::nullopt;
  return *choice == 1;
}

void ScenarioReader::read_orbit(const Value& value, MapReader& environment) {
  MapReader map(value, context());
  OrbitSettings orbit;
  orbit.mu = map.number("mu", kMu, kEarthMu);
  orbit.radius = read_radius(map);
  const bool is_orbit = orbit.radius > 0.0 && orbit.mu > 0.0;
  orbit_rate_ = is_orbit ? std::sqrt(orbit.mu / orbit.radius) / orbit.radius : -1.0;
  if (const auto frame = map.find("frame")) read_choice(*frame, kOrbitFrames, problems());
  const auto own = read_tide(map), outer = read_tide(environment);
  if (own && outer) environment.refuse("tide", "the orbit says it already");
  orbit.exact_tide = own.value_or(outer.value_or(false));
  orbit.gravity_gradient = environment.boolean("gravity_gradient", false);
  const auto oblateness = read_orbit_oblateness(map, orbit.radius);
  // of another planet nothing is known unless the file says it
  if (!problems().has_errors() && (map.has("planet_radius") || !map.has("mu"))) {
    const double planet = map.number("planet_radius", kPlanetLength, kEarthRadius);
    planets_.push_back({Vector3(-orbit.radius, 0.0, 0.0), planet, Vector3(0.0, 0.0, orbit_rate_)});
  }
  map.finish();
  element_names_.insert("orbit");
  if (oblateness) element_names_.insert("oblateness");
  if (!model_ || problems().has_errors()) return;
  scenario_.setup.forces.push_back(std::make_shared<HillField>("orbit", *model_, orbit));
  if (!oblateness) return;
  scenario_.setup.forces.push_back(
      std::make_shared<HillOblateness>("oblateness", orbit, *oblateness));
}

void ScenarioReader::read_central_bodies(const Value& value, bool gravity_gradient) {
  if (!value.node->is_mapping()) {
    problems().error(value.node->mark, value.path,
                     "expected a mapping of central bodies by name, got " + describe(*value.node));
    return;
  }
  std::vector<CentralBody> bodies;
  std::size_t meshes = 0;
  for (const Entry& entry : value.node->entries) {
    if (entry.key == "description" || entry.key == "source") continue;
    MapReader map({entry.value.get(), join_path(value.path, entry.key)}, context());
    if (map.has("mesh")) {
      read_polyhedron(map, entry.key, gravity_gradient);
      ++meshes;
      continue;
    }
    CentralBody body;
    body.name = entry.key;
    body.mu = map.required_number("mu", kMu);
    body.position = map.vector3("position", quantity::kLength, Vector3::Zero());
    const double radius = map.number("planet_radius", kPlanetLength, 0.0);
    check_outside(map, body.position, radius);
    read_oblateness(map, radius, body);
    map.finish();
    if (radius > 0.0) planets_.push_back({body.position, radius, Vector3::Zero()});
    bodies.push_back(std::move(body));
  }
  element_names_.insert("central_bodies");
  if (bodies.empty() && meshes == 0) {
    problems().error(value.node->mark, value.path,
                     "expected at least one central body {mu, position}, got none");
  }
  if (!model_ || problems().has_errors() || bodies.empty()) return;
  constexpr const char* kName = "central_bodies";
  scenario_.setup.forces.push_back(
      gravity_gradient ? std::make_shared<CentralBodies>(kName, std::move(bodies))
                       : std::make_shared<CentralBodies>(kName, std::move(bodies), *model_));
}

void ScenarioReader::check_outside(MapReader& map, const Vector3& position, double radius) {
  if (!model_ || !map.is_mapping()) return;
  LinkFrames frames(*model_);
  compute_link_frames(*model_, scenario_.initial, frames);
  for (int i = 0; i < model_->body_count(); ++i) {
    const Body& body = model_->body(i);
    if (body.mass == 0.0) continue;
    const double distance = (frames.r[static_cast<std::size_t>(i)] - position).norm();
    if (distance > radius) continue;
    map.error_at(radius > 0.0 ? "planet_radius" : "position",
                 fmt::format("expected a start outside of the planet, got '{}' at {:g} m from its "
                             "centre",
                             body.name, distance));
    return;
  }
}

void ScenarioReader::read_gravity_fields(MapReader& map) {
  const auto orbit = map.find("orbit"), bodies = map.find("bodies");
  if (orbit && bodies) {
    map.refuse("bodies",
               "with an orbit its local frame takes the place of the inertial one, in which a "
               "central body is the planet");
    return;
  }
  if (orbit) return read_orbit(*orbit, map);
  map.refuse("tide", "only an orbit has a tide");
  if (!bodies) {
    map.refuse("gravity_gradient", "it needs an orbit or central bodies");
    return;
  }
  read_central_bodies(*bodies, map.boolean("gravity_gradient", true));
}

}  // namespace spacedyn::loading
