#include "loading/keys/fields.hpp"
#include "loading/scenario/axis_gains.hpp"
#include "loading/scenario/modulation_reader.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "loading/scenario/thruster_names.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/control/station_keeping.hpp"
#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn::loading {
namespace {

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
void check_pushes(MapReader& map, const Keeping& settings, const Model& model,
                  const State& initial) {
  LinkFrames frames(model);
  compute_link_frames(model, initial, frames);
  const LinkVelocities velocities(model);
  const EvaluationContext start{0.0, model, initial, frames, velocities, initial.z};
  ThrusterAllocation nozzles("", settings.thrusters, settings.modulation);
  nozzles.connect(model);
  for (const int axis : nozzles.axes_without_force(start, Matrix3::Identity())) {
    if (settings.stiffness(axis) + settings.damping(axis) == 0.0) continue;
    map.error_at("thrusters",
                 std::string("expected thrusters that push in both directions along the ") +
                     "xyz"[axis] + " axis without a torque, got none");
  }
}

}  // namespace

extern const SchemaDefinition kStationKeepingDefinition{"station_keeping", station_keeping_schema};

void ScenarioReader::read_station_keeping(MapReader& map, const std::string& name) {
  const std::size_t errors_before = problems().error_count();
  Keeping settings;
  settings.modulation = read_modulation(map, scenario_.duration);
  settings.thrusters = read_thrusters(map, "thrusters", model_.get(), settings.modulation);
  settings.stiffness = read_axis_gains(map, "stiffness", kHoldStiffness);
  settings.damping = read_axis_gains(map, "damping", kHoldDamping);
  settings.dead_band = map.number("dead_band", kHoldBand, 0.0);
  if (settings.modulation.acts()) map.refuse("sample_period", "its modulation has a period");
  settings.sample_period =
      settings.modulation.acts() ? settings.modulation.period : read_sample_period(map);
  const int body = settings.thrusters.empty() ? -1 : settings.thrusters.front().at.body;
  const auto sensors = read_sensor_names(
      map, "a relative_pose, a star_tracker or a gyroscope on the body",
      [&](const Sensor& sensor) { return sees_place(sensor, body); }, settings.sample_period);
  claim_thrusters(map, "thrusters", settings.thrusters, name);
  Vector3 start = Vector3::Zero();
  if (body >= 0) {
    LinkFrames frames(*model_);
    compute_link_frames(*model_, scenario_.initial, frames);
    start = frames.r[static_cast<std::size_t>(body)];
  }
  settings.reference = std::make_shared<ConstantReference>(start);
  if (const auto given = map.find("reference")) {
    settings.reference = read_place(*given, start, false);
  }
  if (!settings.reference || problems().error_count() > errors_before) return;
  if (settings.stiffness.isZero(0.0) && settings.damping.isZero(0.0)) {
    map.error_at("stiffness", "expected a gain that is not zero, got none: nothing would act");
    return;
  }
  // thrusters that are missing are reported at the end
  if (settings.thrusters.empty()) return;
  check_pushes(map, settings, *model_, scenario_.initial);
  if (problems().error_count() > errors_before) return;
  const auto controller = std::make_shared<StationKeeping>(name, *model_, std::move(settings));
  controller->take_sensors(sensors);
  scenario_.setup.controllers.push_back(controller);
}

}  // namespace spacedyn::loading
