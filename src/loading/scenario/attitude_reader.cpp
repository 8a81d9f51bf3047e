#include <fmt/format.h>

#include "loading/keys/geometry.hpp"
#include "loading/scenario/control_keys.hpp"
#include "loading/scenario/sections.hpp"
#include "spacedyn/control/attitude_pd.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kAngularDamping{Dimension::none, Range::not_negative, false, "N m s/rad"};

/// What a controller does with the attitude of a body.
enum class AttitudeLaw { hold, damp };

struct AttitudeInput : ControlInput {
  Actuators actuators;
  AttitudePd::Settings settings;

  AxisGains& gains() { return settings; }
};

template <AttitudeLaw law>
constexpr ActuatorList kList{"actuators",
                             "Reaction wheels, gyros, thrusters or torquers, on one body",
                             std::nullopt, law == AttitudeLaw::hold};

bool has_orientation(const MapReader& map) {
  const auto& keys = orientation_keys();
  return std::any_of(keys.begin(), keys.end(),
                     [&](const OrientationKey& key) { return map.has(key.name); });
}

Json attitude_reference_schema() {
  MappingSchema constant("One attitude");
  constant.allow("type", constant_schema("constant"));
  describe_orientation(constant, true);
  return any_of_schema(
      {constant, reference_schema("turn"), reference_schema("reference")},
      "An attitude: constant, a turn about an inertial axis, or roll, pitch and yaw in time");
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
    frame.motions.assign(3, JointType::revolute);
    frame.start = rpy_from_matrix(start);
    reference.rpy = read_reference(value, frame, scenario.context());
  }
  return reference;
}

/// Where the attitude is at the start.
void take_start(Reading& reading, AttitudeInput& input) {
  if (!input.actuators.allocation) return;
  const Allocation& actuators = *input.actuators.allocation;
  input.settings.reference.start =
      start_frames(*reading.scenario).A[static_cast<std::size_t>(actuators.body())] *
      actuators.axes();
}

/// Actuators, when they are commanded, and what is read then: gyroscopes and star trackers.
template <AttitudeLaw law>
KeyGroup<AttitudeInput> actuator_keys() {
  const auto describe = [](MappingSchema& schema) {
    describe_actuators(kList<law>, schema, Presence::required);
    describe_sampling(schema);
  };
  const auto read = [](Reading& reading, AttitudeInput& input) {
    constexpr bool kDamps = law == AttitudeLaw::damp;
    input.actuators = read_actuators(reading, kList<law>, input.name);
    take_start(reading, input);
    input.sample_period = read_sample_period(reading, input.actuators);
    const int body = input.actuators.body;
    input.sensors = read_sensor_names(
        *reading.scenario, reading.map,
        kDamps ? "a gyroscope on the body" : "a gyroscope or a star_tracker on the body",
        [&](const Sensor& sensor) {
          const bool fits = sensor.type == SensorType::gyroscope ||
                            (sensor.type == SensorType::star_tracker && !kDamps);
          return fits && (body < 0 || sensor.at.body == body);
        },
        input.sample_period);
    return input.actuators.allocation != nullptr;
  };
  return {describe, read};
}

/// Attitude from the start on.
KeyGroup<AttitudeInput> reference_key() {
  const auto describe = [](MappingSchema& schema) {
    schema.allow("reference", reference_schema("attitude_reference"));
  };
  const auto read = [](Reading& reading, AttitudeInput& input) {
    AttitudeReference& reference = input.settings.reference;
    if (const auto given = reading.map.find("reference")) {
      reference = read_attitude_reference(*reading.scenario, *given, reference.start);
    }
    return true;
  };
  return {describe, read};
}

/// How to fly without some wheels: what stands under `locked`.
std::string hint_at_lock(const ScenarioContext& scenario, const std::vector<int>& wheels) {
  std::string names, place = "locked";
  for (const int wheel : wheels) {
    std::string name = scenario.model->joint(wheel).name;
    const std::size_t dot = name.find('.');
    if (!scenario.robots.empty() && dot != std::string::npos) {
      place = "robots." + name.substr(0, dot) + ".locked";
      name.erase(0, dot + 1);
    }
    names += (names.empty() ? "" : ", ") + name;
  }
  return "to fly without these wheels, lock them: " + place + ": [" + names + "]";
}

Mapping<AttitudeInput> detumble_keys() {
  using namespace kind;
  Mapping<AttitudeInput> keys("Damping of the rotation of a body");
  keys.group(actuator_keys<AttitudeLaw::damp>());
  keys.require(
      "damping", [](AttitudeInput& input) -> Vector3& { return input.gains().damping; },
      axis_gains(kAngularDamping, "D about the axes of the body, N m s/rad: one, or 3"));
  return keys;
}

Mapping<AttitudeInput> attitude_keys() {
  using namespace kind;
  Mapping<AttitudeInput> keys("Quaternion feedback of the attitude of a body");
  keys.group(actuator_keys<AttitudeLaw::hold>());
  keys.require(
      "damping", [](AttitudeInput& input) -> Vector3& { return input.gains().damping; },
      axis_gains(kAngularDamping, "D about the axes of the body, N m s/rad: one, or 3"));
  keys.require(
      "stiffness", [](AttitudeInput& input) -> Vector3& { return input.gains().stiffness; },
      axis_gains(not_negative(kAngularStiffness),
                 "K about the axes of the body, N*m/rad: one, or 3"));
  keys.allow(
      "dead_band", [](AttitudeInput& input) -> double& { return input.gains().dead_band; },
      not_negative(kAngle), "Part of the error that nothing answers, rad");
  keys.allow(
      "feed_forward", [](AttitudeInput & input) -> auto& { return input.settings.feed_forward; },
      joint_motions("Controllers listed before that lead joints, or prescribed joints, whose "
                    "momentum the actuators take up"));
  keys.group(reference_key());
  return keys;
}

Mapping<AttitudeInput> base_feed_forward_keys() {
  using namespace kind;
  Mapping<AttitudeInput> keys("Actuators take up the momentum of joints that move as foreseen");
  keys.group(actuator_keys<AttitudeLaw::hold>());
  keys.require(
      "of", [](AttitudeInput & input) -> auto& { return input.settings.feed_forward; },
      joint_motions("Controllers listed before that lead joints, or prescribed joints", "of"));
  return keys;
}

/// Gyros whose gimbals are in a singular posture at the start.
void warn_of_singularity(Reading& reading, const AttitudeInput& input, const GyroSteering& gyros) {
  const ScenarioContext& scenario = *reading.scenario;
  const Model& model = *scenario.model;
  const GyroCluster cluster =
      gyro_cluster(model, scenario.result.initial, gyros.settings().gimbals);
  const Matrix3 axes =
      start_frames(scenario).A[static_cast<std::size_t>(gyros.body())] * gyros.axes();
  for (const int axis : axes_without_command(axes.transpose() * cluster.torque)) {
    if (!input.settings.act_on(axis)) continue;
    return reading.problems().warning(
        *reading.map.find("actuators"),
        std::string("expected gyros with torque about the ") + "xyz"[axis] + " axis of '" +
            model.body(gyros.body()).name +
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

void add_controller(Reading& reading, AttitudeInput& input) {
  input.settings.sample_period = input.sample_period;
  reading.scenario->add_controller(
      std::make_shared<AttitudePd>(input.name, *reading.scenario->model, std::move(input.settings),
                                   input.actuators.allocation),
      input.sensors);
}

/// An attitude without gains.
void add_feed_forward(Reading& reading, AttitudeInput& input) {
  if (!input.settings.feed_forward.empty()) return add_controller(reading, input);
  reading.map.error_at("of", "expected at least one name, got an empty list");
}

template <AttitudeLaw law>
void add_attitude(Reading& reading, AttitudeInput& input) {
  const ErrorMark errors(reading.problems());
  const Actuators& actuators = input.actuators;
  const AttitudePd::Settings& settings = input.settings;
  if (settings.stiffness.isZero(0.0) && settings.damping.isZero(0.0)) {
    return reading.map.error_at(
        "damping", "expected a gain that is not zero, got none: nothing would act",
        actuators.wheels == nullptr ? ""
                                    : hint_at_lock(*reading.scenario, actuators.wheels->wheels()));
  }
  check_authority(
      reading, kList<law>, actuators, actuators.body,
      [&](int axis) { return settings.act_on(axis); },
      [&](int axis) { return hint_at_gains(settings, axis); });
  if (errors.found()) return;
  // rotors of variable speed give the torque at such a start
  if (actuators.gyros != nullptr && actuators.gyros->settings().rotor_weight == 0.0) {
    warn_of_singularity(reading, input, *actuators.gyros);
  }
  add_controller(reading, input);
}

}  // namespace

extern const SchemaDefinition kAttitudeReferenceDefinition{"attitude_reference",
                                                           attitude_reference_schema};
extern const ControlType kAttitudeType =
    control_type<attitude_keys>("attitude", add_attitude<AttitudeLaw::hold>);
extern const ControlType kDetumbleType =
    control_type<detumble_keys>("detumble", add_attitude<AttitudeLaw::damp>);
extern const ControlType kBaseFeedForwardType =
    control_type<base_feed_forward_keys>("base_feed_forward", add_feed_forward);

}  // namespace spacedyn::loading
