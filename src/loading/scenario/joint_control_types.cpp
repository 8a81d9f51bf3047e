#include "loading/keys/session.hpp"
#include "loading/scenario/whole_body_keys.hpp"
#include "spacedyn/control/inertial_damping.hpp"
#include "spacedyn/control/plugin_controller.hpp"

namespace spacedyn::loading {
namespace {

using DampingInput = JointInput<InertialDamping::Settings>;

template <typename Input>
KeyGroup<Input> timing(const OtherSensors& others = {}) {
  return {describe_digitization, [others](Reading& reading, Input& input) {
            return read_timing(reading, input, input.settings.digitization, others);
          }};
}

Mapping<DampingInput> inertial_damping_keys() {
  using namespace kind;
  using Settings = InertialDamping::Settings;
  Mapping<DampingInput> keys("An arm damps the springs that it stands on by its inertia");
  keys.require("joints", tracked<Settings>(&JointTracking::joints), driven_joints());
  keys.group(timing<DampingInput>());
  keys.require("modes", setting(&Settings::modes),
               whole_number<int>(1, 1e6, "a whole number, at least 1",
                                 "The lowest modes of all other joints with stiffness"));
  keys.require("damping_ratio", setting(&Settings::damping_ratio),
               number(positive(kNumber), "ζ of each of them"));
  keys.allow("effort_limit", tracked<Settings>(&JointTracking::effort_limit), effort_limit());
  return keys;
}

void add_inertial_damping(Reading& reading, DampingInput& input) {
  if (reading.scenario->has_several_robots()) {
    reading.map.error_at("joints", "expected a scenario of one robot, whose modes are damped");
    return;
  }
  if (reading.scenario->result.equilibrium) {
    reading.map.error_at("modes",
                         "expected a start that 'initial' states, about which modes are taken, got "
                         "an equilibrium that is yet to be found");
    return;
  }
  input.settings.surroundings = surroundings_of(reading.scenario->setup());
  try {
    add_joint_controller<InertialDamping>(reading, input, true, *reading.scenario->model,
                                          reading.scenario->initial());
  } catch (const DomainError& error) {
    reading.map.error_at("modes", error.what());
  }
}

using PluginInput = JointInput<PluginController::Settings>;

/// Numbers by name.
KeyGroup<PluginInput> parameters_key() {
  const auto describe = [](MappingSchema& schema) {
    schema.allow("parameters", by_name_schema(number_schema({quantity::kNumber}),
                                              "Numbers that the plug-in is created with"));
  };
  const auto read = [](Reading& reading, PluginInput& input) {
    const auto value = reading.map.find("parameters");
    if (!value) return true;
    const std::size_t errors = reading.problems().error_count();
    if (!value->node->is_mapping()) {
      reading.map.error_at("parameters", "expected a mapping of numbers by name, got " +
                                             spacedyn::loading::describe(*value->node));
    }
    for (const Entry& entry : value->node->entries) {
      const Value item{entry.value.get(), join_path(value->path, entry.key)};
      const auto number = read_number(item, quantity::kNumber, reading.problems());
      if (number) input.settings.parameters.emplace_back(entry.key, *number);
    }
    return reading.problems().error_count() == errors;
  };
  return {describe, read};
}

Mapping<PluginInput> plugin_keys() {
  using namespace kind;
  using Settings = PluginController::Settings;
  Mapping<PluginInput> keys("Torques from a shared object, see spacedyn/plugin.h");
  keys.require("file", setting(&Settings::file),
               text("Path of the shared object, relative to the scenario"));
  keys.group(parameters_key());
  keys.require("joints", tracked<Settings>(&JointTracking::joints), driven_joints());
  keys.group(timing<PluginInput>({"", [](const Sensor&) { return true; }}));
  keys.allow("effort_limit", tracked<Settings>(&JointTracking::effort_limit), effort_limit());
  return keys;
}

void add_plugin(Reading& reading, PluginInput& input) {
  const Value file = *reading.map.find("file");
  input.settings.file = path_beside(file, input.settings.file);
  for (const std::string& name : input.sensors) {
    for (const Sensor& sensor : reading.scenario->setup().sensors) {
      if (sensor.name != name) continue;
      input.settings.reading_count += sensor_traits(sensor.type).reading;
    }
  }
  try {
    add_joint_controller<PluginController>(reading, input, true);
  } catch (const Error& error) {
    reading.map.error_at("file", error.what());
  }
}

}  // namespace

extern const ControlType kInertialDampingType =
    control_type<inertial_damping_keys>("inertial_damping", add_inertial_damping);
extern const ControlType kPluginType = control_type<plugin_keys>("plugin", add_plugin);

}  // namespace spacedyn::loading
