#include "spacedyn/sensing/sensor.hpp"

#include <cmath>
#include <utility>

#include "math/decompositions.hpp"
#include "model/robot_of.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

struct SensorRow {
  SensorType type;
  std::string_view name;
  SensorTraits traits;
};

constexpr SensorRow kSensorTypes[] = {
    {SensorType::gyroscope, "gyroscope", {3, 3, true, true, false}},
    {SensorType::star_tracker, "star_tracker", {3, 4, false, false, false}},
    {SensorType::accelerometer, "accelerometer", {3, 3, true, true, true}},
    {SensorType::encoder, "encoder", {1, 2, false, true, false}},
    {SensorType::force_torque, "force_torque", {6, 6, true, true, true}},
    {SensorType::relative_pose, "relative_pose", {6, 7, false, false, false}},
    {SensorType::target_filter, "target_filter", {0, 19, false, false, false}},
    {SensorType::momentum_observer, "momentum_observer", {6, 6, true, true, false}},
    {SensorType::magnetometer, "magnetometer", {3, 3, true, true, false}}};

const SensorRow& sensor_row(SensorType type) { return kSensorTypes[static_cast<int>(type)]; }

void require_of(const Sensor& sensor, bool condition, const std::string& what) {
  if (!condition) throw DomainError('\'' + sensor.name + "': " + what);
}

void check_errors(const Sensor& sensor) {
  const SensorErrors& errors = sensor.errors;
  const auto traits = sensor_traits(sensor.type);
  const auto check = [&](const VectorX& values, const char* name, bool may_be_negative) {
    if (values.size() == 0) return;
    require_of(sensor, values.size() == traits.errors,
               std::string(name) + " has " + std::to_string(values.size()) + " numbers, expected " +
                   std::to_string(traits.errors));
    require_of(sensor, values.allFinite() && (may_be_negative || values.minCoeff() >= 0.0),
               std::string(name) +
                   (may_be_negative ? " must be finite" : " must be finite and not negative"));
  };
  check(errors.noise_density, "noise_density", false);
  check(errors.noise, "noise", false);
  check(errors.bias, "bias", true);
  check(errors.bias_walk, "bias_walk", false);
  check(errors.scale_factor, "scale_factor", true);
  check(errors.quantization, "quantization", false);
  require_of(sensor, errors.misalignment.allFinite(), "misalignment must be finite");
  const std::string type(to_string(sensor.type));
  require_of(sensor, traits.has_scale || errors.scale_factor.size() == 0,
             type + " has no scale factor");
  require_of(sensor, traits.has_axes || errors.misalignment.isZero(0.0),
             type + " has no misalignment");
}

/// What a filter believes beforehand must make sense, its target tumble as one rigid body.
void check_filter(const Sensor& sensor, const Model& model) {
  const TargetFilter& filter = sensor.filter;
  const Vector3 moments = filter.inertia.allFinite() ? principal_axes(filter.inertia).moments
                                                     : Vector3(Vector3::Zero());
  require_of(sensor, moments(0) > 0.0 && moments(0) + moments(1) > moments(2),
             "inertia must be that of a body: positive, no moment the sum of the others");
  for (const double number :
       {filter.inertia_deviation, filter.velocity_deviation, filter.rate_deviation,
        filter.acceleration_noise, filter.angular_acceleration_noise}) {
    require_of(sensor, std::isfinite(number) && number >= 0.0,
               "deviations and noise must be finite and not negative");
  }
  require_of(sensor,
             filter.noise.size() == 0 || (filter.noise.size() == 6 && filter.noise.allFinite() &&
                                          filter.noise.minCoeff() > 0.0),
             "noise must be 6 positive numbers");
  const Robot* target = robot_of(model, sensor.target.body);
  require_of(sensor, target != nullptr,
             "its target must be another robot, which floats and has no joints");
  require_of(sensor, target->floats && target->joint_count() == 0,
             "robot '" + target->name + "' of its target has joints or does not float");
  require_of(sensor, robot_of(model, sensor.at.body) != target, "its camera is on the target");
}

bool has_body(const Frame& frame, const Model& model) {
  return frame.body >= 0 && frame.body < model.body_count() && frame.position.allFinite();
}

}  // namespace

const std::vector<SensorType>& all_sensor_types() {
  static const std::vector<SensorType> types = [] {
    std::vector<SensorType> all;
    for (const SensorRow& row : kSensorTypes) all.push_back(row.type);
    return all;
  }();
  return types;
}

std::string_view to_string(SensorType type) { return sensor_row(type).name; }

SensorTraits sensor_traits(SensorType type) { return sensor_row(type).traits; }

Sensor filter_of(const Sensor& camera, std::string name, TargetFilter settings) {
  Sensor sensor;
  sensor.name = std::move(name);
  sensor.type = SensorType::target_filter;
  sensor.at = camera.at;
  sensor.target = camera.target;
  sensor.sample_period = camera.sample_period;
  sensor.delay = camera.delay;
  sensor.camera = camera.name;
  sensor.filter = std::move(settings);
  return sensor;
}

void check_sensor(const Sensor& sensor, const Model& model) {
  require_of(sensor, std::isfinite(sensor.sample_period) && sensor.sample_period > 0.0,
             "its sample period must be finite and positive");
  require_of(sensor,
             std::isfinite(sensor.delay) && sensor.delay >= 0.0 &&
                 sensor.delay <= 1000.0 * sensor.sample_period,
             "its delay must lie between 0 and 1000 sample periods");
  if (sensor.type == SensorType::encoder) {
    require_of(sensor, sensor.joint >= 1 && sensor.joint <= model.joint_count(),
               "model '" + model.name() + "' has no joint " + std::to_string(sensor.joint));
    require_of(sensor, model.joint(sensor.joint).spherical == 0,
               "joint '" + model.joint(sensor.joint).name +
                   "' belongs to a spherical joint, whose positions are a rotation vector");
  } else {
    require_of(sensor, has_body(sensor.at, model),
               "it is at no body of model '" + model.name() + '\'');
  }
  const bool is_filter = sensor.type == SensorType::target_filter;
  if (sensor.type == SensorType::relative_pose || is_filter) {
    require_of(sensor, has_body(sensor.target, model),
               "its target is at no body of model '" + model.name() + '\'');
    require_of(sensor, sensor.target.body != sensor.at.body,
               "its target is on the body that carries it");
  }
  if (is_filter) check_filter(sensor, model);
  require_of(sensor,
             sensor.type != SensorType::momentum_observer ||
                 (std::isfinite(sensor.gain) && sensor.gain > 0.0),
             "its gain must be finite and positive");
  if (sensor.type == SensorType::force_torque) {
    require_of(sensor, sensor.at.body > 0, "it is on the base, which no joint carries");
  }
  if (sensor.type == SensorType::magnetometer) {
    require_of(sensor, sensor.field != nullptr, "there is no magnetic field that it reads");
  }
  check_errors(sensor);
}

}  // namespace spacedyn
