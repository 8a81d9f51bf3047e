#include <cmath>

#include "loading/keys/fields.hpp"
#include "loading/keys/geometry.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/polyhedron_field.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "terrain/obj_file.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kFieldMu{Dimension::none, Range::positive, false, "m³/s²"};
constexpr Quantity kBodyDensity{Dimension::none, Range::positive, false, "kg/m³"};
constexpr Quantity kMeshScale{Dimension::none, Range::positive};
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

std::string polyhedron_schema() {
  MappingSchema schema("A homogeneous body with the surface of a Wavefront OBJ file");
  schema.require("mesh", text_schema("The file: a closed surface"))
      .allow("scale", number_schema({kMeshScale}, "m per unit of the file, default 1"))
      .allow("mu", number_schema({kFieldMu}, "m³/s²"))
      .allow("density", number_schema({kBodyDensity}, "kg/m³"))
      .add_rule(one_key_rule({"mu", "density"}))
      .allow("position", vector_schema(quantity::kLength, "Of the origin of its axes, m"));
  describe_orientation(schema);
  schema.allow("angular_velocity", vector_schema(quantity::kRate, "Inertial, constant, rad/s"));
  return schema.text();
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

/// A closed surface of a file.
TriangleMesh read_surface_mesh(const Value& file, double scale, Session& session,
                               ProblemList& problems) {
  TriangleMesh mesh;
  const auto name = read_text(file, problems);
  if (!name) return mesh;
  guard(file, problems, [&] {
    mesh = parse_obj(session.open_source(path_beside(file, *name)).text());
    for (Vector3& point : mesh.points) point *= scale;
    check_closed(mesh);
  });
  return mesh;
}

}  // namespace

extern const SchemaDefinition kPolyhedronDefinition{"polyhedron", polyhedron_schema};
extern const SchemaDefinition kEnvironmentDefinition{"environment", environment_schema};

void ScenarioReader::read_polyhedron(MapReader& map, const std::string& name,
                                     bool gravity_gradient) {
  const std::size_t errors_before = problems().error_count();
  PolyhedronField::Settings settings;
  const double scale = map.number("scale", kMeshScale, 1.0);
  settings.mesh = read_surface_mesh(*map.find("mesh"), scale, session_, problems());
  settings.mu = map.number("mu", kFieldMu, 0.0);
  const double density = map.number("density", kBodyDensity, 0.0);
  if (map.has("mu") == map.has("density")) {
    problems().error(map.mark(), map.path(),
                     std::string("expected one of the keys density and mu, got ") +
                         (map.has("mu") ? "both" : "neither"));
  }
  settings.position = map.vector3("position", quantity::kLength, Vector3::Zero());
  settings.attitude = read_orientation(map).value_or(Matrix3::Identity());
  settings.angular_velocity = map.vector3("angular_velocity", quantity::kRate, Vector3::Zero());
  map.finish();
  element_names_.insert(name);
  if (!model_ || problems().error_count() > errors_before) return;
  if (density > 0.0) {
    settings.mu = kGravitationalConstant * density * std::abs(enclosed_volume(settings.mesh));
  }
  const Polyhedron body(settings.mesh);
  LinkFrames frames(*model_);
  compute_link_frames(*model_, scenario_.initial, frames);
  for (int i = 0; i < model_->body_count(); ++i) {
    if (model_->body(i).mass == 0.0) continue;
    const Vector3& r = frames.r[static_cast<std::size_t>(i)];
    if (body.field(settings.attitude.transpose() * (r - settings.position)).solid_angle < 6.0) {
      continue;
    }
    map.error_at("mesh", "expected a start outside of the surface, got '" + model_->body(i).name +
                             "' inside of it");
    return;
  }
  scenario_.setup.forces.push_back(
      gravity_gradient ? std::make_shared<PolyhedronField>(name, std::move(settings))
                       : std::make_shared<PolyhedronField>(name, std::move(settings), *model_));
}

/// Reads plates and what acts on them.
class SurfaceReader {
 public:
  explicit SurfaceReader(ScenarioReader& reader) : reader_(reader) {}

  std::vector<Plate> read_plates(MapReader& environment);
  void read_atmosphere(const Value& value, const std::vector<Plate>& plates);
  void read_sun(const Value& value, const std::vector<Plate>& plates);

 private:
  ScenarioReader& reader_;
};

std::vector<Plate> SurfaceReader::read_plates(MapReader& environment) {
  std::vector<Plate> plates;
  const auto list = environment.find("plates");
  if (!list) return plates;
  for_each_item(*list, reader_.problems(), [&](const Value& item) {
    const std::size_t errors_before = reader_.problems().error_count();
    MapReader map(item, reader_.context());
    Plate plate;
    plate.name = map.text("name");
    if (plate.name.empty()) plate.name = "plate_" + std::to_string(plates.size());
    const auto at = reader_.read_point(map);
    const Vector3 normal = map.required_vector3("normal");
    if (normal.isZero(0.0)) map.error_at("normal", "expected a vector other than zero");
    plate.two_sided = map.boolean("two_sided", false);
    read_fields(map, plate_fields(), plate);
    const bool is_right = reader_.problems().error_count() == errors_before;
    if (is_right && plate.specular + plate.diffuse > 1.0) {
      map.error_at(map.has("specular") ? "specular" : "diffuse",
                   "expected parts of the light that are together at most 1, got " +
                       format_number(plate.specular + plate.diffuse));
    }
    map.finish();
    if (!at || reader_.problems().error_count() > errors_before) return;
    plate.at = *at;
    plate.normal = normal.normalized();
    plates.push_back(std::move(plate));
  });
  return plates;
}

void SurfaceReader::read_atmosphere(const Value& value, const std::vector<Plate>& plates) {
  MapReader map(value, reader_.context());
  DragForce::Settings settings;
  settings.plates = plates;
  read_fields(map, atmosphere_fields(), settings);
  settings.rotation = map.vector3("rotation", quantity::kRate, Vector3::Zero());
  map.finish();
  if (reader_.planets_.size() != 1) {
    reader_.problems().error(
        value.node->mark, value.path,
        "expected one planet whose radius is known, of an orbit or a central body "
        "with planet_radius, got " +
            std::to_string(reader_.planets_.size()));
  }
  reader_.element_names_.insert("drag");
  if (!reader_.model_ || reader_.problems().has_errors()) return;
  settings.planet = reader_.planets_.front();
  reader_.scenario_.setup.forces.push_back(
      std::make_shared<DragForce>("drag", *reader_.model_, std::move(settings)));
}

void SurfaceReader::read_sun(const Value& value, const std::vector<Plate>& plates) {
  MapReader map(value, reader_.context());
  SolarPressure::Settings settings;
  settings.plates = plates;
  const Vector3 direction = map.required_vector3("direction");
  if (direction.isZero(0.0)) map.error_at("direction", "expected a vector other than zero");
  read_fields(map, sun_fields(), settings);
  map.finish();
  reader_.element_names_.insert("solar_pressure");
  if (!reader_.model_ || reader_.problems().has_errors()) return;
  settings.direction = direction.normalized();
  // without a planet of known radius there is no shadow; the turning of the frame counts all the
  // same
  if (reader_.planets_.size() == 1) settings.planet = reader_.planets_.front();
  reader_.scenario_.setup.forces.push_back(
      std::make_shared<SolarPressure>("solar_pressure", *reader_.model_, std::move(settings)));
}

void ScenarioReader::read_surfaces(MapReader& environment) {
  SurfaceReader reader(*this);
  const std::vector<Plate> plates = reader.read_plates(environment);
  const auto atmosphere = environment.find("atmosphere"), sun = environment.find("sun");
  if (environment.has("plates") && !atmosphere && !sun) {
    environment.error_at("plates", "expected an atmosphere or a sun that acts on plates, got none");
  }
  for (const char* key : {"atmosphere", "sun"}) {
    if (!environment.has(key) || environment.has("plates")) continue;
    environment.error_at(key, "expected plates on which it acts, got none");
  }
  if (atmosphere) reader.read_atmosphere(*atmosphere, plates);
  if (sun) reader.read_sun(*sun, plates);
}

}  // namespace spacedyn::loading
