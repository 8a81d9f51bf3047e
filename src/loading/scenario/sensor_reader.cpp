#include <algorithm>
#include <cmath>

#include "loading/keys/time_series.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/scenario/control_keys.hpp"
#include "loading/scenario/sections.hpp"
#include "sensing/loop_reactions.hpp"
#include "spacedyn/sensing/measurement.hpp"
#include "system/motion_of.hpp"
#include "system/sensor_sampling.hpp"

namespace spacedyn::loading {
namespace {

/// What a sensor errs in, a quantity for each component; of an encoder that of joints that turn
/// and that of those that slide.
std::vector<Quantity> measured_quantities(SensorType type) {
  using namespace quantity;
  switch (type) {
    case SensorType::gyroscope:
      return {kRate, kRate, kRate};
    case SensorType::accelerometer:
      return {kAcceleration, kAcceleration, kAcceleration};
    case SensorType::star_tracker:
      return {kAngle, kAngle, kAngle};
    case SensorType::encoder:
      return quantity::kJointPosition;
    case SensorType::force_torque:
    case SensorType::momentum_observer:
      return {kForce, kForce, kForce, kTorque, kTorque, kTorque};
    case SensorType::target_filter:
    case SensorType::relative_pose:
      return {kLength, kLength, kLength, kAngle, kAngle, kAngle};
    case SensorType::magnetometer:
      return {in("T"), in("T"), in("T")};
  }
  return {};
}

/// One number for all components, or one for each.
/// @param is_of_joint  whether there is one component, in one of two units
Kind<VectorX> components(std::vector<Quantity> quantities, Range range, bool is_of_joint,
                         std::string title) {
  for (Quantity& each : quantities) each = each.within(range);
  const std::size_t count = is_of_joint ? 1 : quantities.size();
  if (count > 1) title += ", for all components or for each";
  const auto schema = [=] {
    const auto is_same = [](const Quantity& a, const Quantity& b) {
      return a.dimension == b.dimension;
    };
    std::vector<Quantity> different = quantities;
    different.erase(std::unique(different.begin(), different.end(), is_same), different.end());
    const Json number = number_schema(different);
    return any_of_schema({number, list_schema(number, static_cast<int>(count))}, title);
  };
  const auto read = [=](const Value& value, Reading& reading) {
    const bool slides = reading.motion == JointType::prismatic;
    return read_each(value,
                     is_of_joint ? std::vector<Quantity>{quantities[slides ? 1 : 0]} : quantities,
                     reading.problems());
  };
  auto kind = make_kind<VectorX>("a number", schema, read);
  kind.needs_motion = is_of_joint;
  return kind;
}

/// A joint by its name, if it follows another one.
std::optional<int> following_joint(const ScenarioContext& scenario, const Value& value) {
  if (!value.node->is_scalar() || !scenario.model) return std::nullopt;
  const auto joint = scenario.model->find_joint(value.node->text);
  return joint && scenario.model->follower(*joint) != nullptr ? joint : std::nullopt;
}

bool read_sensor_place(Reading& reading, Sensor& sensor) {
  ScenarioContext& scenario = *reading.scenario;
  MapReader& map = reading.map;
  std::optional<Frame> at;
  const bool may_be_at_joint = sensor.type == SensorType::force_torque;
  if (may_be_at_joint && map.has("joint")) {
    map.refuse("at", "the sensor is at a joint");
    const auto value = map.find("joint");
    // the link that the joint carries; one that follows another joint has forces of its own
    std::optional<int> link = following_joint(scenario, *value);
    if (!link) {
      const auto coordinates = read_joint_coordinates(scenario, *value);
      if (!coordinates.empty()) link = coordinates.back();
    }
    if (link) at = scenario.model->find_frame(scenario.model->body(*link).name);
  } else {
    if (!may_be_at_joint) map.refuse("joint", "only an encoder and a force_torque sensor have one");
    at = read_point(scenario, map);
  }
  if (at && may_be_at_joint && at->body == 0) {
    map.error_at("at", "expected a point of a link, got one of the base, which no joint carries");
    at.reset();
  }
  std::optional<Frame> target;
  if (sensor.type == SensorType::relative_pose) {
    target = read_point(scenario, map, "target");
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

KeyGroup<Sensor> place_key(SensorType type) {
  const auto describe = [type](MappingSchema& schema) {
    const Json at = text_schema("A frame, a link or <link>.com");
    if (type == SensorType::force_torque) {
      schema.allow("at", at)
          .allow("joint", text_schema("A joint"))
          .add_rule(one_key_rule({"at", "joint"}));
    } else {
      schema.require("at", at);
    }
    if (type == SensorType::relative_pose) {
      schema.require("target", text_schema("What the camera looks at"));
    }
  };
  return {describe, read_sensor_place};
}

/// The relative_pose that a filter takes its samples of, and what follows from it.
KeyGroup<Sensor> camera_key() {
  const auto describe = [](MappingSchema& schema) {
    schema.require("camera", text_schema("A relative_pose sensor that is listed before"));
  };
  const auto read = [](Reading& reading, Sensor& sensor) {
    const auto value = reading.map.require("camera", "the name of a relative_pose sensor");
    if (!value) return false;
    const auto name = read_text(*value, reading.problems());
    if (!name) return false;
    std::vector<std::string> known;
    for (const Sensor& camera : reading.scenario->setup().sensors) {
      if (camera.type != SensorType::relative_pose) continue;
      known.push_back(camera.name);
      if (camera.name != *name) continue;
      sensor = filter_of(camera, sensor.name, sensor.filter);
      return true;
    }
    const Refusal refusal =
        unknown_name("the name of a relative_pose sensor that is listed before", *name, known);
    reading.map.error_at("camera", refusal.reason, refusal.hint);
    return false;
  };
  return {describe, read};
}

template <typename T>
auto filter_setting(T TargetFilter::*member) {
  return [member](Sensor& sensor) -> T& { return sensor.filter.*member; };
}

Mapping<Sensor> filter_keys() {
  using namespace kind;
  Mapping<Sensor> keys("Pose, rates and inertia ratios of a free body, by a Kalman filter");
  keys.group(camera_key());
  keys.allow("inertia", filter_setting(&TargetFilter::inertia), inertia());
  keys.allow("inertia_deviation", filter_setting(&TargetFilter::inertia_deviation),
             not_negative(kNumber), "Of an element of the inertia over its trace, default 0.1");
  keys.allow("velocity_deviation", filter_setting(&TargetFilter::velocity_deviation),
             not_negative(kVelocity), "At first, m/s, default 0.1");
  keys.allow("rate_deviation", filter_setting(&TargetFilter::rate_deviation), not_negative(kRate),
             "At first, rad/s, default 0.1");
  keys.allow("noise", filter_setting(&TargetFilter::noise),
             components(measured_quantities(SensorType::relative_pose), Range::positive, false,
                        "Deviations of a pose, default those of the camera"));
  keys.allow("acceleration_noise", filter_setting(&TargetFilter::acceleration_noise),
             not_negative(kNumber), "Of what the filter does not know, m/s²/√Hz");
  keys.allow("angular_acceleration_noise",
             filter_setting(&TargetFilter::angular_acceleration_noise), not_negative(kNumber),
             "White noise of the angular acceleration, rad/s²/√Hz");
  for (const char* key : {"sample_period", "delay"}) {
    keys.refuse(key, "a target_filter has those of its camera");
  }
  for (const char* key : {"at", "target"}) keys.refuse(key, "a target_filter has its camera's");
  return keys;
}

Mapping<Sensor> sensor_keys(SensorType type) {
  using namespace kind;
  if (type == SensorType::target_filter) return filter_keys();
  const std::string name(to_string(type));
  const bool is_encoder = type == SensorType::encoder;
  const SensorTraits traits = sensor_traits(type);
  const std::vector<Quantity> measured = measured_quantities(type);
  const std::vector<Quantity> plain(is_encoder ? 1 : measured.size(), kNumber);
  Mapping<Sensor> keys(name);
  const auto allow = [&](const char* key, VectorX SensorErrors::*member, bool has_unit, Range range,
                         const char* title) {
    keys.allow(
        key, [member](Sensor& sensor) -> VectorX& { return sensor.errors.*member; },
        components(has_unit ? measured : plain, range, has_unit && is_encoder, title));
  };
  if (is_encoder) {
    keys.refuse("at", "an encoder is at a joint: 'joint'");
    keys.refuse("target", "only a relative_pose sensor has one");
    keys.require("joint", &Sensor::joint, joint("A joint"));
  } else {
    keys.group(place_key(type));
  }
  if (type == SensorType::momentum_observer) {
    keys.require("gain", &Sensor::gain, positive(in("1/s")), "Of the first-order lag, 1/s");
  }
  keys.require("sample_period", &Sensor::sample_period, positive(kTime), "Time between samples, s");
  keys.allow("delay", &Sensor::delay, not_negative(kTime), "Until readings are known, s");
  allow("noise_density", &SensorErrors::noise_density, false, Range::not_negative,
        "Noise of a sample times √(sample period)");
  allow("noise", &SensorErrors::noise, true, Range::not_negative, "Standard deviation of a sample");
  allow("bias", &SensorErrors::bias, true, Range::any, "Bias at the start");
  allow("bias_walk", &SensorErrors::bias_walk, false, Range::not_negative,
        "Walk of the bias in 1 s");
  allow("quantization", &SensorErrors::quantization, true, Range::not_negative,
        "Step of the readings");
  const std::string article = "a reading of " + name + " has no ";
  if (traits.has_scale) {
    allow("scale_factor", &SensorErrors::scale_factor, false, Range::any, "Error of the scale");
  } else {
    keys.refuse("scale_factor", article + "scale; 'bias' turns it");
  }
  if (traits.has_axes) {
    keys.allow(
        "misalignment", [](Sensor& sensor) -> Vector3& { return sensor.errors.misalignment; },
        vector(kAngle, "Turn of the axes, rad"));
  } else {
    keys.refuse("misalignment", article + "axes to turn; 'bias' is such an error");
  }
  return keys;
}

Json sensor_schema() {
  std::vector<Json> sensors;
  for (const SensorType type : all_sensor_types()) {
    sensors.push_back(element_schema(to_string(type), sensor_keys(type)));
  }
  return one_of_schema(sensors, "An instrument that samples");
}

Json taken_sensors_schema() {
  return names_schema("Sensors whose readings stand in place of the truth");
}

void read_seed(ScenarioContext& scenario) {
  const auto value = scenario.map.find("seed");
  if (!value) return;
  const auto seed =
      read_number(*value, quantity::kNumber.within(Range::not_negative), scenario.problems());
  if (!seed) return;
  if (*seed != std::floor(*seed) || *seed > 9007199254740992.0) {
    scenario.problems().error(
        *value, "expected a whole number of at most 2^53, got " + describe(*value->node));
    return;
  }
  scenario.setup().seed = static_cast<std::uint64_t>(*seed);
  if (!scenario.map.has("sensors")) {
    scenario.problems().warning(
        *value, "expected sensors, whose noise a seed is for, got none: it has no effect");
  }
}

void read_sensor(ScenarioContext& scenario, MapReader& map, SensorType type,
                 const std::string& name) {
  Sensor sensor;
  sensor.name = name;
  sensor.type = type;
  Reading reading{map, &scenario};
  bool is_right = sensor_keys(type).read(reading, sensor);
  check_step(scenario, map, "sample_period", sensor.sample_period, "samples");
  if (sensor.sample_period > 0.0 && sensor.delay > 1000.0 * sensor.sample_period) {
    map.error_at("delay",
                 "expected at most 1000 sample periods, got " + format_number(sensor.delay) + " s");
    is_right = false;
  }
  if (type == SensorType::magnetometer) {
    const Space& space = scenario.space;
    if (!space.has_magnetic_field) {
      map.error("expected a 'magnetic_field' of the environment, got none");
    }
    if (!space.magnetic_field) return;
    sensor.field = std::make_shared<const MagneticField>(*space.magnetic_field);
  }
  if (!is_right) return;
  const char* place = type == SensorType::target_filter ? "camera" : "at";
  if (map.has(place)) {
    const ErrorMark errors(map.problems());
    guard(*map.find(place), map.problems(), [&] { check_sensor(sensor, *scenario.model); });
    if (errors.found()) return;
  } else {
    check_sensor(sensor, *scenario.model);
  }
  if (type == SensorType::force_torque && !map.problems().has_errors()) {
    const SimulationSetup& setup = scenario.setup();
    const LoopEquations loops(*scenario.model, start_loops(scenario));
    const Mobility free = mobility(setup, DiscreteState(setup));
    const std::string holder = holder_of_ambiguous_reaction(
        {loops, holding_motions(setup, DiscreteState(setup)), free, scenario.initial()},
        sensor.at.body);
    if (!holder.empty()) {
      map.error_at(map.has("joint") ? "joint" : "at", ambiguous_reaction_text(holder));
      return;
    }
  }
  std::vector<Sensor>& sensors = scenario.setup().sensors;
  sensors.push_back(std::move(sensor));
  if (map.has(place) && map.problems().error_count() == 0) {
    guard(*map.find(place), map.problems(),
          [&] { check_estimate(scenario.setup(), sensors.size() - 1); });
  }
}

}  // namespace

extern const SchemaDefinition kSensorDefinition{"sensor", sensor_schema};
extern const SchemaDefinition kTakenSensorsDefinition{"taken_sensors", taken_sensors_schema};

void read_sensors(ScenarioContext& scenario) {
  read_seed(scenario);
  read_elements(scenario, "sensors", all_names(all_sensor_types()),
                [&](MapReader& map, std::size_t type, const std::string& name) {
                  scenario.names.sensors.push_back(name);
                  read_sensor(scenario, map, static_cast<SensorType>(type), name);
                });
}

std::vector<std::string> read_sensor_names(ScenarioContext& scenario, MapReader& map,
                                           const std::string& expected,
                                           const std::function<bool(const Sensor&)>& is_fit,
                                           double& sample_period) {
  std::vector<std::string> names;
  const auto list = map.find("sensors");
  if (!list) return names;
  double shortest = 0.0;
  read_names(map, "sensors", *list, "sensor", [&](const std::string& name) -> Refusal {
    const auto& sensors = scenario.setup().sensors;
    const auto& known = scenario.names.sensors;
    const auto named = std::find_if(sensors.begin(), sensors.end(),
                                    [&](const Sensor& sensor) { return sensor.name == name; });
    if (named == sensors.end()) {
      const bool is_wrong = std::count(known.begin(), known.end(), name) > 0;
      return is_wrong ? Refusal() : unknown_name("the name of a sensor", name, known);
    }
    if (std::count(names.begin(), names.end(), name) > 0) return named_twice("sensor", name);
    if (!is_fit(*named)) {
      return {"expected " + expected + ", got " + quote(name) +
              ", whose readings this controller does not look at"};
    }
    names.push_back(name);
    if (shortest == 0.0 || named->sample_period < shortest) shortest = named->sample_period;
    return {};
  });
  if (sample_period == 0.0) sample_period = shortest;
  return names;
}

}  // namespace spacedyn::loading
