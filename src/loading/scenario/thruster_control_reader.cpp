#include "control/mounting.hpp"
#include "loading/keys/mapping.hpp"
#include "loading/scenario/control_keys.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/control/momentum_dumping.hpp"
#include "spacedyn/control/station_keeping.hpp"

namespace spacedyn::loading {
namespace {

using Dumping = MomentumDumping::Settings;

Mapping<Dumping> dumping_keys() {
  using namespace kind;
  Mapping<Dumping> keys;
  keys.require("gain", &Dumping::gain, number(positive(in("1/s")), "Gain, 1/s"));
  return keys;
}

std::string momentum_dumping_schema() {
  MappingSchema schema("Thrusters or torquers take the momentum out of reaction wheels");
  schema.require("type", constant_schema("momentum_dumping"))
      .allow("name", text_schema())
      .require("wheels", names_schema("Reaction wheels on one body"))
      .allow("thrusters", names_schema("Thrusters on one body"))
      .allow("torquers", names_schema("Magnetic torquers of 'forces' on one body"))
      .allow("inhibit", names_schema("Thrusters among them that are not opened"))
      .allow("modulation", reference_schema("modulation"))
      .add_rule(one_key_rule({"thrusters", "torquers"}));
  once<dumping_keys>().describe(schema);
  return schema.text();
}

using Keeping = StationKeeping::Settings;

constexpr Quantity kHoldStiffness{Dimension::linear_stiffness, Range::not_negative};
constexpr Quantity kHoldDamping{Dimension::none, Range::not_negative, false, "N s/m"};
constexpr Quantity kHoldBand{Dimension::length, Range::not_negative};

std::string station_keeping_schema() {
  MappingSchema schema("Thrusters hold a spacecraft at a place, or lead it along a path");
  schema.require("type", constant_schema("station_keeping"))
      .allow("name", text_schema())
      .require("thrusters", names_schema("Thrusters on one body"))
      .allow("inhibit", names_schema("Thrusters among them that are not opened"))
      .require("stiffness",
               axis_gains_schema(kHoldStiffness, "K along the axes of the run, N/m: one, or 3"))
      .require("damping", axis_gains_schema(kHoldDamping, "D, N s/m: one, or 3"))
      .allow("dead_band", number_schema({kHoldBand}, "Part of the error that nothing answers, m"))
      .allow("reference", reference_schema("reference"))
      .allow("sample_period", reference_schema("sample_period"))
      .allow("sensors", reference_schema("taken_sensors"))
      .allow("modulation", reference_schema("modulation"));
  return schema.text();
}

/// Whether a sensor tells something about the place and the attitude of a body; of any where it is
/// negative.
bool sees_place(const Sensor& sensor, int body) {
  const bool fits = sensor.type == SensorType::relative_pose ||
                    sensor.type == SensorType::star_tracker || sensor.type == SensorType::gyroscope;
  return fits && (body < 0 || sensor.at.body == body);
}

/// Reports axes with a gain along which the thrusters do not push without turning the spacecraft.
void check_pushes(const ScenarioContext& scenario, MapReader& map, const Keeping& settings) {
  const Rest start(scenario);
  ThrusterAllocation nozzles("", settings.thrusters, settings.modulation);
  nozzles.connect(start.model);
  for (const int axis : nozzles.axes_without_force(start.now(), Matrix3::Identity())) {
    if (settings.stiffness(axis) + settings.damping(axis) == 0.0) continue;
    map.error_at("thrusters",
                 std::string("expected thrusters that push in both directions along the ") +
                     "xyz"[axis] + " axis without a torque, got none");
  }
}

}  // namespace

extern const SchemaDefinition kMomentumDumpingDefinition{"momentum_dumping",
                                                         momentum_dumping_schema};
extern const SchemaDefinition kStationKeepingDefinition{"station_keeping", station_keeping_schema};

void read_momentum_dumping(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  const ErrorMark errors(map.problems());
  Dumping settings;
  const auto wheels = read_wheels(scenario, map, "wheels");
  has_one_of(map, "thrusters", "torquers");
  if (map.has("thrusters")) {
    settings.modulation = read_modulation(scenario, map);
    settings.thrusters = read_thrusters(scenario, map, "thrusters", settings.modulation, name);
  } else {
    map.refuse("modulation", "only thrusters are modulated");
    map.refuse("inhibit", "only thrusters are inhibited");
  }
  const bool has_torquers = map.has("torquers");
  if (has_torquers) settings.torquers = read_torquers(scenario, map, "torquers");
  once<dumping_keys>().read(map, settings);
  // a gain that is missing is reported at the end
  if (!wheels || settings.gain == 0.0 || errors.found()) return;
  const Model& model = *scenario.model;
  settings.wheels = *wheels;
  Commanded commanded{has_torquers ? "torquers" : "thrusters",
                      model.topology().connection(wheels->front()),
                      {true, true, true}};
  for (const int axis : axes_without_command(wheel_axes(model, *wheels))) {
    commanded.axes[static_cast<std::size_t>(axis)] = false;
  }
  if (has_torquers) {
    check_torquers(model, map, commanded, settings.torquers);
  } else {
    check_torques(scenario, map, commanded, settings.thrusters, settings.modulation);
  }
  if (errors.found()) return;
  scenario.add_controller(std::make_shared<MomentumDumping>(name, model, std::move(settings)), {});
}

void read_station_keeping(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  const ErrorMark errors(map.problems());
  Keeping settings;
  settings.modulation = read_modulation(scenario, map);
  settings.thrusters = read_thrusters(scenario, map, "thrusters", settings.modulation, name);
  settings.stiffness = read_axis_gains(map, "stiffness", kHoldStiffness);
  settings.damping = read_axis_gains(map, "damping", kHoldDamping);
  settings.dead_band = map.number("dead_band", kHoldBand, 0.0);
  settings.sample_period = read_sample_period(scenario, map, settings.modulation);
  const int body = settings.thrusters.empty() ? -1 : settings.thrusters.front().at.body;
  const auto sensors = read_sensor_names(
      scenario, map, "a relative_pose, a star_tracker or a gyroscope on the body",
      [&](const Sensor& sensor) { return sees_place(sensor, body); }, settings.sample_period);
  const Vector3 start = body < 0 ? Vector3(Vector3::Zero())
                                 : start_frames(scenario).r[static_cast<std::size_t>(body)];
  settings.reference = std::make_shared<ConstantReference>(start);
  if (const auto given = map.find("reference")) {
    settings.reference = read_place(scenario, *given, start, MotionUse::followed);
  }
  if (!settings.reference || errors.found()) return;
  if (settings.stiffness.isZero(0.0) && settings.damping.isZero(0.0)) {
    map.error_at("stiffness", "expected a gain that is not zero, got none: nothing would act");
    return;
  }
  // thrusters that are missing are reported at the end
  if (settings.thrusters.empty()) return;
  check_pushes(scenario, map, settings);
  if (errors.found()) return;
  scenario.add_controller(
      std::make_shared<StationKeeping>(name, *scenario.model, std::move(settings)), sensors);
}

}  // namespace spacedyn::loading
