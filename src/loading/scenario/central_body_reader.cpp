#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "loading/keys/geometry.hpp"
#include "loading/keys/session.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/scenario/planet_keys.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/forces/central_bodies.hpp"
#include "spacedyn/forces/polyhedron.hpp"
#include "terrain/mesh_text.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kBodyDensity{Dimension::none, Range::positive, false, "kg/m³"};
constexpr Quantity kMeshScale{Dimension::none, Range::positive};

/// All keys of all central bodies.
struct BodyKeys {
  CentralBody point;
  std::string mesh;
  double scale = 1.0, mu = 0.0, density = 0.0;
  SeriesKeys series;
  BodyAxes axes;
};

Mapping<CentralBody> point_mass_keys() {
  using namespace kind;
  Mapping<CentralBody> keys("A point mass or an oblate planet");
  keys.require("mu", &CentralBody::mu, kMu, "m³/s²");
  keys.allow("position", &CentralBody::position, vector(kLength, "m, default the origin"));
  keys.allow("planet_radius", &CentralBody::equatorial_radius, kPlanetLength, "At the equator, m");
  keys.allow("j2", &CentralBody::j2, kNumber, "Oblateness, about axis");
  keys.allow("axis", &CentralBody::axis, vector(kNumber, "Default z"));
  keys.with("j2", "without j2 a central body has no axis");
  keys.check_keys({{"dependentRequired", {{"j2", {"planet_radius"}}}}}, [](MapReader& map) {
    if (!map.has("j2") || map.has("planet_radius")) return;
    map.error_at("j2", "expected the equatorial radius that j2 is about, planet_radius, got none");
  });
  keys.check([](CentralBody& body, Reading& reading) {
    check_direction(reading.map, "axis", body.axis);
    body.axis.normalize();
  });
  return keys;
}

Mapping<BodyKeys> polyhedron_keys() {
  using namespace kind;
  Mapping<BodyKeys> keys("A homogeneous body with the surface of a Wavefront OBJ file");
  keys.require("mesh", &BodyKeys::mesh, path("The file: a closed surface", "a text"));
  keys.allow("scale", &BodyKeys::scale, kMeshScale, "m per unit of the file, default 1");
  keys.allow("mu", &BodyKeys::mu, kMu, "m³/s²");
  keys.allow("density", &BodyKeys::density, kBodyDensity, "kg/m³");
  keys.merge(&BodyKeys::axes, body_axes_keys(Presence::optional));
  keys.check_keys(one_key_rule({"mu", "density"}), [](MapReader& map) {
    has_one_of(map, {"density", "mu"});
  });
  return keys;
}

Mapping<BodyKeys> harmonics_keys() {
  Mapping<BodyKeys> keys("A planet with the spherical harmonics of an ICGEM file");
  keys.merge(&BodyKeys::series,
             series_keys(Presence::required, "The file, with its mu and radius"));
  keys.merge(&BodyKeys::axes, body_axes_keys(Presence::required));
  keys.check([](BodyKeys& body, Reading& reading) {
    read_series(reading, body.series,
                [](const std::string& text, const std::string& name, const SeriesKeys&) {
                  return parse_gfc(text, name);
                });
  });
  return keys;
}

Mapping<BodyKeys> point_keys() {
  Mapping<BodyKeys> keys(once<point_mass_keys>().title());
  return keys.merge(&BodyKeys::point, once<point_mass_keys>());
}

Json central_body_schema() {
  return one_of_schema(
      {schema_of<point_keys>(), reference_schema("polyhedron"), reference_schema("harmonics")},
      "A point mass, an oblate planet, a polyhedron or spherical harmonics, at a "
      "place that does not move");
}

/// What `bodies` has besides point masses is one element each.
struct CentralReader {
  ScenarioContext& scenario;
  bool gravity_gradient;
  std::vector<CentralBody> points = {};
  std::size_t count = 0;  ///< of all, wrong ones included

  /// No mass may start inside of a planet.
  void check_outside(MapReader& map, const char* key, const Vector3& position, double radius) {
    if (!scenario.model || !map.is_mapping()) return;
    double distance = 0.0;
    const Body* body = find_at_start(scenario, [&](const Body& part, const Vector3& r) {
      distance = (r - position).norm();
      return part.mass != 0.0 && distance <= radius;
    });
    if (body == nullptr) return;
    map.error_at(key, fmt::format("expected a start outside of the planet, got '{}' at {:g} m from "
                                  "its centre",
                                  body->name, distance));
  }

  void add_point(MapReader& map, const std::string& name, BodyKeys& keys) {
    CentralBody& body = keys.point;
    body.name = name;
    const double radius = body.equatorial_radius;
    check_outside(map, radius > 0.0 ? "planet_radius" : "position", body.position, radius);
    if (radius > 0.0) scenario.space.planets.push_back({body.position, radius});
    scenario.space.centers.push_back({body.mu, body.position});
    points.push_back(std::move(body));
  }

  void add_series(MapReader& map, const std::string& name, BodyKeys& keys) {
    const HarmonicCoefficients& planet = keys.series.coefficients;
    check_outside(map, "harmonics", keys.axes.position, planet.radius);
    scenario.space.planets.push_back({keys.axes.position, planet.radius});
    scenario.space.centers.push_back({planet.mu, keys.axes.position});
    if (!scenario.model || map.problems().has_errors()) return;
    add_body_field(scenario, name, std::make_shared<SphericalHarmonics>(planet), keys.axes,
                   gravity_gradient);
  }

  void add_polyhedron(MapReader& map, const std::string& name, BodyKeys& keys) {
    const Value file = *map.find("mesh");
    TriangleMesh mesh;
    const ErrorMark errors(map.problems());
    guard(file, map.problems(), [&] {
      mesh = parse_obj(map.context().session.open_source(path_beside(file, keys.mesh)).text());
      for (Vector3& point : mesh.points) point *= keys.scale;
      check_closed(mesh);
    });
    if (!scenario.model || errors.found()) return;
    const double mu = keys.density > 0.0
                          ? kGravitationalConstant * keys.density * std::abs(enclosed_volume(mesh))
                          : keys.mu;
    scenario.space.centers.push_back({mu, keys.axes.position});
    const Polyhedron body(mesh);
    const auto is_inside = [&](const Body& part, const Vector3& r) {
      const Vector3 place = keys.axes.attitude.transpose() * (r - keys.axes.position);
      return part.mass != 0.0 && body.field(place).solid_angle >= 6.0;
    };
    if (const Body* part = find_at_start(scenario, is_inside)) {
      map.error_at(
          "mesh", "expected a start outside of the surface, got '" + part->name + "' inside of it");
      return;
    }
    add_body_field(scenario, name, std::make_shared<PolyhedronGravity>(mesh, mu), keys.axes,
                   gravity_gradient);
  }
};

/// One of several types, each known by a key that the others do not have; a point mass by none.
struct BodyType {
  const char* key;
  const Mapping<BodyKeys>& (*keys)();
  void (CentralReader::*add)(MapReader& map, const std::string& name, BodyKeys& keys);
};

const std::array<BodyType, 3> kBodyTypes = {{
    {"mesh", &once<polyhedron_keys>, &CentralReader::add_polyhedron},
    {"harmonics", &once<harmonics_keys>, &CentralReader::add_series},
    {"", &once<point_keys>, &CentralReader::add_point},
}};

}  // namespace

extern const SchemaDefinition kPolyhedronDefinition{"polyhedron", schema_of<polyhedron_keys>};
extern const SchemaDefinition kHarmonicsDefinition{"harmonics", schema_of<harmonics_keys>};
extern const SchemaDefinition kCentralBodyDefinition{"central_body", central_body_schema};

void read_central_bodies(ScenarioContext& scenario, const Value& value, bool gravity_gradient) {
  CentralReader reader{scenario, gravity_gradient};
  if (value.node->is_mapping()) scenario.names.elements.insert("central_bodies");
  const auto read = [&](const std::string& name, const Value& item) {
    MapReader map(item, scenario.context());
    const auto is_it = [&](const BodyType& type) { return *type.key == '\0' || map.has(type.key); };
    const BodyType& type = *std::find_if(kBodyTypes.begin(), kBodyTypes.end(), is_it);
    if (*type.key != '\0') scenario.names.elements.insert(name);
    ++reader.count;
    BodyKeys keys;
    Reading reading{map, &scenario};
    const bool is_right = type.keys().read(reading, keys);
    if (is_right) (reader.*type.add)(map, name, keys);
    map.finish();
  };
  for_each_entry(value, "central bodies", scenario.problems(), read);
  if (value.node->is_mapping() && reader.count == 0) {
    scenario.problems().error(value, "expected at least one central body {mu, position}, got none");
  }
  if (!scenario.model || scenario.problems().has_errors() || reader.points.empty()) return;
  constexpr const char* kName = "central_bodies";
  std::vector<CentralBody>& points = reader.points;
  scenario.add_force(gravity_gradient ? std::make_shared<CentralBodies>(kName, std::move(points))
                                      : std::make_shared<CentralBodies>(kName, std::move(points),
                                                                        *scenario.model));
}

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
