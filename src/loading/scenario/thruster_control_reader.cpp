#include "loading/scenario/control_keys.hpp"
#include "loading/scenario/sections.hpp"
#include "spacedyn/control/momentum_dumping.hpp"

namespace spacedyn::loading {
namespace {

constexpr ActuatorList kThrusters{"thrusters", "Thrusters on one body", ActuatorKind::thrusters};
constexpr ActuatorList kTorquers{"torquers", "Magnetic torquers of 'forces' on one body",
                                 ActuatorKind::torquers};

struct DumpingInput : ControlInput {
  MomentumDumping::Settings settings;
  ActuatorList list = kThrusters;
  Actuators actuators;
};

/// Wheels, and what takes their momentum.
void describe_dumping(MappingSchema& schema) {
  schema.require("wheels", names_schema("Reaction wheels on one body"));
  describe_actuators(kThrusters, schema, Presence::optional);
  describe_actuators(kTorquers, schema, Presence::optional);
  schema.add_rule(one_key_rule({"thrusters", "torquers"}));
}

bool read_dumping(Reading& reading, DumpingInput& input) {
  MapReader& map = reading.map;
  const auto wheels = read_wheels(*reading.scenario, map, "wheels");
  const bool has_one = has_one_of(map, {"thrusters", "torquers"});
  if (wheels) {
    input.settings.wheels = *wheels;
    input.list.body = reading.scenario->model->topology().connection(wheels->front());
  }
  if (map.has("thrusters")) {
    input.actuators = read_actuators(reading, input.list, input.name);
  } else {
    map.refuse("modulation", "only thrusters are modulated");
    map.refuse("inhibit", "only thrusters are inhibited");
  }
  if (map.has("torquers")) {
    const int body = input.list.body;
    input.list = kTorquers;
    input.list.body = body;
    input.actuators = read_actuators(reading, input.list, input.name);
  }
  return wheels && has_one && input.actuators.allocation;
}

Mapping<DumpingInput> dumping_keys() {
  using namespace kind;
  Mapping<DumpingInput> keys("Thrusters or torquers take the momentum out of reaction wheels");
  keys.group({describe_dumping, read_dumping});
  keys.require(
      "gain", [](DumpingInput& input) -> double& { return input.settings.gain; },
      positive(in("1/s")), "Gain, 1/s");
  return keys;
}

void add_dumping(Reading& reading, DumpingInput& input) {
  const ErrorMark errors(reading.problems());
  const Model& model = *reading.scenario->model;
  std::array<bool, 3> commanded{true, true, true};
  for (const int axis : axes_without_command(wheel_axes(model, input.settings.wheels))) {
    commanded[static_cast<std::size_t>(axis)] = false;
  }
  check_authority(reading, input.list, input.actuators, input.list.body,
                  [&](int axis) { return commanded[static_cast<std::size_t>(axis)]; });
  if (errors.found()) return;
  reading.scenario->add_controller(
      std::make_shared<MomentumDumping>(input.name, model, std::move(input.settings),
                                        input.actuators.allocation),
      {});
}

struct KeepingInput : ControlInput {
  StationKeeping::Settings settings;
  Actuators actuators;
  Vector3 start = Vector3::Zero();  // where the body is

  AxisGains& gains() { return settings; }
};

void describe_keeping(MappingSchema& schema) {
  describe_actuators(kThrusters, schema, Presence::required);
  describe_sampling(schema);
}

/// Whether a sensor tells something about the place and the attitude of a body; of any where it is
/// negative.
bool sees_place(const Sensor& sensor, int body) {
  const bool fits = sensor.type == SensorType::relative_pose ||
                    sensor.type == SensorType::star_tracker || sensor.type == SensorType::gyroscope;
  return fits && (body < 0 || sensor.at.body == body);
}

bool read_keeping(Reading& reading, KeepingInput& input) {
  input.actuators = read_actuators(reading, kThrusters, input.name);
  const int body = input.actuators.body;
  input.sample_period = read_sample_period(reading, input.actuators);
  input.sensors = read_sensor_names(
      *reading.scenario, reading.map, "a relative_pose, a star_tracker or a gyroscope on the body",
      [&](const Sensor& sensor) { return sees_place(sensor, body); }, input.sample_period);
  if (body >= 0) input.start = start_frames(*reading.scenario).r[static_cast<std::size_t>(body)];
  input.settings.reference = std::make_shared<ConstantReference>(input.start);
  return input.actuators.allocation != nullptr;
}

KeyGroup<KeepingInput> place_key() {
  const auto describe = [](MappingSchema& schema) {
    schema.allow("reference", reference_schema("reference"));
  };
  const auto read = [](Reading& reading, KeepingInput& input) {
    if (const auto given = reading.map.find("reference")) {
      input.settings.reference =
          read_place(*reading.scenario, *given, input.start, MotionUse::followed);
    }
    return input.settings.reference != nullptr;
  };
  return {describe, read};
}

Mapping<KeepingInput> keeping_keys() {
  using namespace kind;
  Mapping<KeepingInput> keys("Thrusters hold a spacecraft at a place, or lead it along a path");
  keys.group({describe_keeping, read_keeping});
  keys.require(
      "stiffness", [](KeepingInput& input) -> Vector3& { return input.gains().stiffness; },
      axis_gains(not_negative(kLinearStiffness), "K along the axes of the run, N/m: one, or 3"));
  keys.require(
      "damping", [](KeepingInput& input) -> Vector3& { return input.gains().damping; },
      axis_gains({Dimension::none, Range::not_negative, false, "N s/m"}, "D, N s/m: one, or 3"));
  keys.allow(
      "dead_band", [](KeepingInput& input) -> double& { return input.gains().dead_band; },
      not_negative(kLength), "Part of the error that nothing answers, m");
  keys.group(place_key());
  return keys;
}

void add_keeping(Reading& reading, KeepingInput& input) {
  const ErrorMark errors(reading.problems());
  const StationKeeping::Settings& settings = input.settings;
  if (settings.stiffness.isZero(0.0) && settings.damping.isZero(0.0)) {
    return reading.map.error_at("stiffness",
                                "expected a gain that is not zero, got none: nothing would act");
  }
  const Rest start(*reading.scenario);
  for (const int axis : input.actuators.allocation->axes_without_force(start.now())) {
    if (!settings.act_on(axis)) continue;
    reading.map.error_at("thrusters",
                         std::string("expected thrusters that push in both directions along the ") +
                             "xyz"[axis] + " axis without a torque, got none");
  }
  if (errors.found()) return;
  input.settings.sample_period = input.sample_period;
  reading.scenario->add_controller(
      std::make_shared<StationKeeping>(input.name, std::move(input.settings),
                                       input.actuators.allocation),
      input.sensors);
}

}  // namespace

extern const ControlType kMomentumDumpingType =
    control_type<dumping_keys>("momentum_dumping", add_dumping);
extern const ControlType kStationKeepingType =
    control_type<keeping_keys>("station_keeping", add_keeping);

}  // namespace spacedyn::loading
