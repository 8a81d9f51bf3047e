#include <limits>

#include "loading/elements/force_types.hpp"
#include "loading/keys/schedule.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/forces/thruster_force.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kOpening{Dimension::none, Range::not_negative};

const Thruster* read_thruster_name(ScenarioContext& scenario, MapReader& map) {
  const auto value = map.require("thruster", "the name of a thruster of the model");
  const auto wanted = value ? read_text(*value, map.problems()) : std::nullopt;
  if (!wanted || !scenario.model) return nullptr;
  std::vector<std::string> known;
  for (const Thruster& each : scenario.model->thrusters()) {
    if (each.name == *wanted) return &each;
    known.push_back(each.name);
  }
  const std::string nearest = nearest_name(*wanted, known);
  map.problems().error(value->node->mark, value->path,
                       "expected the name of a thruster of the model, got " + quote(*wanted),
                       nearest.empty() ? "" : "did you mean '" + nearest + "'?");
  return nullptr;
}

void read_thruster(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  const std::size_t errors_before = map.problems().error_count();
  const Thruster* thruster = read_thruster_name(scenario, map);
  std::optional<TimeTable> command;
  if (map.has("table")) {
    command = read_schedule(map, {"command"}, {{kOpening}});
  } else if (const auto span = read_time_span(map); span && thruster != nullptr) {
    command = ThrusterForce::pulse(*thruster, span->first, span->second);
  }
  if (thruster == nullptr || !command || map.problems().error_count() > errors_before) return;
  warn_if_idle(scenario, map, *command);
  scenario.add_force(std::make_shared<ThrusterForce>(name, *thruster, *command));
}

MappingSchema thruster_schema() {
  MappingSchema schema("A thruster of the model opens: for a while, or by a table");
  schema.require("thruster", text_schema());
  describe_table(
      {{"command", one_or_list_schema(number_schema({kOpening}, "0 closed, 1 open", {0.0, 1.0}))}},
      schema);
  schema.add_rule(
      R"("if": {"required": ["table"]}, "then": {"properties": {"from": false, "until": false}})");
  return schema;
}

}  // namespace

extern const ForceType kThrusterType{"thruster", read_thruster, thruster_schema};

}  // namespace spacedyn::loading
