#include <algorithm>
#include <array>

#include "control/mounting.hpp"
#include "loading/keys/fields.hpp"
#include "loading/scenario/gyro_reader.hpp"
#include "loading/scenario/magnetic_reader.hpp"
#include "loading/scenario/modulation_reader.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "loading/scenario/thruster_names.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/control/momentum_dumping.hpp"
#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn::loading {
namespace {

using Dumping = MomentumDumping::Settings;

const Fields<Dumping>& dumping_fields() {
  static const Fields<Dumping> kFields = {{"gain",
                                           "Gain, 1/s",
                                           {Dimension::none, Range::positive, false, "1/s"},
                                           [](Dumping& d) -> double& { return d.gain; },
                                           Presence::required}};
  return kFields;
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
  describe_fields(dumping_fields(), schema);
  return schema.text();
}

/// Reports axes of a body, of those that are wanted, about which thrusters have no torque.
void check_torques(MapReader& map, const char* key, const std::vector<Thruster>& thrusters,
                   const ThrusterModulation& modulation, int body,
                   const std::array<bool, 3>& wanted, const Model& model, const State& initial) {
  LinkFrames frames(model);
  compute_link_frames(model, initial, frames);
  const LinkVelocities velocities(model);
  const EvaluationContext start{0.0, model, initial, frames, velocities, initial.z};
  const Matrix3 axes =
      frames.A[static_cast<std::size_t>(body)] * axes_of_owner(model, thrusters.front().at);
  ThrusterAllocation nozzles("", thrusters, modulation);
  nozzles.connect(model);
  for (const int axis : nozzles.axes_without_torque(start, axes)) {
    if (!wanted[static_cast<std::size_t>(axis)]) continue;
    map.error_at(key, std::string("expected thrusters with torque in both directions about the ") +
                          "xyz"[axis] + " axis of '" + model.body(body).name +
                          "', which is commanded, got none");
  }
}

/// Whether an action of an event in a list turns a controller on or off.
bool is_switched(const Node& events, const std::string& controller) {
  const auto names_it = [&](const NodePtr& action) {
    const Entry* named = action->find("controller");
    return named != nullptr && named->value->is_scalar() && named->value->text == controller;
  };
  return std::any_of(events.items.begin(), events.items.end(), [&](const NodePtr& event) {
    const Entry* actions = event->find("actions");
    return actions != nullptr &&
           std::any_of(actions->value->items.begin(), actions->value->items.end(), names_it);
  });
}

}  // namespace

extern const SchemaDefinition kMomentumDumpingDefinition{"momentum_dumping",
                                                         momentum_dumping_schema};

void ScenarioReader::claim_thrusters(const MapReader& map, const char* key,
                                     const std::vector<Thruster>& thrusters,
                                     const std::string& controller) {
  const auto events = map_.find("events");
  const auto switches = [&](const std::string& name) {
    return events && is_switched(*events->node, name);
  };
  for (const Thruster& thruster : thrusters) {
    const auto [opener, is_free] = openers_.emplace(thruster.name, controller);
    if (is_free || switches(controller) || switches(opener->second)) continue;
    for_each_item(*MapReader(map).find(key), problems(), [&](const Value& item) {
      if (!item.node->is_scalar() || item.node->text != thruster.name) return;
      problems().error(item.node->mark, item.path,
                       "expected a thruster that no other controller opens, got " +
                           quote(thruster.name) + ", which " + quote(opener->second) + " opens",
                       "controllers that events turn on and off may share it");
    });
  }
}

void ScenarioReader::read_momentum_dumping(MapReader& map, const std::string& name) {
  const std::size_t errors_before = problems().error_count();
  Dumping settings;
  const auto wheels = read_wheels(map, "wheels");
  const bool has_thrusters = map.has("thrusters"), has_torquers = map.has("torquers");
  if (map.is_mapping() && has_thrusters == has_torquers) {
    problems().error(map.mark(), map.path(),
                     std::string("expected one of the keys thrusters and torquers, got ") +
                         (has_torquers ? "both" : "neither"));
  }
  if (has_thrusters) {
    settings.modulation = read_modulation(map, scenario_.duration);
    settings.thrusters = read_thrusters(map, "thrusters", model_.get(), settings.modulation);
    claim_thrusters(map, "thrusters", settings.thrusters, name);
  } else {
    map.refuse("modulation", "only thrusters are modulated");
    map.refuse("inhibit", "only thrusters are inhibited");
  }
  if (has_torquers) settings.torquers = MagneticReader(*this).read_torquers(map, "torquers");
  read_fields(map, dumping_fields(), settings);
  if (!wheels || problems().error_count() > errors_before) return;
  // a gain that is missing is reported at the end
  if (settings.gain == 0.0) return;
  settings.wheels = *wheels;
  std::array<bool, 3> wanted{true, true, true};
  for (const int axis : axes_without_command(wheel_axes(*model_, *wheels))) {
    wanted[static_cast<std::size_t>(axis)] = false;
  }
  const int body = model_->topology().connection(wheels->front());
  if (has_torquers) {
    check_torquers(map, "torquers", settings.torquers, body, wanted, *model_);
  } else {
    check_torques(map, "thrusters", settings.thrusters, settings.modulation, body, wanted, *model_,
                  scenario_.initial);
  }
  if (problems().error_count() > errors_before) return;
  scenario_.setup.controllers.push_back(
      std::make_shared<MomentumDumping>(name, *model_, std::move(settings)));
}

void ScenarioReader::read_attitude_thrusters(MapReader& map, const std::string& name,
                                             bool damps_only) {
  const std::size_t errors_before = problems().error_count();
  const ThrusterModulation modulation = read_modulation(map, scenario_.duration);
  const std::vector<Thruster> thrusters =
      read_thrusters(map, "actuators", model_.get(), modulation);
  claim_thrusters(map, "actuators", thrusters, name);
  const int body = thrusters.empty() ? -1 : thrusters.front().at.body;
  refuse_gyro_steering(map);
  if (modulation.acts()) map.refuse("sample_period", "its modulation has a period");
  const Matrix3 axes = thrusters.empty() ? Matrix3(Matrix3::Identity())
                                         : axes_of_owner(*model_, thrusters.front().at);
  AttitudePd::Settings settings = read_attitude_settings(map, body, axes, damps_only);
  settings.modulation = modulation;
  settings.sample_period = modulation.acts() ? modulation.period : read_sample_period(map);
  const auto sensors = read_attitude_sensors(map, body, damps_only, settings.sample_period);
  if (problems().error_count() > errors_before) return;
  const Vector3 gains = settings.stiffness + settings.damping;
  if (gains.isZero(0.0)) {
    map.error_at("damping", "expected a gain that is not zero, got none: nothing would act");
    return;
  }
  check_torques(map, "actuators", thrusters, modulation, body,
                {gains.x() != 0.0, gains.y() != 0.0, gains.z() != 0.0}, *model_, scenario_.initial);
  if (problems().error_count() > errors_before) return;
  settings.thrusters = thrusters;
  const auto controller = std::make_shared<AttitudePd>(name, *model_, std::move(settings));
  controller->take_sensors(sensors);
  scenario_.setup.controllers.push_back(controller);
}

}  // namespace spacedyn::loading
