#include <algorithm>

#include <fmt/format.h>

#include "control/mounting.hpp"
#include "loading/keys/geometry.hpp"
#include "loading/keys/mapping.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/scenario/control_keys.hpp"
#include "loading/scenario/reference_reader.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/inertia/gyro_cluster.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kAngularStiffness{Dimension::angular_stiffness, Range::not_negative};
constexpr Quantity kAngularDamping{Dimension::none, Range::not_negative, false, "N m s/rad"};

constexpr Quantity kDeadBand{Dimension::angle, Range::not_negative};

constexpr Quantity kGain{Dimension::none, Range::positive, false, "1/s"};

using Steering = GyroSteering::Settings;

constexpr Quantity kRateGain{Dimension::none, Range::positive, false, "N m s/rad"};

Mapping<Steering> gyro_steering_keys() {
  using namespace kind;
  Mapping<Steering> keys("How gyros keep off singularities");
  keys.allow("threshold", &Steering::threshold,
             number(positive(kNumber),
                    "Singularity measure below which the inverse is damped, default 0.1"));
  keys.allow("damping", &Steering::damping,
             number(positive(kNumber), "Of the inverse at a singularity, default 0.01"));
  keys.allow("null_motion", &Steering::null_motion,
             number(not_negative(kRate), "Rate away from singularities, rad/s, default 0"));
  keys.allow("rotor_weight", &Steering::rotor_weight,
             number(not_negative(kNumber),
                    "Of rotors whose speeds vary, at a singularity, default 0: constant speed"));
  return keys;
}

void describe_gyro_steering(MappingSchema& schema) {
  schema.allow("rate_gain", number_schema({kRateGain}, "Of the gimbals of gyros, N m s/rad"))
      .allow("steering", schema_of<gyro_steering_keys>());
}

void describe_null_space(MappingSchema& schema) {
  MappingSchema keys("How wheels that are more than their axes share their momentum");
  keys.require("gain", number_schema({kGain}, "Rate at which wanted speeds are reached, 1/s"))
      .allow("speeds",
             series_schema(number_schema({quantity::kRate}), 2, "Of each wheel, rad/s, default 0"));
  schema.allow("null_space", keys.text());
}

bool has_orientation(const MapReader& map) {
  const auto& keys = orientation_keys();
  return std::any_of(keys.begin(), keys.end(),
                     [&](const OrientationKey& key) { return map.has(key.name); });
}

std::string attitude_reference_schema() {
  MappingSchema constant("One attitude");
  constant.allow("type", constant_schema("constant"));
  describe_orientation(constant, true);
  return any_of_schema(
      {constant.text(), reference_schema("turn"), reference_schema("reference")},
      "An attitude: constant, a turn about an inertial axis, or roll, pitch and yaw in time");
}

MappingSchema damping_schema(const char* type, std::string_view title) {
  MappingSchema schema(title);
  schema.require("type", constant_schema(type))
      .allow("name", text_schema())
      .require("actuators",
               names_schema("Reaction wheels, gyros, thrusters or torquers, on one body"))
      .require("damping", axis_gains_schema(kAngularDamping,
                                            "D about the axes of the body, N m s/rad: one, or 3"))
      .allow("sample_period", reference_schema("sample_period"))
      .allow("sensors", reference_schema("taken_sensors"))
      .allow("inhibit", names_schema("Thrusters among them that are not opened"))
      .allow("modulation", reference_schema("modulation"));
  describe_gyro_steering(schema);
  return schema;
}

std::string attitude_control_schema() {
  MappingSchema schema = damping_schema("attitude", "Quaternion feedback on wheels or thrusters");
  schema
      .require("stiffness", axis_gains_schema(kAngularStiffness,
                                              "K about the axes of the body, N*m/rad: one, or 3"))
      .allow("dead_band", number_schema({kDeadBand}, "Part of the error that nothing answers, rad"))
      .allow(
          "feed_forward",
          names_schema("Controllers joint_pd listed before, or prescribed joints, whose momentum "
                       "the actuators take up"))
      .allow("reference", reference_schema("attitude_reference"));
  describe_null_space(schema);
  return schema.text();
}

std::string detumble_schema() {
  return damping_schema("detumble", "Damping of the rotation of a body by wheels or thrusters")
      .text();
}

AttitudeReference read_attitude_reference(ScenarioContext& scenario, const Value& value,
                                          const Matrix3& start) {
  AttitudeReference reference;
  reference.start = start;
  MapReader peek(value, scenario.context());
  if (!peek.is_mapping()) return reference;
  if (peek.has("axis") || peek.has("angle")) {
    PrescribedBase motion;
    read_rotation(scenario, value, MotionUse::followed, motion);
    reference.axis = motion.axis;
    reference.angle = motion.angle;
  } else if (has_orientation(peek)) {
    if (const auto type = peek.find("type")) read_choice(*type, {"constant"}, scenario.problems());
    reference.start = read_orientation(peek).value_or(start);
    peek.finish();
  } else {
    ReferenceFrame frame;
    for (int i = 0; i < 3; ++i) frame.add_joint(JointType::revolute);
    frame.start = rpy_from_matrix(start);
    reference.rpy = read_reference(value, frame, scenario.context());
  }
  return reference;
}

WheelNullSpace::Settings read_null_space(MapReader& map, const Model* model,
                                         const std::optional<std::vector<int>>& wheels) {
  WheelNullSpace::Settings settings;
  const auto value = map.find("null_space");
  if (!value) return settings;
  MapReader keys(*value, map.context());
  if (!keys.is_mapping()) return settings;
  settings.gain = keys.required_number("gain", kGain);
  const auto speeds = keys.find("speeds");
  if (speeds && wheels) {
    const auto size = static_cast<int>(wheels->size());
    settings.speeds =
        read_numbers(*speeds, quantity::kRate, size, map.problems()).value_or(VectorX());
  }
  keys.finish();
  if (model != nullptr && wheels && null_space_dimension(wheel_axes(*model, *wheels)) == 0) {
    map.error_at("null_space",
                 "expected more wheels than axes that they turn about: these have no null space");
  }
  return settings;
}

/// What a controller does with the attitude of a body.
enum class AttitudeLaw { hold, damp };
enum class ActuatorKind { wheels, gyros, thrusters, torquers };

/// Kind of the first of `actuators`.
ActuatorKind kind_of_actuators(const ScenarioContext& scenario, const MapReader& map,
                               AttitudeLaw law) {
  const std::string name = first_name(map, "actuators");
  if (!scenario.model || name.empty()) return ActuatorKind::wheels;
  const Model& model = *scenario.model;
  if (find_thruster(model, name) != nullptr) return ActuatorKind::thrusters;
  const auto joint = model.find_joint(name);
  if (joint && gyro_rotor(model, *joint) != 0) return ActuatorKind::gyros;
  const bool is_torquer =
      dynamic_cast<const MagneticTorquer*>(find_force(scenario, name)) != nullptr;
  return is_torquer && law == AttitudeLaw::damp ? ActuatorKind::torquers : ActuatorKind::wheels;
}

/// Refuses keys that belong to actuators of other kinds.
void refuse_keys_of_others(MapReader& map, ActuatorKind kind, AttitudeLaw law) {
  if (kind != ActuatorKind::thrusters) {
    map.refuse("modulation", "only thrusters are modulated");
    map.refuse("inhibit", "only thrusters are inhibited");
  }
  if (kind != ActuatorKind::gyros) {
    for (const char* key : {"rate_gain", "steering"}) {
      map.refuse(key, "only the gimbals of gyros are steered");
    }
  }
  if (kind != ActuatorKind::wheels && law == AttitudeLaw::hold) {
    map.refuse("null_space", "only reaction wheels have speeds to share");
  }
}

/// Where actuators are.
struct Carrier {
  int body = -1;                       ///< negative: not known
  Matrix3 axes = Matrix3::Identity();  ///< of the link that carries them, in those of its body
};

Carrier carrier_of(const Model& model, const std::vector<int>& joints) {
  if (joints.empty()) return {};
  return {model.topology().connection(joints.front()), axes_of_carrier(model, joints.front())};
}

Carrier read_attitude_wheels(ScenarioContext& scenario, MapReader& map, AttitudeLaw law,
                             AttitudePd::Settings& settings) {
  const auto wheels = read_wheels(scenario, map, "actuators");
  if (law == AttitudeLaw::hold) {
    settings.null_space = read_null_space(map, scenario.model.get(), wheels);
  }
  if (!wheels) return {};
  settings.wheels = *wheels;
  return carrier_of(*scenario.model, *wheels);
}

Carrier read_attitude_gyros(ScenarioContext& scenario, MapReader& map,
                            GyroSteering::Settings& gyros) {
  gyros.gimbals = read_gimbals(scenario, map);
  gyros.rate_gain = map.required_number("rate_gain", kRateGain);
  if (const auto value = map.find("steering")) {
    once<gyro_steering_keys>().read_whole(*value, map.context(), gyros);
  }
  return carrier_of(*scenario.model, gyros.gimbals);
}

Carrier read_attitude_thrusters(ScenarioContext& scenario, MapReader& map, const std::string& name,
                                AttitudePd::Settings& settings) {
  settings.modulation = read_modulation(scenario, map);
  settings.thrusters = read_thrusters(scenario, map, "actuators", settings.modulation, name);
  if (settings.thrusters.empty()) return {};
  const Frame& at = settings.thrusters.front().at;
  return {at.body, axes_of_owner(*scenario.model, at)};
}

/// Gains, and the attitude that they lead to.
void read_attitude_gains(ScenarioContext& scenario, MapReader& map, AttitudeLaw law,
                         const Carrier& carrier, AttitudePd::Settings& settings) {
  settings.damping = read_axis_gains(map, "damping", kAngularDamping);
  if (carrier.body >= 0) {
    settings.reference.start =
        start_frames(scenario).A[static_cast<std::size_t>(carrier.body)] * carrier.axes;
  }
  if (law == AttitudeLaw::damp) return;
  settings.stiffness = read_axis_gains(map, "stiffness", kAngularStiffness);
  settings.dead_band = map.number("dead_band", kDeadBand, 0.0);
  settings.feed_forward = read_feed_forward(scenario.setup(), map);
  if (const auto given = map.find("reference")) {
    settings.reference = read_attitude_reference(scenario, *given, settings.reference.start);
  }
}

/// Gyroscopes and star trackers on a body; on any body where it is negative.
std::vector<std::string> read_attitude_sensors(ScenarioContext& scenario, MapReader& map,
                                               AttitudeLaw law, int body, double& sample_period) {
  const bool damps = law == AttitudeLaw::damp;
  return read_sensor_names(
      scenario, map,
      damps ? "a gyroscope on the body" : "a gyroscope or a star_tracker on the body",
      [&](const Sensor& sensor) {
        const bool fits = sensor.type == SensorType::gyroscope ||
                          (sensor.type == SensorType::star_tracker && !damps);
        return fits && (body < 0 || sensor.at.body == body);
      },
      sample_period);
}

/// Gyros whose gimbals are in a singular posture at the start.
void warn_of_singularity(ScenarioContext& scenario, MapReader& map, const Carrier& carrier,
                         const AttitudePd::Settings& settings) {
  const Model& model = *scenario.model;
  const GyroCluster cluster = gyro_cluster(model, scenario.initial(), settings.gyros.gimbals);
  const Matrix3 axes =
      start_frames(scenario).A[static_cast<std::size_t>(carrier.body)] * carrier.axes;
  const Vector3 gains = settings.stiffness + settings.damping;
  for (const int axis : axes_without_command(axes.transpose() * cluster.torque)) {
    if (gains(axis) == 0.0) continue;
    return map.problems().warning(
        *map.find("actuators"), std::string("expected gyros with torque about the ") + "xyz"[axis] +
                                    " axis of '" + model.body(carrier.body).name +
                                    "' at the start, got a singular posture of their gimbals");
  }
}

/// Gains without one about an axis, as a scenario states them.
std::string hint_at_gains(const AttitudePd::Settings& settings, int axis) {
  std::string text;
  const auto add = [&](const char* key, Vector3 gains) {
    gains(axis) = 0.0;
    if (gains.isZero(0.0)) return;
    text += fmt::format("{}{}: [{:g}, {:g}, {:g}]", text.empty() ? "" : ", ", key, gains.x(),
                        gains.y(), gains.z());
  };
  add("stiffness", settings.stiffness);
  add("damping", settings.damping);
  return text.empty() ? text : "give that axis no gain: " + text;
}

/// Reports axes with a gain about which the actuators have no torque.
void check_authority(ScenarioContext& scenario, MapReader& map, ActuatorKind kind,
                     const Carrier& carrier, const AttitudePd::Settings& settings) {
  const Model& model = *scenario.model;
  const Vector3 gains = settings.stiffness + settings.damping;
  const Commanded commanded{
      "actuators", carrier.body, {gains.x() != 0.0, gains.y() != 0.0, gains.z() != 0.0}};
  if (kind == ActuatorKind::thrusters) {
    return check_torques(scenario, map, commanded, settings.thrusters, settings.modulation);
  }
  if (kind == ActuatorKind::torquers) {
    return check_torquers(model, map, commanded, settings.torquers);
  }
  const bool has_gyros = kind == ActuatorKind::gyros;
  const std::vector<int> idle =
      has_gyros ? GyroSteering("", model, settings.gyros).axes_without_torque(model, carrier.axes)
                : axes_without_command(wheel_axes(model, settings.wheels));
  for (const int axis : idle) {
    if (gains(axis) == 0.0) continue;
    map.error_at("actuators",
                 std::string("expected ") + (has_gyros ? "gyros" : "wheels") +
                     " with torque about the " + "xyz"[axis] + " axis of '" +
                     model.body(carrier.body).name + "', which has a gain, got none" +
                     (has_gyros ? ": all gimbals turn about it" : ""),
                 hint_at_gains(settings, axis));
  }
}

void read_attitude_law(ScenarioContext& scenario, MapReader& map, const std::string& name,
                       AttitudeLaw law) {
  const ErrorMark errors(map.problems());
  const ActuatorKind kind = kind_of_actuators(scenario, map, law);
  refuse_keys_of_others(map, kind, law);
  AttitudePd::Settings settings;
  Carrier carrier;
  switch (kind) {
    case ActuatorKind::wheels:
      carrier = read_attitude_wheels(scenario, map, law, settings);
      break;
    case ActuatorKind::gyros:
      carrier = read_attitude_gyros(scenario, map, settings.gyros);
      break;
    case ActuatorKind::thrusters:
      carrier = read_attitude_thrusters(scenario, map, name, settings);
      break;
    case ActuatorKind::torquers:
      settings.torquers = read_torquers(scenario, map, "actuators");
      if (!settings.torquers.empty()) carrier.body = settings.torquers.front().at.body;
      break;
  }
  read_attitude_gains(scenario, map, law, carrier, settings);
  settings.sample_period = read_sample_period(scenario, map, settings.modulation);
  const auto sensors =
      read_attitude_sensors(scenario, map, law, carrier.body, settings.sample_period);
  // a gain of gyros that is missing is reported at the end
  const bool is_complete = kind != ActuatorKind::gyros || settings.gyros.rate_gain > 0.0;
  if (carrier.body < 0 || !is_complete || errors.found()) return;
  if (settings.stiffness.isZero(0.0) && settings.damping.isZero(0.0)) {
    map.error_at("damping", "expected a gain that is not zero, got none: nothing would act",
                 settings.wheels.empty() ? "" : hint_at_lock(scenario, settings.wheels));
    return;
  }
  check_authority(scenario, map, kind, carrier, settings);
  if (errors.found()) return;
  // rotors of variable speed give the torque at such a start
  if (kind == ActuatorKind::gyros && settings.gyros.rotor_weight == 0.0) {
    warn_of_singularity(scenario, map, carrier, settings);
  }
  scenario.add_controller(std::make_shared<AttitudePd>(name, *scenario.model, std::move(settings)),
                          sensors);
}

}  // namespace

extern const SchemaDefinition kAttitudeReferenceDefinition{"attitude_reference",
                                                           attitude_reference_schema};
extern const SchemaDefinition kAttitudeControlDefinition{"attitude_control",
                                                         attitude_control_schema};
extern const SchemaDefinition kDetumbleDefinition{"detumble", detumble_schema};

void read_attitude(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  read_attitude_law(scenario, map, name, AttitudeLaw::hold);
}

void read_detumble(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  read_attitude_law(scenario, map, name, AttitudeLaw::damp);
}

}  // namespace spacedyn::loading
