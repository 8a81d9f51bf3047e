#include <algorithm>
#include <cmath>

#include "loading/body_reader.hpp"
#include "loading/numbers.hpp"
#include "loading/scenario_reader.hpp"
#include "loading/time_series.hpp"
#include "spacedyn/model/names.hpp"
#include "spacedyn/sensing/measurement.hpp"

namespace spacedyn::loading {
namespace {

std::vector<std::string> sensor_type_names() {
  std::vector<std::string> names;
  for (const SensorType type : all_sensor_types()) names.emplace_back(to_string(type));
  return names;
}

/// What a sensor errs in, a quantity for each component.
std::vector<Quantity> measured_quantities(SensorType type, JointType joint) {
  switch (type) {
    case SensorType::gyroscope:
      return std::vector<Quantity>(3, quantity::kRate);
    case SensorType::accelerometer:
      return std::vector<Quantity>(3, quantity::kAcceleration);
    case SensorType::star_tracker:
      return std::vector<Quantity>(3, quantity::kAngle);
    case SensorType::encoder:
      return {joint == JointType::prismatic ? quantity::kLength : quantity::kAngle};
    case SensorType::force_torque:
      return {quantity::kForce,  quantity::kForce,  quantity::kForce,
              quantity::kTorque, quantity::kTorque, quantity::kTorque};
    case SensorType::relative_pose:
      return {quantity::kLength, quantity::kLength, quantity::kLength,
              quantity::kAngle,  quantity::kAngle,  quantity::kAngle};
  }
  return {};
}

/// One number for all components, or one for each; nothing where the key is absent.
VectorX read_components(MapReader& map, const char* key, std::vector<Quantity> quantities,
                        Range range) {
  const auto value = map.find(key);
  if (!value) return {};
  for (Quantity& each : quantities) each = each.within(range);
  return read_each(*value, quantities, map.problems()).value_or(VectorX());
}

SensorErrors read_errors(MapReader& map, SensorType type, JointType joint) {
  const std::vector<Quantity> measured = measured_quantities(type, joint);
  const std::vector<Quantity> plain(measured.size(), quantity::kNumber);
  const SensorTraits traits = sensor_traits(type);
  SensorErrors errors;
  errors.noise_density = read_components(map, "noise_density", plain, Range::not_negative);
  errors.noise = read_components(map, "noise", measured, Range::not_negative);
  errors.bias = read_components(map, "bias", measured, Range::any);
  errors.bias_walk = read_components(map, "bias_walk", plain, Range::not_negative);
  errors.quantization = read_components(map, "quantization", measured, Range::not_negative);
  const std::string article = "a reading of " + std::string(to_string(type)) + " has no ";
  if (traits.has_scale) {
    errors.scale_factor = read_components(map, "scale_factor", plain, Range::any);
  } else {
    map.refuse("scale_factor", article + "scale; 'bias' turns it");
  }
  if (traits.has_axes) {
    errors.misalignment = map.vector3("misalignment", quantity::kAngle, Vector3::Zero());
  } else {
    map.refuse("misalignment", article + "axes to turn; 'bias' is such an error");
  }
  return errors;
}

}  // namespace

void ScenarioReader::read_seed() {
  const auto value = map_.find("seed");
  if (!value) return;
  const auto seed = read_number(*value, quantity::kNumber.within(Range::not_negative), problems());
  if (!seed) return;
  if (*seed != std::floor(*seed) || *seed > 9007199254740992.0) {
    problems().error(value->node->mark, value->path,
                     "expected a whole number of at most 2^53, got " + describe(*value->node));
    return;
  }
  scenario_.setup.seed = static_cast<std::uint64_t>(*seed);
  if (!map_.has("sensors")) {
    problems().warning(value->node->mark, value->path,
                       "expected sensors, whose noise a seed is for, got none: it has no effect");
  }
}

void ScenarioReader::read_sensors() {
  read_seed();
  read_elements("sensors", sensor_type_names(), {},
                [this](MapReader& map, std::size_t type, const std::string& name, const Value&) {
                  sensor_names_.push_back(name);
                  read_sensor(map, static_cast<SensorType>(type), name);
                });
}

void ScenarioReader::read_sensor(MapReader& map, SensorType type, const std::string& name) {
  const std::size_t errors_before = problems().error_count();
  Sensor sensor;
  sensor.name = name;
  sensor.type = type;
  sensor.sample_period =
      map.required_number("sample_period", quantity::kTime.within(Range::positive));
  if (const auto value = map.find("sample_period")) {
    check_count(*value, scenario_.duration, sensor.sample_period, "samples", problems());
  }
  sensor.delay = map.number("delay", quantity::kTime.within(Range::not_negative), 0.0);
  if (sensor.sample_period > 0.0 && sensor.delay > 1000.0 * sensor.sample_period) {
    map.error_at("delay",
                 "expected at most 1000 sample periods, got " + format_number(sensor.delay) + " s");
  }
  JointType joint = JointType::revolute;
  bool has_place = true;
  if (type == SensorType::encoder) {
    map.refuse("at", "an encoder is at a joint: 'joint'");
    const auto value = map.require("joint", "the name of a joint");
    const auto index = value ? read_joint_name(*value) : std::nullopt;
    has_place = index.has_value();
    if (index) {
      sensor.joint = *index;
      joint = model_->joint(*index).type;
    }
  } else {
    has_place = read_sensor_place(map, sensor);
  }
  if (!has_place && type == SensorType::encoder) {
    // units of the errors depend on the joint
    for (const char* key : {"noise", "bias", "quantization"}) map.find(key);
  }
  sensor.errors =
      has_place || type != SensorType::encoder ? read_errors(map, type, joint) : SensorErrors{};
  if (!has_place || problems().error_count() > errors_before) return;
  check_sensor(sensor, *model_);
  scenario_.setup.sensors.push_back(std::move(sensor));
}

bool ScenarioReader::read_sensor_place(MapReader& map, Sensor& sensor) {
  std::optional<Frame> at;
  const bool may_be_at_joint = sensor.type == SensorType::force_torque;
  if (may_be_at_joint && map.has("joint")) {
    map.refuse("at", "the sensor is at a joint");
    const auto value = map.find("joint");
    const auto coordinates = read_joint_coordinates(*value);
    // the link that the joint carries
    if (!coordinates.empty()) at = model_->find_frame(model_->body(coordinates.back()).name);
  } else {
    if (!may_be_at_joint) map.refuse("joint", "only an encoder and a force_torque sensor have one");
    at = read_point(map);
  }
  if (at && may_be_at_joint && at->body == 0) {
    map.error_at("at", "expected a point of a link, got one of the base, which no joint carries");
    at.reset();
  }
  std::optional<Frame> target;
  if (sensor.type == SensorType::relative_pose) {
    target = read_point(map, "target");
    if (at && target && at->body == target->body) {
      map.error_at("target", "expected a point of another body than that of the camera");
      target.reset();
    }
    if (!target) return false;
    sensor.target = *target;
  } else {
    map.refuse("target", "only a relative_pose sensor has one");
  }
  if (!at) return false;
  sensor.at = *at;
  return true;
}

std::vector<std::string> ScenarioReader::read_sensor_names(
    MapReader& map, const std::string& expected, const std::function<bool(const Sensor&)>& is_fit,
    double& sample_period) {
  std::vector<std::string> names;
  const auto list = map.find("sensors");
  if (!list) return names;
  double shortest = 0.0;
  for_each_item(*list, problems(), [&](const Value& item) {
    const auto name = read_text(item, problems());
    if (!name) return;
    const auto& sensors = scenario_.setup.sensors;
    const auto named = std::find_if(sensors.begin(), sensors.end(),
                                    [&](const Sensor& sensor) { return sensor.name == *name; });
    const auto refuse = [&](const std::string& what, const std::string& hint = "") {
      problems().error(item.node->mark, item.path, what, hint);
    };
    if (named == sensors.end()) {
      if (std::count(sensor_names_.begin(), sensor_names_.end(), *name) > 0) return;  // is wrong
      const std::string nearest = nearest_name(*name, sensor_names_);
      return refuse("expected the name of a sensor, got " + quote(*name),
                    nearest.empty() ? "" : "did you mean '" + nearest + "'?");
    }
    if (std::count(names.begin(), names.end(), *name) > 0) {
      return refuse("expected each sensor once, got " + quote(*name) + " again");
    }
    if (!is_fit(*named)) {
      return refuse("expected " + expected + ", got " + quote(*name) +
                    ", whose readings this controller does not look at");
    }
    names.push_back(*name);
    if (shortest == 0.0 || named->sample_period < shortest) shortest = named->sample_period;
  });
  if (list->node->is_sequence() && list->node->items.empty()) {
    map.error_at("sensors", "expected at least one sensor, got an empty list");
  }
  if (sample_period == 0.0) sample_period = shortest;
  return names;
}

}  // namespace spacedyn::loading
