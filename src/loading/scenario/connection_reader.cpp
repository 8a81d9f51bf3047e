#include <algorithm>

#include <fmt/format.h>

#include "loading/model/body_reader.hpp"
#include "loading/model/model_assembly.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/control/rheonomic_distance.hpp"
#include "spacedyn/model/names.hpp"
#include "spacedyn/terrain/terrain.hpp"

namespace spacedyn::loading {
namespace {

struct Rolling : RollingConstraint::Settings {
  std::string ground;  ///< type of the terrain
};

/// The type of the scenario's terrain; empty without one.
std::string terrain_type(ScenarioContext& scenario) {
  const auto environment = scenario.map.find("environment");
  if (!environment || !scenario.ground.has_terrain) return {};
  return descend(*environment, "terrain.type").node->text;
}

void check_rolling(Rolling& rolling, Reading& reading) {
  ScenarioContext& scenario = *reading.scenario;
  const std::string type = terrain_type(scenario);
  if (type.empty()) {
    reading.map.error_at("type", "expected 'environment: {terrain: …}' to roll on, got none");
  } else if (type != "plane" && type != "slope") {
    reading.map.error_at("type",
                         "expected a terrain of type plane or slope to roll on, got " + type);
  } else if (!rolling.ground.empty() && rolling.ground != type) {
    reading.map.error_at(
        "terrain", "expected " + type + ", the terrain of the scenario, got " + rolling.ground);
  }
  rolling.terrain = scenario.ground.terrain;
}

Mapping<Rolling> rolling_keys() {
  using namespace kind;
  Mapping<Rolling> keys("A ball or a thin disc that rolls on the terrain without slipping");
  keys.require("body", &Rolling::center, point("Centre: a frame, a link or <link>.com"));
  keys.require("radius", &Rolling::radius, positive(kLength), "Radius, m");
  Kind<std::optional<Vector3>> normal = optional(axis("Of a disc, in the axes of body"));
  keys.allow("axis", &Rolling::axis, normal);
  Kind<std::string> ground = text("Type of the scenario's terrain");
  ground.schema = [] {
    return choice_schema({"plane", "slope"}, "Type of the scenario's terrain; default what it is");
  };
  keys.allow("terrain", &Rolling::ground, ground);
  keys.check(check_rolling);
  return keys;
}

Mapping<KnifeEdge::Settings> knife_edge_keys() {
  using namespace kind;
  using Settings = KnifeEdge::Settings;
  Mapping<Settings> keys("A point without velocity along a direction that is fixed in its body");
  keys.require("at", &Settings::at, point());
  keys.require("normal", &Settings::normal, axis("In the axes of at, not zero"));
  return keys;
}

bool read_rheonomic(Reading& reading, RheonomicDistance::Settings& settings) {
  MapReader& map = reading.map;
  map.refuse("length", "the distance follows a reference");
  const auto value = map.require("rheonomic", "a mapping with a reference");
  if (!value) return false;
  MapReader own(*value, map.context());
  const auto reference = own.require("reference", "a reference");
  own.finish();
  ScenarioContext& scenario = *reading.scenario;
  if (!reference || !scenario.model) return false;
  const LinkFrames frames = start_frames(scenario);
  const double start =
      (frame_position(frames, settings.to) - frame_position(frames, settings.from)).norm();
  ReferenceFrame frame;
  frame.motions = {JointType::prismatic};
  frame.start = VectorX::Constant(1, start);
  frame.must_be_smooth = true;
  settings.length = read_reference(*reference, frame, map.context());
  if (settings.length == nullptr) return false;
  std::vector<double> instants{0.0};
  settings.length->append_discontinuities(instants);
  for (const double time : instants) {
    const double length = settings.length->evaluate(0, time).position;
    if (length > 0.0) continue;
    map.error_at("rheonomic", fmt::format("expected a distance that stays positive, got {:.6g} m "
                                          "at t = {:.6g} s",
                                          length, time));
    return false;
  }
  return true;
}

Mapping<RheonomicDistance::Settings> rheonomic_keys() {
  Mapping<RheonomicDistance::Settings> keys;
  add_pair(keys);
  keys.group({[](MappingSchema& schema) { schema.require("rheonomic", rheonomic_schema()); },
              read_rheonomic});
  return keys;
}

/// Adds a force, and the connection that turns it on and off.
void add_force_of(ScenarioContext& scenario, const std::shared_ptr<const ForceElement>& force,
                  const Frame& from, const Frame& to, bool active) {
  Connection connection;
  connection.active = active;
  connection.loop.name = force->name();
  connection.loop.from = from;
  connection.loop.to = to;
  connection.force = static_cast<int>(scenario.setup().forces.size());
  scenario.add_force(force);
  scenario.setup().connections.push_back(std::move(connection));
}

/// Whether a name is that of a loop of the model, which is reported.
bool refuse_model_loop(const ScenarioContext& scenario, MapReader& map, const std::string& name) {
  const std::vector<std::string> loops = names_of(scenario.model->loops());
  if (std::find(loops.begin(), loops.end(), name) == loops.end()) return false;
  map.error_at("name",
               "expected a name of its own, got " + quote(name) + ", which is a loop of the model");
  return true;
}

MappingSchema loop_schema_of(const std::string& type) {
  MappingSchema schema(type);
  return schema.require("name", reference_schema("name")).require("type", constant_schema(type));
}

/// @param schema  with the keys of all loops or connections
Json motion_schema(MappingSchema schema, const MappingTable& keys) {
  keys.describe(schema);
  return schema;
}

/// Reads all keys of one but `active` and adds it as a connection; reports what is wrong.
/// @param map  of an item for which is_motion_loop() holds
void read_motion_loop(ScenarioContext& scenario, MapReader& map, const std::string& name,
                      bool active) {
  Reading reading{map, &scenario};
  const auto type = map.find("type");
  const std::string text = type ? type->node->text : std::string();
  Rolling rolling;
  KnifeEdge::Settings edge;
  RheonomicDistance::Settings distance;
  const bool is_right = text == "rolling"      ? once<rolling_keys>().read(reading, rolling)
                        : text == "knife_edge" ? once<knife_edge_keys>().read(reading, edge)
                                               : once<rheonomic_keys>().read(reading, distance);
  map.take_notes();
  map.finish();
  if (!is_right || !scenario.model || name.empty()) return;
  if (refuse_model_loop(scenario, map, name)) return;
  if (text == "rolling") {
    add_force_of(scenario, std::make_shared<RollingConstraint>(name, rolling), {}, rolling.center,
                 active);
  } else if (text == "knife_edge") {
    add_force_of(scenario, std::make_shared<KnifeEdge>(name, edge), {}, edge.at, active);
  } else {
    add_force_of(scenario, std::make_shared<RheonomicDistance>(name, distance), distance.from,
                 distance.to, active);
  }
}

const std::vector<std::string>& connection_types() {
  static const std::vector<std::string> types = [] {
    std::vector<std::string> all = loop_type_names();
    all.insert(all.end(), motion_loop_names().begin(), motion_loop_names().end());
    all.emplace_back("bushing");
    return all;
  }();
  return types;
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

Json connection_schema() {
  std::vector<Json> connections;
  for (const LoopType type : all_loop_types()) {
    MappingSchema loop = connection_schema_of(std::string(loop_traits(type).name));
    describe_loop_keys(type, loop);
    connections.push_back(loop);
  }
  connections.push_back(motion_schema(connection_schema_of("rolling"), once<rolling_keys>()));
  connections.push_back(motion_schema(connection_schema_of("knife_edge"), once<knife_edge_keys>()));
  MappingSchema bushing = connection_schema_of(connection_types().back());
  bushing.require("from", text_schema("First point"))
      .require("to", text_schema("Second point, on another body"))
      .require("stiffness", reference_schema("bushing_stiffness"))
      .allow("damping", reference_schema("bushing_damping"));
  connections.push_back(bushing);
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
  const std::vector<std::string> names = names_of(scenario.model->robots());
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
  if (refuse_model_loop(scenario, map, loop.name)) return;
  try {
    scenario.setup().connections.push_back(make_connection(*scenario.model, loop, active));
  } catch (const ModelError& error) {
    report(error, value, map.problems());
  }
}

void read_soft_connection(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  const bool active = map.boolean("active", true);
  if (refuse_strange_robots(scenario, map)) {
    for (const char* key : {"stiffness", "damping"}) map.find(key);
    return;
  }
  const auto bushing = make_bushing(scenario, map, name);
  if (!bushing) return;
  add_force_of(scenario, bushing, bushing->settings().from, bushing->settings().to, active);
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

extern const SchemaDefinition kRollingDefinition{
    "rolling_loop", [] { return motion_schema(loop_schema_of("rolling"), once<rolling_keys>()); }};
extern const SchemaDefinition kKnifeEdgeDefinition{
    "knife_edge_loop",
    [] { return motion_schema(loop_schema_of("knife_edge"), once<knife_edge_keys>()); }};
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
