#include <set>

#include "loading/elements/force_types.hpp"
#include "loading/scenario/scenario_model.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/model/aggregate.hpp"
#include "spacedyn/model/model_builder.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kRunDuration{Dimension::time, Range::positive};

Json list_of(const char* definition) { return series_schema(reference_schema(definition)); }

Json scenario_mapping_schema() {
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
      .allow("forces", series_schema(one_of_schema(force_schemas())))
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
      .add_rule(one_of_schema(
          {required_rule({"model"}),
           all_rules({required_rule({"robots"}), no_key_rule({"base", "locked", "prescribed"})})}));
  return schema;
}

void read_forces(ScenarioContext& scenario) {
  std::vector<std::string> names;
  for (const ForceType* type : force_types()) names.emplace_back(type->name);
  read_elements(scenario, "forces", names,
                [&](MapReader& map, std::size_t type, const std::string& name) {
                  force_types()[type]->read(scenario, map, name);
                });
}

Json robots_schema() {
  MappingSchema schema("One of several robots");
  schema.require("name", reference_schema("name"))
      .require("model", reference_schema("model_or_file"))
      .allow("base", reference_schema("base_mode"))
      .allow("initial", reference_schema("initial"))
      .allow("prescribed", reference_schema("prescribed_joints"))
      .allow("locked", reference_schema("locked_joints"));
  return series_schema(schema, 1, "Several robots, in the place of 'model'");
}

/// What belongs to one of several robots, the mapping being its item of the list; its model is the
/// robot alone.
RobotStart read_robot(ScenarioContext& scenario) {
  scenario.is_robot = true;
  const std::string name = scenario.map.required_text("name");
  scenario.map.find("model");
  read_base_mode(scenario);
  read_initial(scenario);
  read_base_motion(scenario);
  read_prescribed_joints(scenario);
  read_locked_joints(scenario);
  for (const char* key : {"duration", "environment", "forces", "control", "events", "connections",
                          "sensors", "seed", "integrator", "output", "checks"}) {
    scenario.map.refuse(key, "it belongs to the scenario, not to a robot");
  }
  scenario.map.finish();
  check_start_limits(scenario);
  return {name, std::move(scenario.setup()), std::move(scenario.initial()),
          std::move(scenario.starts)};
}

class RobotsReader {
 public:
  RobotsReader(const ModelOrigin& origin, ReadContext& context)
      : origin_(origin), context_(context) {}

  ScenarioRobots read(const Value& list, const Node& scenario) {
    for_each_item(list, problems(), [&](const Value& item) { read_item(item); });
    if (list.node->is_sequence() && list.node->items.empty()) {
      problems().error(list, "expected at least one robot, got none");
    }
    if (problems().has_errors()) return std::move(result_);
    add_lumps(scenario, result_.robots);
    const std::string name = scenario.text_at("name");
    build(list, name.empty() ? "robots" : name);
    return std::move(result_);
  }

 private:
  ProblemList& problems() { return context_.problems; }

  void read_item(const Value& item) {
    MapReader map(item, context_);
    if (!map.is_mapping()) {
      ++position_;
      return;
    }
    const std::string name = item.node->text_at("name");
    check_name(map, name);
    const auto place = map.require("model", "the path of a model file or a model");
    ScenarioModel model;
    if (place) {
      model = read_scenario_model(*place, {origin_.file, changes_of(name), 3}, context_);
    }
    for (const Value& loop : model.motion_loops) {
      problems().error(loop, "expected no loop of type " + quote(loop.node->text_at("type")) +
                                 " here, got one: with several robots it stands under "
                                 "'connections'");
    }
    ScenarioContext robot(map, model.model);
    result_.robots.push_back(read_robot(robot));
    appendages_.push_back(std::move(model.modal_appendages));
    ++position_;
  }

  /// Overrides that reach into the model file of one robot.
  std::vector<ParsedOverride> changes_of(const std::string& name) const {
    std::vector<ParsedOverride> own;
    for (const ParsedOverride& change : origin_.changes) {
      const std::string& meant = change.path[1];
      if (meant == name || meant == std::to_string(position_)) own.push_back(change);
    }
    return own;
  }

  void check_name(MapReader& map, const std::string& name) {
    if (name.empty()) return;  // told where it is read
    if (name == "world" || name.find('.') != std::string::npos) {
      map.error_at("name", "expected a name without dots other than world, got " + quote(name));
    } else if (!names_.insert(name).second) {
      map.error_at("name", "expected a name of its own, got " + quote(name) + " again");
    }
  }

  void build(const Value& list, const std::string& name) {
    std::vector<RobotPart> parts;
    for (const RobotStart& robot : result_.robots) {
      RobotPart part{robot.name, robot.setup.model, robot.floats(), {}};
      part.base = {robot.initial.r_0, robot.initial.A_0};
      if (const auto& motion = robot.setup.prescribed_base) {
        part.base.rotation = motion->initial_attitude;
        part.turn_axis = motion->axis;
      }
      parts.push_back(std::move(part));
    }
    try {
      result_.whole.model =
          std::make_shared<const Model>(ModelBuilder(aggregate(name, parts)).build());
    } catch (const Error& error) {
      problems().error(list, error.what());
      return;
    }
    const Model& model = *result_.whole.model;
    for (std::size_t i = 0; i < appendages_.size(); ++i) {
      for (const ModalAppendage& own : appendages_[i]) {
        const std::string root = result_.robots[i].name + '.' + own.name;
        result_.whole.modal_appendages.push_back(
            {root, model.frame(root).body, own.first_frequency});
      }
    }
  }

  const ModelOrigin& origin_;
  ReadContext& context_;
  std::set<std::string> names_;
  std::size_t position_ = 0;
  ScenarioRobots result_;
  std::vector<std::vector<ModalAppendage>> appendages_;
};

}  // namespace

extern const SchemaDefinition kScenarioDefinition{"scenario", scenario_mapping_schema};
extern const SchemaDefinition kRobotsDefinition{"robots", robots_schema};

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
  start_with_momentum(scenario);
  read_soils(scenario);
  read_forces(scenario);
  read_contacts(scenario);
  read_sensors(scenario);
  read_control(scenario);
  read_events(scenario);
  read_position_limits(scenario);
  start_in_equilibrium(scenario);
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

ScenarioRobots read_scenario_robots(const Value& list, const Node& scenario,
                                    const ModelOrigin& origin, ReadContext& context) {
  return RobotsReader(origin, context).read(list, scenario);
}

}  // namespace spacedyn::loading
