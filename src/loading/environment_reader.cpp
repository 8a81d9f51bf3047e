#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include "loading/geometry.hpp"
#include "loading/numbers.hpp"
#include "loading/scenario_reader.hpp"
#include "loading/time_series.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/polyhedron_field.hpp"
#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kFieldMu{Dimension::none, Range::positive, false, "m³/s²"};
constexpr Quantity kBodyDensity{Dimension::none, Range::positive, false, "kg/m³"};
constexpr Quantity kAirDensity{Dimension::none, Range::not_negative, false, "kg/m³"};
constexpr Quantity kLightPressure{Dimension::none, Range::not_negative, false, "Pa"};
constexpr Quantity kArea{Dimension::none, Range::positive, false, "m²"};
const Quantity kPart = quantity::kNumber.within(Range::not_negative);

/// Vertices and faces of a Wavefront OBJ text; faces with more corners become fans.
TriangleMesh parse_obj(const std::string& text, double scale) {
  TriangleMesh mesh;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line);
    std::string key;
    words >> key;
    const auto fail = [&](const std::string& what) {
      throw DomainError(fmt::format("line {}: {}", number, what));
    };
    if (key == "v") {
      Vector3 vertex;
      if (!(words >> vertex.x() >> vertex.y() >> vertex.z())) fail("expected three coordinates");
      mesh.points.push_back(scale * vertex);
    } else if (key == "f") {
      std::vector<int> corners;
      for (std::string corner; words >> corner;) {
        const auto index = parse_number(corner.substr(0, corner.find('/')));
        if (!index || *index < 1.0 || *index > 1e9 || *index != std::floor(*index)) {
          fail("expected numbers of vertices from 1 on, got '" + corner + '\'');
        }
        corners.push_back(static_cast<int>(*index) - 1);
      }
      if (corners.size() < 3) fail("expected at least three corners of a face");
      for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
        mesh.triangles.push_back({corners[0], corners[k], corners[k + 1]});
      }
    }
  }
  return mesh;
}

/// A closed surface of a file.
TriangleMesh read_surface_mesh(const Value& file, double scale, Session& session,
                               ProblemList& problems) {
  TriangleMesh mesh;
  const auto name = read_text(file, problems);
  if (!name) return mesh;
  guard(file, problems, [&] {
    mesh = parse_obj(session.open_source(path_beside(file, *name)).text(), scale);
    check_closed(mesh);
  });
  return mesh;
}

}  // namespace

void ScenarioReader::read_polyhedron(MapReader& map, const std::string& name,
                                     bool gravity_gradient) {
  const std::size_t errors_before = problems().error_count();
  PolyhedronField::Settings settings;
  const double scale = map.number("scale", quantity::kNumber.within(Range::positive), 1.0);
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
  settings.gravity_gradient = gravity_gradient;
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
  scenario_.setup.forces.push_back(std::make_shared<PolyhedronField>(name, std::move(settings)));
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
    map.require("normal", "a list of 3 numbers");
    const Vector3 normal = map.vector3("normal", quantity::kNumber, Vector3::UnitZ());
    if (normal.isZero(0.0)) map.error_at("normal", "expected a vector other than zero");
    plate.area = map.required_number("area", kArea);
    plate.two_sided = map.boolean("two_sided", false);
    plate.drag_coefficient = map.number("drag_coefficient", kPart, plate.drag_coefficient);
    plate.specular = map.number("specular", kPart, 0.0);
    plate.diffuse = map.number("diffuse", kPart, 0.0);
    if (plate.specular + plate.diffuse > 1.0) {
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
  settings.density = map.required_number("density", kAirDensity);
  settings.reference_altitude = map.required_number("reference_altitude", quantity::kLength);
  settings.scale_height =
      map.required_number("scale_height", quantity::kLength.within(Range::positive));
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
  map.require("direction", "a list of 3 numbers");
  const Vector3 direction = map.vector3("direction", quantity::kNumber, Vector3::UnitX());
  if (direction.isZero(0.0)) map.error_at("direction", "expected a vector other than zero");
  settings.pressure = map.number("pressure", kLightPressure, settings.pressure);
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
