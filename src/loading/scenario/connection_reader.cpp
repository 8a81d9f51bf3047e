#include <algorithm>

#include "loading/elements/motion_loops.hpp"
#include "loading/model/loop_reader.hpp"
#include "loading/model/model_assembly.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "loading/schema/schema_definition.hpp"
#include "loading/yaml/numbers.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string>& connection_types() {
  static const std::vector<std::string> types = [] {
    std::vector<std::string> all = loop_type_names();
    all.insert(all.end(), motion_loop_names().begin(), motion_loop_names().end());
    all.emplace_back("bushing");
    return all;
  }();
  return types;
}

std::vector<std::string> robot_names(const Model& model) {
  std::vector<std::string> names;
  for (const Robot& robot : model.robots()) names.push_back(robot.name);
  return names;
}

/// Problems of a loop that stands by itself, at their places in the file.
void report(const ModelError& error, const Value& value, ProblemList& problems) {
  const std::string prefix = "loops.0";
  for (const Problem& problem : error.problems()) {
    const bool has_key = problem.path.size() > prefix.size() + 1;
    const std::string key = has_key ? problem.path.substr(prefix.size() + 1) : std::string();
    const Value place = has_key ? descend(value, key) : value;
    problems.add(problem.severity, place.node->mark, place.path, problem.message, problem.hint);
  }
}

MappingSchema connection_schema_of(const std::string& type) {
  MappingSchema schema(type);
  return schema.require("name", reference_schema("name"))
      .require("type", constant_schema(type))
      .allow("active", boolean_schema("Whether it holds at the start; default true"));
}

std::string connection_schema() {
  std::vector<std::string> connections;
  for (const LoopType type : all_loop_types()) {
    MappingSchema loop = connection_schema_of(std::string(loop_traits(type).name));
    describe_loop_keys(type, loop);
    connections.push_back(loop.text());
  }
  for (std::string& schema : motion_connection_schemas(connection_schema_of)) {
    connections.push_back(std::move(schema));
  }
  MappingSchema bushing = connection_schema_of(connection_types().back());
  bushing.require("from", text_schema("First point"))
      .require("to", text_schema("Second point, on another body"))
      .require("stiffness", reference_schema("bushing_stiffness"))
      .allow("damping", reference_schema("bushing_damping"));
  connections.push_back(bushing.text());
  return one_of_schema(connections,
                       "A loop between points of robots, or a bushing, that events make and end");
}

/// Whether a point is on a robot that is not there; reports it.
bool refuse_strange_robot(ScenarioContext& scenario, MapReader& map, const char* key) {
  const auto value = map.find(key);
  const bool has_robots = scenario.model && !scenario.model->robots().empty();
  if (!value || !value->node->is_scalar() || !has_robots) return false;
  const std::string& point = value->node->text;
  const std::string robot = point.substr(0, point.find('.'));
  if (scenario.model->find_robot(robot) != nullptr) return false;
  const std::vector<std::string> names = robot_names(*scenario.model);
  map.error_at(key, "expected a point '<robot>.<point>' of " + list_choices(names) + ", got " +
                        quote(point) + did_you_mean(robot, names));
  return true;
}

bool refuse_strange_robots(ScenarioContext& scenario, MapReader& map) {
  const bool is_from_strange = refuse_strange_robot(scenario, map, "from");
  return refuse_strange_robot(scenario, map, "to") || is_from_strange;
}

void read_rigid_connection(ScenarioContext& scenario, MapReader& map, const Value& value,
                           LoopDescription loop) {
  const bool active = map.boolean("active", true);
  const ErrorMark errors(map.problems());
  static const ModelDescription kNone;
  read_loop_keys(map, scenario.model ? scenario.model->description() : kNone, loop);
  loop.notes = map.take_notes();
  const bool is_strange = refuse_strange_robots(scenario, map);
  map.finish();  // a key that is missing needs no second message
  if (!scenario.model || is_strange || errors.found()) return;
  const auto& loops = scenario.model->loops();
  if (std::any_of(loops.begin(), loops.end(),
                  [&](const Loop& other) { return other.name == loop.name; })) {
    map.error_at("name", "expected a name of its own, got " + quote(loop.name) +
                             ", which is a loop of the model");
    return;
  }
  try {
    scenario.setup().connections.push_back(make_connection(*scenario.model, loop, active));
  } catch (const ModelError& error) {
    report(error, value, map.problems());
  }
}

void read_soft_connection(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  Connection connection;
  connection.active = map.boolean("active", true);
  if (refuse_strange_robots(scenario, map)) {
    for (const char* key : {"stiffness", "damping"}) map.find(key);
    return;
  }
  const auto bushing = make_bushing(scenario, map, name);
  if (!bushing) return;
  connection.loop.name = name;
  connection.loop.from = bushing->settings().from;
  connection.loop.to = bushing->settings().to;
  connection.force = static_cast<int>(scenario.setup().forces.size());
  scenario.add_force(bushing);
  scenario.setup().connections.push_back(std::move(connection));
}

std::string read_name(ScenarioContext& scenario, MapReader& map) {
  std::string name = map.required_text("name");
  if (!name.empty() && !scenario.names.connections.insert(name).second) {
    map.error_at("name", "expected a name of its own, got " + quote(name) + " again");
  }
  return name;
}

void read_connection(ScenarioContext& scenario, const Value& value) {
  MapReader map(value, scenario.context());
  LoopDescription loop;
  loop.name = read_name(scenario, map);
  if (is_motion_loop(*value.node)) {
    return read_motion_loop(scenario, map, loop.name, map.boolean("active", true));
  }
  const auto choice = require_choice(map, "type", connection_types());
  if (!choice) {
    map.report_missing();  // what else belongs to it depends on the type
    return;
  }
  if (*choice + 1 == connection_types().size()) {
    read_soft_connection(scenario, map, loop.name);
    map.finish();
  } else {
    loop.type = all_loop_types()[*choice];
    read_rigid_connection(scenario, map, value, std::move(loop));
  }
}

}  // namespace

extern const SchemaDefinition kConnectionDefinition{"connection", connection_schema};

void read_connections(ScenarioContext& scenario) {
  for (const Value& loop : scenario.motion_loops) {
    MapReader map(loop, scenario.context());
    read_motion_loop(scenario, map, read_name(scenario, map), true);
  }
  for_each_item_of(scenario, "connections",
                   [&](const Value& item) { read_connection(scenario, item); });
}

}  // namespace spacedyn::loading
