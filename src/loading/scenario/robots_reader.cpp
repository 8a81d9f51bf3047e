#include <set>

#include "loading/scenario/scenario_model.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/start_check.hpp"
#include "loading/schema/schema_definition.hpp"
#include "loading/schema/schema_text.hpp"
#include "spacedyn/model/aggregate.hpp"
#include "spacedyn/model/model_builder.hpp"

namespace spacedyn::loading {
namespace {

std::string robots_schema() {
  MappingSchema schema("One of several robots");
  schema.require("name", reference_schema("name"))
      .require("model", reference_schema("model_or_file"))
      .allow("base", reference_schema("base_mode"))
      .allow("initial", reference_schema("initial"))
      .allow("prescribed", reference_schema("prescribed_joints"))
      .allow("locked", reference_schema("locked_joints"));
  return series_schema(schema.text(), 1, "Several robots, in the place of 'model'");
}

class RobotsReader {
 public:
  RobotsReader(const ModelOrigin& origin, ReadContext& context)
      : origin_(origin), context_(context) {}

  ScenarioRobots read(const Value& list, const std::string& name) {
    for_each_item(list, problems(), [&](const Value& item) { read_item(item); });
    if (list.node->is_sequence() && list.node->items.empty()) {
      problems().error(list, "expected at least one robot, got none");
    }
    if (!problems().has_errors()) build(list, name);
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
    const Entry* named = item.node->find("name");
    const std::string name =
        named != nullptr && named->value->is_scalar() ? named->value->text : std::string();
    check_name(map, name);
    const auto place = map.require("model", "the path of a model file or a model");
    ScenarioModel model;
    if (place) {
      model = read_scenario_model(*place, {origin_.file, changes_of(name), 3}, context_);
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

extern const SchemaDefinition kRobotsDefinition{"robots", robots_schema};

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

ScenarioRobots read_scenario_robots(const Value& list, const std::string& name,
                                    const ModelOrigin& origin, ReadContext& context) {
  return RobotsReader(origin, context).read(list, name);
}

}  // namespace spacedyn::loading
