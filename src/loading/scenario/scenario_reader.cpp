#include "loading/elements/force_types.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "loading/scenario/start_check.hpp"
#include "loading/schema/schema_definition.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kRunDuration{Dimension::time, Range::positive};

std::string list_of(const char* definition) { return series_schema(reference_schema(definition)); }

std::string scenario_mapping_schema() {
  MappingSchema schema("A robot, or several, and what happens to them");
  schema.require("name", text_schema())
      .allow("model", reference_schema("model_or_file"))
      .allow("robots", reference_schema("robots"))
      .allow("connections", list_of("connection"))
      .require("duration", number_schema({kRunDuration}, "s"))
      .allow("base", reference_schema("base_mode"))
      .allow("initial", reference_schema("initial"))
      .allow("environment", reference_schema("environment"))
      .allow("soils", by_name_schema(reference_schema("soil"), "By name"))
      .allow("contacts", list_of("contact"))
      .allow("forces", series_schema("{\"oneOf\": [" + force_schemas() + "]}"))
      .allow("position_limits", reference_schema("position_limits"))
      .allow("seed", whole_number_schema(0, "Of the noise of sensors; default 0"))
      .allow("sensors", list_of("sensor"))
      .allow("control", reference_schema("controllers"))
      .allow("events", list_of("event"))
      .allow("prescribed", reference_schema("prescribed_joints"))
      .allow("locked", reference_schema("locked_joints"))
      .allow("integrator", reference_schema("integrator"))
      .allow("output", reference_schema("output"))
      .allow("checks", reference_schema("checks"))
      .add_rule(R"("oneOf": [{"required": ["model"]}, {"required": ["robots"], )"
                R"("properties": {"base": false, "locked": false, "prescribed": false}}])");
  return schema.text();
}

void read_forces(ScenarioContext& scenario) {
  std::vector<std::string> names;
  for (const ForceType* type : force_types()) names.emplace_back(type->name);
  read_elements(scenario, "forces", names,
                [&](MapReader& map, std::size_t type, const std::string& name) {
                  force_types()[type]->read(scenario, map, name);
                });
}

}  // namespace

extern const SchemaDefinition kScenarioDefinition{"scenario", scenario_mapping_schema};

Scenario read_sections(ScenarioContext& scenario) {
  scenario.result.name = scenario.map.required_text("name");
  scenario.result.duration = scenario.map.required_number("duration", kRunDuration);
  if (scenario.has_several_robots()) {
    start_robots(scenario);
    read_environment(scenario);
  } else {
    read_base_mode(scenario);
    read_initial(scenario);
    scenario.names.joints.clear();
    read_environment(scenario);
    read_base_motion(scenario);
    read_prescribed_joints(scenario);
    read_locked_joints(scenario);
  }
  read_connections(scenario);
  start_on_loops(scenario);
  read_soils(scenario);
  read_forces(scenario);
  read_contacts(scenario);
  read_sensors(scenario);
  read_control(scenario);
  read_events(scenario);
  read_position_limits(scenario);
  read_integrator(scenario);
  read_output(scenario);
  read_checks(scenario);
  scenario.map.finish();
  if (!scenario.has_several_robots()) check_start_limits(scenario);
  check_undriven_joints(scenario);
  check_contacts(scenario);
  scenario.result.notes = scenario.map.take_notes();
  return std::move(scenario.result);
}

}  // namespace spacedyn::loading
