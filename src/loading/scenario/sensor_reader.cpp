#include <algorithm>
#include <cmath>

#include "loading/keys/time_series.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/scenario/control_keys.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "loading/schema/schema_definition.hpp"
#include "loading/yaml/numbers.hpp"
#include "sensing/loop_reactions.hpp"
#include "spacedyn/sensing/measurement.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kSensorPeriod{Dimension::time, Range::positive};
constexpr Quantity kSensorDelay{Dimension::time, Range::not_negative};

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

/// What read_components() reads.
std::string components_schema(std::vector<Quantity> quantities, Range range,
                              std::string_view title) {
  const auto count = static_cast<int>(quantities.size());
  for (Quantity& each : quantities) each = each.within(range);
  const auto is_same = [](const Quantity& a, const Quantity& b) {
    return a.dimension == b.dimension;
  };
  quantities.erase(std::unique(quantities.begin(), quantities.end(), is_same), quantities.end());
  const std::string number = number_schema(quantities);
  const std::string title_of_all = std::string(title) + ", for all components or for each";
  if (count > 1) return any_of_schema({number, list_schema(number, count)}, title_of_all);
  return any_of_schema({number, list_schema(number, 1)}, title);
}

std::string components_schema_of_joint(Range range, std::string_view title) {
  const std::string number =
      number_schema({quantity::kAngle.within(range), quantity::kLength.within(range)});
  return any_of_schema({number, list_schema(number, 1)}, title);
}

void describe_errors(SensorType type, MappingSchema& schema) {
  const std::vector<Quantity> measured = measured_quantities(type, JointType::revolute);
  const std::vector<Quantity> plain(measured.size(), quantity::kNumber);
  const auto reading = [&](Range range, std::string_view title) {
    return type == SensorType::encoder ? components_schema_of_joint(range, title)
                                       : components_schema(measured, range, title);
  };
  schema
      .allow("noise_density", components_schema(plain, Range::not_negative,
                                                "Noise of a sample times √(sample period)"))
      .allow("noise", reading(Range::not_negative, "Standard deviation of a sample"))
      .allow("bias", reading(Range::any, "Bias at the start"))
      .allow("bias_walk", components_schema(plain, Range::not_negative, "Walk of the bias in 1 s"))
      .allow("quantization", reading(Range::not_negative, "Step of the readings"));
  const SensorTraits traits = sensor_traits(type);
  if (traits.has_scale) {
    schema.allow("scale_factor", components_schema(plain, Range::any, "Error of the scale"));
  }
  if (traits.has_axes) {
    schema.allow("misalignment", vector_schema(quantity::kAngle, "Turn of the axes, rad"));
  }
}

void describe_place(SensorType type, MappingSchema& schema) {
  const std::string at = text_schema("A frame, a link or <link>.com");
  const std::string joint = text_schema("A joint");
  if (type == SensorType::encoder) {
    schema.require("joint", joint);
  } else if (type == SensorType::force_torque) {
    schema.allow("at", at).allow("joint", joint).add_rule(one_key_rule({"at", "joint"}));
  } else {
    schema.require("at", at);
  }
  if (type == SensorType::relative_pose) {
    schema.require("target", text_schema("What the camera looks at"));
  }
}

std::string sensor_schema() {
  std::vector<std::string> sensors;
  for (const SensorType type : all_sensor_types()) {
    MappingSchema schema(to_string(type));
    schema.require("type", constant_schema(to_string(type))).allow("name", text_schema());
    describe_place(type, schema);
    schema.require("sample_period", number_schema({kSensorPeriod}, "Time between samples, s"))
        .allow("delay", number_schema({kSensorDelay}, "Until readings are known, s"));
    describe_errors(type, schema);
    sensors.push_back(schema.text());
  }
  return one_of_schema(sensors, "An instrument that samples");
}

std::string taken_sensors_schema() {
  return names_schema("Sensors whose readings stand in place of the truth");
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

bool read_encoder(ScenarioContext& scenario, MapReader& map, Sensor& sensor, JointType& joint) {
  map.refuse("at", "an encoder is at a joint: 'joint'");
  map.refuse("target", "only a relative_pose sensor has one");
  const auto index = read_joint(scenario, map);
  if (!index) {
    for (const char* key :
         {"noise_density", "noise", "bias", "bias_walk", "quantization", "scale_factor"}) {
      map.find(key);
    }
    return false;
  }
  sensor.joint = *index;
  joint = scenario.model->joint(*index).type;
  return true;
}

bool read_sensor_place(ScenarioContext& scenario, MapReader& map, Sensor& sensor) {
  std::optional<Frame> at;
  const bool may_be_at_joint = sensor.type == SensorType::force_torque;
  if (may_be_at_joint && map.has("joint")) {
    map.refuse("at", "the sensor is at a joint");
    const auto value = map.find("joint");
    const auto coordinates = read_joint_coordinates(scenario, *value);
    // the link that the joint carries
    if (!coordinates.empty()) {
      at = scenario.model->find_frame(scenario.model->body(coordinates.back()).name);
    }
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

void read_sensor(ScenarioContext& scenario, MapReader& map, SensorType type,
                 const std::string& name) {
  const ErrorMark errors(map.problems());
  Sensor sensor;
  sensor.name = name;
  sensor.type = type;
  sensor.sample_period = map.required_number("sample_period", kSensorPeriod);
  check_step(scenario, map, "sample_period", sensor.sample_period, "samples");
  sensor.delay = map.number("delay", kSensorDelay, 0.0);
  if (sensor.sample_period > 0.0 && sensor.delay > 1000.0 * sensor.sample_period) {
    map.error_at("delay",
                 "expected at most 1000 sample periods, got " + format_number(sensor.delay) + " s");
  }
  JointType joint = JointType::revolute;
  const bool is_encoder = type == SensorType::encoder;
  const bool has_place = is_encoder ? read_encoder(scenario, map, sensor, joint)
                                    : read_sensor_place(scenario, map, sensor);
  // units of an encoder's errors depend on its joint
  if (has_place || !is_encoder) sensor.errors = read_errors(map, type, joint);
  const bool has_period = sensor.sample_period > 0.0;  // its absence is reported at the end
  if (!has_place || !has_period || errors.found()) return;
  check_sensor(sensor, *scenario.model);
  if (type == SensorType::force_torque && !map.problems().has_errors()) {
    const SimulationSetup& setup = scenario.setup();
    const LoopEquations loops(*scenario.model, start_loops(scenario));
    const Loop* loop = loop_of_ambiguous_reaction(loops, mobility(setup, DiscreteState(setup)),
                                                  scenario.initial(), sensor.at.body);
    if (loop != nullptr) {
      map.error_at(map.has("joint") ? "joint" : "at", ambiguous_reaction_text(*loop));
      return;
    }
  }
  scenario.setup().sensors.push_back(std::move(sensor));
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
