#include "loading/elements/motion_loops.hpp"

#include <algorithm>

#include "loading/model/loop_reader.hpp"
#include "loading/model/model_assembly.hpp"
#include "loading/scenario/reference_reader.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/control/rheonomic_distance.hpp"
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
  keys.require("radius", &Rolling::radius, number(positive(kLength), "Radius, m"));
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
  frame.add(quantity::kLength, quantity::kVelocity, quantity::kAcceleration);
  frame.start = VectorX::Constant(1, start);
  frame.must_be_smooth = true;
  settings.length = read_reference(*reference, frame, map.context());
  return settings.length != nullptr;
}

Mapping<RheonomicDistance::Settings> rheonomic_keys() {
  Mapping<RheonomicDistance::Settings> keys;
  add_pair(keys);
  keys.group({[](MappingSchema& schema) { schema.require("rheonomic", rheonomic_schema()); },
              read_rheonomic});
  return keys;
}

/// Adds a constraint, and the connection that turns it on and off.
void add_motion(ScenarioContext& scenario, const std::shared_ptr<const MotionConstraint>& motion,
                const Frame& from, const Frame& to, bool active) {
  Connection connection;
  connection.active = active;
  connection.loop.name = motion->name();
  connection.loop.from = from;
  connection.loop.to = to;
  connection.force = static_cast<int>(scenario.setup().forces.size());
  scenario.add_force(motion);
  scenario.setup().connections.push_back(std::move(connection));
}

bool is_of_model(const ScenarioContext& scenario, const std::string& name) {
  const auto& loops = scenario.model->loops();
  return std::any_of(loops.begin(), loops.end(),
                     [&](const Loop& loop) { return loop.name == name; });
}

MappingSchema loop_schema_of(const std::string& type) {
  MappingSchema schema(type);
  return schema.require("name", reference_schema("name")).require("type", constant_schema(type));
}

std::string rolling_schema() {
  MappingSchema schema = loop_schema_of("rolling");
  once<rolling_keys>().describe(schema);
  return schema.text();
}

std::string knife_edge_schema() {
  MappingSchema schema = loop_schema_of("knife_edge");
  once<knife_edge_keys>().describe(schema);
  return schema.text();
}

}  // namespace

extern const SchemaDefinition kRollingDefinition{"rolling_loop", rolling_schema};
extern const SchemaDefinition kKnifeEdgeDefinition{"knife_edge_loop", knife_edge_schema};

std::vector<std::string> motion_connection_schemas(
    MappingSchema (*schema_of)(const std::string& type)) {
  MappingSchema rolling = schema_of("rolling"), knife_edge = schema_of("knife_edge");
  once<rolling_keys>().describe(rolling);
  once<knife_edge_keys>().describe(knife_edge);
  return {rolling.text(), knife_edge.text()};
}

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
  if (is_of_model(scenario, name)) {
    map.error_at("name", "expected a name of its own, got " + quote(name) +
                             ", which is a loop of the model");
  } else if (text == "rolling") {
    add_motion(scenario, std::make_shared<RollingConstraint>(name, rolling), {}, rolling.center,
               active);
  } else if (text == "knife_edge") {
    add_motion(scenario, std::make_shared<KnifeEdge>(name, edge), {}, edge.at, active);
  } else {
    add_motion(scenario, std::make_shared<RheonomicDistance>(name, distance), distance.from,
               distance.to, active);
  }
}

}  // namespace spacedyn::loading
