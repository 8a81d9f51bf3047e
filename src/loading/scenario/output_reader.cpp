#include <algorithm>

#include <fmt/ranges.h>

#include "loading/keys/mapping.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "loading/schema/schema_definition.hpp"

namespace spacedyn::loading {
namespace {

Mapping<ScenarioChecks> check_keys() {
  using namespace kind;
  using Checks = ScenarioChecks;
  const auto limit = [](const char* title) { return optional(number(positive(kNumber), title)); };
  Mapping<Checks> keys("Limits that a run must keep");
  keys.allow("momentum_drift", &Checks::momentum_drift, limit("Of a system without outer forces"));
  keys.allow("energy_residual", &Checks::energy_residual,
             limit("Energy that is not accounted for"));
  keys.allow("attitude_error", &Checks::attitude_error,
             limit("Deviation of attitudes from rotations"));
  return keys;
}

Mapping<Scenario> output_keys() {
  using namespace kind;
  Mapping<Scenario> keys;
  keys.allow("interval", &Scenario::output_interval,
             number(positive(kTime), "s; default a thousandth of the duration"));
  keys.allow("format", &Scenario::format,
             choice<ResultFormat>(all_names(all_result_formats()),
                                  "Kind of the result file; default hdf5"));
  return keys;
}

std::string channels_schema() {
  const std::string standard = fmt::format("{}", fmt::join(all_names(default_channels()), ", "));
  return fmt::format(R"({{"title": "Default: {}", "type": "array", "items": {}, "minItems": 1, )"
                     R"("uniqueItems": true}})",
                     standard, choice_schema(all_names(all_channels())));
}

std::string output_schema() {
  MappingSchema schema("What is recorded");
  once<output_keys>().describe(schema);
  schema.allow("channels", channels_schema());
  return schema.text();
}

/// Whether a force declares columns of a channel.
bool is_filled(Channel channel, const SimulationSetup& setup) {
  return std::any_of(setup.forces.begin(), setup.forces.end(), [&](const auto& force) {
    const auto outputs = declarations_of(*force).outputs;
    return std::any_of(outputs.begin(), outputs.end(), [&](const OutputColumns& output) {
      return output.channel == to_string(channel);
    });
  });
}

bool has_actuators(const Model& model) {
  bool has_wheel = false;
  for (int i = 1; i <= model.joint_count(); ++i) {
    has_wheel = has_wheel || model.wheel(i) != nullptr;
  }
  return has_wheel || !model.thrusters().empty();
}

/// Why a channel has nothing to record; empty if it has something.
const char* idle_reason(ScenarioContext& scenario, Channel channel) {
  const Model* model = scenario.model.get();
  const SimulationSetup& setup = scenario.setup();
  const Names& names = scenario.names;
  switch (channel) {
    case Channel::constraints:
      return model && model->loops().empty() && names.connections.empty() ? "the model has no loops"
                                                                          : "";
    case Channel::wheels:
      return is_filled(channel, setup) ? "" : "there is no wheel or tyre";
    case Channel::contacts:
      return names.contacts.empty() ? "there is no contact" : "";
    case Channel::sensors:
      return names.sensors.empty() ? "there is no sensor" : "";
    case Channel::actuators:
      return model && !has_actuators(*model) && !is_filled(channel, setup)
                 ? "the model has no reaction wheel, gyro or thruster, the scenario no magnetic "
                   "torquer"
                 : "";
    default:
      return "";
  }
}

void read_channels(ScenarioContext& scenario, const Value& value) {
  auto& chosen = scenario.result.channels;
  chosen.clear();
  for_each_item(value, scenario.problems(), [&](const Value& item) {
    const auto choice = read_choice(item, all_names(all_channels()), scenario.problems());
    if (!choice) return;
    const Channel channel = all_channels()[*choice];
    const std::string got = describe(*item.node);
    if (std::find(chosen.begin(), chosen.end(), channel) != chosen.end()) {
      scenario.problems().error(item, "expected each channel once, got " + got + " again");
    }
    chosen.push_back(channel);
    const bool is_of_one_robot =
        channel == Channel::singular_values || channel == Channel::modal_energy;
    if (is_of_one_robot && scenario.has_several_robots()) {
      scenario.problems().error(item, "expected another channel, got " + got +
                                          ", which is not available with several robots");
    }
    const std::string reason = idle_reason(scenario, channel);
    if (reason.empty()) return;
    scenario.problems().warning(
        item, fmt::format("expected another channel, got {}: {}", to_string(channel), reason));
  });
  if (value.node->is_sequence() && value.node->items.empty()) {
    scenario.problems().error(value, "expected at least one channel, got none");
  }
}

}  // namespace

extern const SchemaDefinition kOutputDefinition{"output", output_schema};
extern const SchemaDefinition kChecksDefinition{"checks", schema_of<check_keys>};

void read_output(ScenarioContext& scenario) {
  // a thousand points make a smooth picture
  scenario.result.output_interval = scenario.result.duration / 1000.0;
  scenario.result.channels = default_channels();
  const auto value = scenario.map.find("output");
  if (!value) return;
  MapReader map(*value, scenario.context());
  once<output_keys>().read(map, scenario.result);
  check_step(scenario, map, "interval", scenario.result.output_interval, "outputs");
  if (const auto channels = map.find("channels")) read_channels(scenario, *channels);
  map.finish();
}

void read_checks(ScenarioContext& scenario) {
  if (const auto value = scenario.map.find("checks")) {
    once<check_keys>().read_whole(*value, scenario.context(), scenario.result.checks);
  }
}

}  // namespace spacedyn::loading
