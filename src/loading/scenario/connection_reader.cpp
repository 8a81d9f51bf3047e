#include <algorithm>

#include "loading/model/loop_reader.hpp"
#include "loading/model/model_assembly.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "loading/yaml/numbers.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string>& connection_types() {
  static const std::vector<std::string> types = [] {
    std::vector<std::string> all = loop_type_names();
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
  MappingSchema bushing = connection_schema_of(connection_types().back());
  bushing.require("from", text_schema("First point"))
      .require("to", text_schema("Second point, on another body"))
      .require("stiffness", reference_schema("bushing_stiffness"))
      .allow("damping", reference_schema("bushing_damping"));
  connections.push_back(bushing.text());
  return one_of_schema(connections,
                       "A loop between points of robots, or a bushing, that events make and end");
}

}  // namespace

extern const SchemaDefinition kConnectionDefinition{"connection", connection_schema};

std::vector<Loop> ScenarioReader::start_loops() const {
  return active_loops(scenario_.setup, DiscreteState(scenario_.setup));
}

void ScenarioReader::read_connections() {
  const auto list = map_.find("connections");
  if (!list) return;
  for_each_item(*list, problems(), [&](const Value& item) { read_connection(item); });
}

void ScenarioReader::read_connection(const Value& value) {
  MapReader map(value, context());
  LoopDescription loop;
  loop.name = map.required_text("name");
  if (!loop.name.empty() && !connection_names_.insert(loop.name).second) {
    map.error_at("name", "expected a name of its own, got " + quote(loop.name) + " again");
  }
  const auto type = map.require("type", list_choices(connection_types()));
  const auto choice = type ? read_choice(*type, connection_types(), problems()) : std::nullopt;
  if (!choice) {
    map.report_missing();  // what else belongs to it depends on the type
    return;
  }
  const bool active = map.boolean("active", true);
  if (*choice == loop_type_names().size()) {
    read_soft_connection(map, loop.name, active);
    map.finish();
  } else {
    loop.type = all_loop_types()[*choice];
    read_rigid_connection(map, value, std::move(loop), active);
  }
}

bool ScenarioReader::refuse_strange_robot(MapReader& map, const char* key) {
  const auto value = map.find(key);
  if (!value || !value->node->is_scalar() || !model_ || model_->robots().empty()) return false;
  const std::string& point = value->node->text;
  const std::string robot = point.substr(0, point.find('.'));
  if (model_->find_robot(robot) != nullptr) return false;
  const std::vector<std::string> names = robot_names(*model_);
  map.error_at(key, "expected a point '<robot>.<point>' of " + list_choices(names) + ", got " +
                        quote(point) + did_you_mean(robot, names));
  return true;
}

void ScenarioReader::read_rigid_connection(MapReader& map, const Value& value, LoopDescription loop,
                                           bool active) {
  const std::size_t errors_before = problems().error_count();
  static const ModelDescription kNone;
  read_loop_keys(map, model_ ? model_->description() : kNone, loop);
  loop.notes = map.take_notes();
  const bool is_from_strange = refuse_strange_robot(map, "from");
  const bool is_strange = refuse_strange_robot(map, "to") || is_from_strange;
  map.finish();  // a key that is missing needs no second message
  if (!model_ || is_strange || problems().error_count() > errors_before) return;
  const auto& loops = model_->loops();
  if (std::any_of(loops.begin(), loops.end(),
                  [&](const Loop& other) { return other.name == loop.name; })) {
    map.error_at("name", "expected a name of its own, got " + quote(loop.name) +
                             ", which is a loop of the model");
    return;
  }
  try {
    scenario_.setup.connections.push_back(make_connection(*model_, loop, active));
  } catch (const ModelError& error) {
    report(error, value, problems());
  }
}

void ScenarioReader::read_soft_connection(MapReader& map, const std::string& name, bool active) {
  const bool is_from_strange = refuse_strange_robot(map, "from");
  const bool is_strange = refuse_strange_robot(map, "to") || is_from_strange;
  if (is_strange) {
    for (const char* key : {"stiffness", "damping"}) map.find(key);
    return;
  }
  const auto bushing = make_bushing(map, name);
  if (!bushing) return;
  Connection connection;
  connection.loop.name = name;
  connection.loop.from = bushing->settings().from;
  connection.loop.to = bushing->settings().to;
  connection.active = active;
  connection.force = static_cast<int>(scenario_.setup.forces.size());
  scenario_.setup.forces.push_back(bushing);
  scenario_.setup.connections.push_back(std::move(connection));
}

void ScenarioReader::read_connection_action(MapReader& map, bool connects, Event& event) {
  const std::string name = map.required_text("connection");
  const bool snap = connects && map.boolean("snap", false);
  if (!connects) map.refuse("snap", "only connect takes it");
  if (name.empty()) return;
  const auto& connections = scenario_.setup.connections;
  const auto found =
      std::find_if(connections.begin(), connections.end(),
                   [&](const Connection& connection) { return connection.name() == name; });
  if (found == connections.end()) {
    // one that is wrong itself has its own error
    if (connection_names_.count(name) > 0) return;
    const std::vector<std::string> known(connection_names_.begin(), connection_names_.end());
    map.error_at("connection", "expected the name of a connection, got " + quote(name) +
                                   did_you_mean(name, known));
    return;
  }
  if (snap && !found->is_rigid()) {
    map.error_at("snap", "expected false, got true: " + quote(name) +
                             " is a bushing, which pulls its points together wherever they are");
    return;
  }
  const auto index = static_cast<std::size_t>(found - connections.begin());
  if (connects) {
    event.actions.emplace_back(ConnectAction{index, snap});
  } else {
    event.actions.emplace_back(DisconnectAction{index});
  }
}

}  // namespace spacedyn::loading
