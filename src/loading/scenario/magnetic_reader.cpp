#include "loading/scenario/magnetic_reader.hpp"

#include <algorithm>
#include <cmath>

#include "control/mounting.hpp"
#include "loading/keys/fields.hpp"
#include "loading/keys/geometry.hpp"
#include "loading/scenario/gyro_reader.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/control/torquer_allocation.hpp"
#include "spacedyn/forces/hill_field.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

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

}  // namespace

extern const SchemaDefinition kMagneticFieldDefinition{"magnetic_field", magnetic_field_schema};

void MagneticReader::read_field(const Value& value) {
  const std::size_t errors_before = scenario_.problems().error_count();
  scenario_.has_magnetic_field_ = true;
  MapReader map(value, scenario_.context());
  MagneticField field;
  const bool is_uniform = map.has("uniform"), is_dipole = map.has("dipole");
  if (map.is_mapping() && is_uniform == is_dipole) {
    scenario_.problems().error(map.mark(), map.path(),
                               std::string("expected one of the keys dipole and uniform, got ") +
                                   (is_dipole ? "both" : "neither"));
  }
  if (is_uniform && has_orbit()) {
    map.refuse("uniform", "in the frame of an orbit the field is that of a dipole");
  } else if (is_uniform) {
    field.uniform = map.vector3("uniform", kFluxDensity, Vector3::Zero());
    const bool is_right = scenario_.problems().error_count() == errors_before;
    if (is_right && field.uniform.isZero(0.0)) {
      map.error_at("uniform", "expected a vector other than zero");
    }
  }
  field.dipole = map.number("dipole", kDipole, 0.0);
  for (const char* key : {"inclination", "argument", "north", "center"}) {
    if (is_uniform && !is_dipole) map.refuse(key, "a uniform field has none");
  }
  if (is_dipole && !is_uniform) read_dipole(map, field);
  map.finish();
  if (scenario_.problems().error_count() == errors_before) scenario_.magnetic_field_ = field;
}

void MagneticReader::check_center(MapReader& map, const Vector3& center) {
  if (!scenario_.model_ || !map.is_mapping()) return;
  LinkFrames frames(*scenario_.model_);
  compute_link_frames(*scenario_.model_, scenario_.scenario_.initial, frames);
  for (int i = 0; i < scenario_.model_->body_count(); ++i) {
    if ((frames.r[static_cast<std::size_t>(i)] - center).norm() > 0.0) continue;
    return map.error_at("center", "expected the center of a planet, got that of '" +
                                      scenario_.model_->body(i).name +
                                      "', where the field is infinite");
  }
}

void MagneticReader::read_dipole(MapReader& map, MagneticField& field) {
  if (!has_orbit()) {
    for (const char* key : {"inclination", "argument"}) {
      map.refuse(key, "it is of an orbit, and there is none");
    }
    const std::size_t errors_before = scenario_.problems().error_count();
    const Vector3 north = map.vector3("north", quantity::kNumber, Vector3::UnitZ());
    if (scenario_.problems().error_count() == errors_before && north.isZero(0.0)) {
      map.error_at("north", "expected a vector other than zero");
    } else {
      field.north = north.normalized();
    }
    field.center = map.vector3("center", quantity::kLength, Vector3::Zero());
    check_center(map, field.center);
    return;
  }
  for (const char* key : {"north", "center"}) {
    map.refuse(key, "the orbit is about the dipole, and its inclination says where north is");
  }
  const double i = map.required_number("inclination", quantity::kAngle);
  const double u = map.number("argument", quantity::kAngle, 0.0);
  const auto* orbit = dynamic_cast<const HillField*>(scenario_.find_force("orbit"));
  if (orbit == nullptr) return;
  field.center = Vector3(-orbit->settings().radius, 0.0, 0.0);
  field.frame_rate = orbit->frame_rate();
  field.north = {std::sin(i) * std::sin(u), std::sin(i) * std::cos(u), std::cos(i)};
}

bool MagneticReader::has_orbit() const {
  const auto environment = scenario_.map_.find("environment");
  return environment && environment->node->find("orbit") != nullptr;
}

bool MagneticReader::names_torquers(const MapReader& map) const {
  const auto list = MapReader(map).find("actuators");
  if (!list || !list->node->is_sequence() || list->node->items.empty()) return false;
  const Node& first = *list->node->items.front();
  return first.is_scalar() &&
         dynamic_cast<const MagneticTorquer*>(scenario_.find_force(first.text)) != nullptr;
}

std::vector<Torquer> MagneticReader::read_torquers(MapReader& map, const char* key) {
  std::vector<Torquer> torquers;
  const auto list = map.require(key, "a list of names of magnetic torquers of 'forces'");
  if (!list) return torquers;
  std::vector<std::string> known;
  for (const auto& force : scenario_.scenario_.setup.forces) {
    if (dynamic_cast<const MagneticTorquer*>(force.get()) != nullptr) {
      known.push_back(force->name());
    }
  }
  for_each_item(*list, scenario_.problems(), [&](const Value& item) {
    const auto name = read_text(item, scenario_.problems());
    if (!name || !scenario_.model_) return;
    const auto refuse = [&](const std::string& what, const std::string& hint = "") {
      scenario_.problems().error(item.node->mark, item.path, what, hint);
    };
    const auto* torquer = dynamic_cast<const MagneticTorquer*>(scenario_.find_force(*name));
    if (torquer == nullptr) {
      const std::string nearest = nearest_name(*name, known);
      return refuse("expected the name of a magnetic_torquer of 'forces', got " + quote(*name),
                    nearest.empty() ? "" : "did you mean '" + nearest + "'?");
    }
    if (torquer->has_schedule()) {
      return refuse("expected a torquer without a dipole of its own, got " + quote(*name));
    }
    for (const Torquer& other : torquers) {
      if (other.name == *name) {
        return refuse("expected each torquer once, got " + quote(*name) + " again");
      }
    }
    torquers.push_back(torquer->torquer());
  });
  if (list->node->is_sequence() && list->node->items.empty()) {
    map.error_at(key, "expected at least one torquer, got an empty list");
  }
  return torquers;
}

void check_torquers(MapReader& map, const char* key, const std::vector<Torquer>& torquers, int body,
                    const std::array<bool, 3>& wanted, const Model& model) {
  if (torquers.empty()) return;
  for (const Torquer& torquer : torquers) {
    if (torquer.at.body == body) continue;
    return map.error_at(key, "expected torquers on '" + model.body(body).name + "', got " +
                                 quote(torquer.name) + " on '" + model.body(torquer.at.body).name +
                                 "'");
  }
  const TorquerAllocation allocation("", torquers);
  for (const int axis : allocation.axes_without_torque(axes_of_owner(model, torquers.front().at))) {
    if (!wanted[static_cast<std::size_t>(axis)]) continue;
    map.error_at(key, std::string("expected torquers with torque about the ") + "xyz"[axis] +
                          " axis of '" + model.body(body).name +
                          "', which is commanded, got none: all are along it");
  }
}

void MagneticReader::read_detumble(MapReader& map, const std::string& name) {
  const std::size_t errors_before = scenario_.problems().error_count();
  refuse_gyro_steering(map);
  const std::vector<Torquer> torquers = read_torquers(map, "actuators");
  const int body = torquers.empty() ? -1 : torquers.front().at.body;
  AttitudePd::Settings settings =
      scenario_.read_attitude_settings(map, body, Matrix3::Identity(), true);
  settings.sample_period = scenario_.read_sample_period(map);
  const auto sensors = scenario_.read_sensor_names(
      map, "a gyroscope on the body",
      [&](const Sensor& sensor) {
        return sensor.type == SensorType::gyroscope && (body < 0 || sensor.at.body == body);
      },
      settings.sample_period);
  if (body < 0 || scenario_.problems().error_count() > errors_before) return;
  const Vector3& gains = settings.damping;
  if (gains.isZero(0.0)) {
    map.error_at("damping", "expected a gain that is not zero, got none: nothing would act");
    return;
  }
  check_torquers(map, "actuators", torquers, body,
                 {gains.x() != 0.0, gains.y() != 0.0, gains.z() != 0.0}, *scenario_.model_);
  if (scenario_.problems().error_count() > errors_before) return;
  settings.torquers = torquers;
  const auto controller =
      std::make_shared<AttitudePd>(name, *scenario_.model_, std::move(settings));
  controller->take_sensors(sensors);
  scenario_.scenario_.setup.controllers.push_back(controller);
}

}  // namespace spacedyn::loading
