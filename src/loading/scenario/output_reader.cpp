#include <fmt/ranges.h>

#include <algorithm>

#include "loading/keys/fields.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/forces/magnetic_torquer.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kCheckLimit{Dimension::none, Range::positive};

/// A limit that a run must keep.
struct Check {
  const char* key;
  const char* title;
  std::optional<double> ScenarioChecks::*limit;
};

constexpr Check kChecks[] = {
    {"momentum_drift", "Of a system without outer forces", &ScenarioChecks::momentum_drift},
    {"energy_residual", "Energy that is not accounted for", &ScenarioChecks::energy_residual},
    {"attitude_error", "Deviation of attitudes from rotations", &ScenarioChecks::attitude_error}};

const Fields<Scenario>& output_fields() {
  static const Fields<Scenario> kFields = {
      {"interval", "s; default a thousandth of the duration",
       quantity::kTime.within(Range::positive),
       [](Scenario& scenario) -> double& { return scenario.output_interval; }}};
  return kFields;
}

/// Names of all values of a kind.
template <typename Values>
std::vector<std::string> output_names(const Values& values) {
  std::vector<std::string> names;
  for (const auto value : values) names.emplace_back(to_string(value));
  return names;
}

std::string channels_schema() {
  const std::string standard = fmt::format("{}", fmt::join(output_names(default_channels()), ", "));
  return fmt::format(R"({{"title": "Default: {}", "type": "array", "items": {}, "minItems": 1, )"
                     R"("uniqueItems": true}})",
                     standard, choice_schema(output_names(all_channels())));
}

std::string output_schema() {
  MappingSchema schema("What is recorded");
  describe_fields(output_fields(), schema);
  schema.allow("channels", channels_schema())
      .allow("format", choice_schema(output_names(all_result_formats()),
                                     "Kind of the result file; default hdf5"));
  return schema.text();
}

std::string checks_schema() {
  MappingSchema schema("Limits that a run must keep");
  for (const Check& check : kChecks) {
    schema.allow(check.key, number_schema({kCheckLimit}, check.title));
  }
  return schema.text();
}

bool has_torquers(const SimulationSetup& setup) {
  return std::any_of(setup.forces.begin(), setup.forces.end(), [](const auto& force) {
    return dynamic_cast<const MagneticTorquer*>(force.get()) != nullptr;
  });
}

bool has_actuators(const Model& model) {
  bool has_wheel = false;
  for (int i = 1; i <= model.joint_count(); ++i) {
    has_wheel = has_wheel || model.wheel(i) != nullptr;
  }
  return has_wheel || !model.thrusters().empty();
}

}  // namespace

extern const SchemaDefinition kOutputDefinition{"output", output_schema};
extern const SchemaDefinition kChecksDefinition{"checks", checks_schema};

void ScenarioReader::read_output() {
  // a thousand points make a smooth picture
  scenario_.output_interval = scenario_.duration / 1000.0;
  scenario_.channels = default_channels();
  const auto value = map_.find("output");
  if (!value) return;
  MapReader map(*value, context());
  read_fields(map, output_fields(), scenario_);
  if (const auto interval = map.find("interval")) {
    check_count(*interval, scenario_.duration, scenario_.output_interval, "outputs", problems());
  }
  if (const auto channels = map.find("channels")) read_channels(*channels);
  if (const auto format = map.find("format")) read_format(*format);
  map.finish();
}

void ScenarioReader::read_format(const Value& value) {
  const auto choice = read_choice(value, output_names(all_result_formats()), problems());
  if (choice) scenario_.format = all_result_formats()[*choice];
}

void ScenarioReader::read_channels(const Value& value) {
  const std::vector<std::string> names = output_names(all_channels());
  scenario_.channels.clear();
  for_each_item(value, problems(), [&](const Value& item) {
    const auto choice = read_choice(item, names, problems());
    if (!choice) return;
    const Channel channel = all_channels()[*choice];
    auto& chosen = scenario_.channels;
    if (std::find(chosen.begin(), chosen.end(), channel) != chosen.end()) {
      problems().error(item.node->mark, item.path,
                       "expected each channel once, got " + describe(*item.node) + " again");
    }
    chosen.push_back(channel);
    const bool is_of_one_robot =
        channel == Channel::singular_values || channel == Channel::modal_energy;
    if (is_of_one_robot && has_several_robots()) {
      problems().error(item.node->mark, item.path,
                       "expected another channel, got " + describe(*item.node) +
                           ", which is not available with several robots");
    }
    if (channel == Channel::constraints && model_ && model_->loops().empty() &&
        connection_names_.empty()) {
      problems().warning(item.node->mark, item.path,
                         "expected another channel, got constraints: the model has no loops");
    }
    if (channel == Channel::wheels && !has_wheels()) {
      problems().warning(item.node->mark, item.path,
                         "expected another channel, got wheels: there is no wheel or tyre");
    }
    if (channel == Channel::contacts && !has_contacts()) {
      problems().warning(item.node->mark, item.path,
                         "expected another channel, got contacts: there is no contact");
    }
    if (channel == Channel::sensors && sensor_names_.empty()) {
      problems().warning(item.node->mark, item.path,
                         "expected another channel, got sensors: there is no sensor");
    }
    if (channel == Channel::actuators && model_ && !has_actuators(*model_) &&
        !has_torquers(scenario_.setup)) {
      problems().warning(item.node->mark, item.path,
                         "expected another channel, got actuators: the model has no reaction "
                         "wheel, gyro or thruster, the scenario no magnetic torquer");
    }
  });
  if (value.node->is_sequence() && value.node->items.empty()) {
    problems().error(value.node->mark, value.path, "expected at least one channel, got none");
  }
}

void ScenarioReader::read_checks() {
  const auto value = map_.find("checks");
  if (!value) return;
  MapReader map(*value, context());
  for (const Check& check : kChecks) {
    const auto given = map.find(check.key);
    if (given) scenario_.checks.*check.limit = read_number(*given, kCheckLimit, problems());
  }
  map.finish();
}

}  // namespace spacedyn::loading
