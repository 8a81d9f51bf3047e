#include <array>

#include "forces/root_bound.hpp"
#include "loading/keys/mapping.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/integration/events.hpp"
#include "spacedyn/model/joint_traits.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kEventTypes = {"time",           "joint_position", "joint_velocity",
                                              "frame_distance", "plane",          "joint_limit",
                                              "contact",        "separation"};
constexpr std::size_t kTimeEvent = 0, kPositionEvent = 1, kVelocityEvent = 2, kDistanceEvent = 3,
                      kPlaneEvent = 4, kJointLimit = 5, kContact = 6, kSeparation = 7;
const std::vector<std::string> kDirections = {"rising", "falling", "both"};
const std::vector<std::string> kActions = {"stop",    "lock",   "release", "bounce",
                                           "impulse", "switch", "connect", "disconnect"};
constexpr std::size_t kConnect = 6;

constexpr Quantity kImpulse{Dimension::none, Range::any, false, "N s"};
constexpr Quantity kAngularImpulse{Dimension::none, Range::any, false, "N m s"};

Mapping<BounceAction> bounce_keys() {
  using namespace kind;
  Mapping<BounceAction> keys;
  keys.require("restitution", &BounceAction::restitution,
               number(not_negative(kNumber), "From 0 to 1", kAtMostOne));
  return keys;
}

MappingSchema action_schema(std::size_t type, std::string_view title) {
  MappingSchema schema(title);
  return schema.require("type", constant_schema(kActions[type]));
}

std::string event_actions_schema() {
  const std::string joint = text_schema("A joint");
  const std::string connection = text_schema("One of the connections");
  MappingSchema stop = action_schema(0, "Ends the run");
  MappingSchema lock = action_schema(1, "Holds a joint");
  MappingSchema release = action_schema(2, "Lets a joint move again");
  MappingSchema bounce = action_schema(3, "Reverses a joint");
  once<bounce_keys>().describe(bounce.require("joint", joint));
  MappingSchema impulse = action_schema(4, "An impulse, inertial axes");
  impulse.require("at", text_schema("A frame, a link or <link>.com"))
      .allow("linear", vector_schema(kImpulse, "N s"))
      .allow("angular", vector_schema(kAngularImpulse, "N m s"));
  MappingSchema change = action_schema(5, "Turns a controller on or off");
  change.require("controller", text_schema()).require("enabled", boolean_schema());
  MappingSchema connect = action_schema(kConnect, "Makes a connection");
  connect.require("connection", connection)
      .allow("snap", boolean_schema("Keeps the relative position of the instant"));
  MappingSchema disconnect = action_schema(kConnect + 1, "Ends a connection");
  return series_schema(one_of_schema(
      {stop.text(), lock.require("joint", joint).text(), release.require("joint", joint).text(),
       bounce.text(), impulse.text(), change.text(), connect.text(),
       disconnect.require("connection", connection).text()},
      "What an event does"));
}

/// What an event is told by.
struct RootKeys {
  double value = 0.0;  ///< an instant, a position, a velocity, a distance or a height
  int joint = 0;
  Frame at, from, to;
  Vector3 normal = Vector3::UnitZ();
  std::optional<CrossingDirection> direction;
};

Mapping<RootKeys> root_keys(std::size_t type) {
  using namespace kind;
  constexpr const char* kTitles[] = {"An instant",
                                     "A joint reaches a position",
                                     "A joint reaches a velocity",
                                     "Two points reach a distance",
                                     "A point reaches a plane",
                                     "A joint reaches a limit",
                                     "Shapes of a contact touch",
                                     "Shapes of a contact part"};
  Mapping<RootKeys> keys(kTitles[type]);
  if (type == kTimeEvent) {
    keys.require("time", &RootKeys::value, number(not_negative(kTime), "Time, s"));
  } else if (type == kPositionEvent) {
    keys.require("joint", &RootKeys::joint, joint("A joint"));
    keys.require("position", &RootKeys::value, joint_number(kJointPosition, "rad or m"));
  } else if (type == kVelocityEvent) {
    keys.require("joint", &RootKeys::joint, joint("A joint", Spherical::allowed));
    keys.require("velocity", &RootKeys::value, joint_number(kJointVelocity, "rad/s or m/s"));
  } else if (type == kDistanceEvent) {
    keys.require("from", &RootKeys::from, point());
    keys.require("to", &RootKeys::to, point());
    keys.require("distance", &RootKeys::value, number(positive(kLength), "m"));
  } else if (type == kPlaneEvent) {
    keys.require("at", &RootKeys::at, point());
    keys.allow("normal", &RootKeys::normal, vector(kNumber, "Of the plane, default z"));
    keys.allow("height", &RootKeys::value, number(kLength, "Along the normal, m, default 0"));
    keys.check([](RootKeys& plane, Reading& reading) {
      if (plane.normal.norm() >= 1e-6) return;
      reading.map.error_at("normal", "expected a direction, got a zero vector");
    });
  }
  if (type != kSeparation) {
    keys.allow("direction", &RootKeys::direction,
               optional(choice<CrossingDirection>(kDirections, "In which it crosses")));
  }
  return keys;
}

std::string event_schema() {
  std::vector<std::string> events;
  for (std::size_t type = 0; type < kEventTypes.size(); ++type) {
    const Mapping<RootKeys> keys = root_keys(type);
    MappingSchema schema(keys.title());
    schema.require("type", constant_schema(kEventTypes[type]))
        .allow("name", text_schema())
        .allow("actions", reference_schema("event_actions"));
    const bool is_contact = type == kContact || type == kSeparation;
    if (is_contact) schema.require("contact", text_schema("One of the contacts"));
    keys.describe(schema);
    events.push_back(type == kJointLimit ? reference_schema("joint_limit") : schema.text());
  }
  return one_of_schema(events, "Something that happens where a function crosses zero");
}

/// A function whose zeros are events.
std::function<double(const EvaluationContext&)> root_of(std::size_t type, const RootKeys& keys) {
  if (type == kTimeEvent) return time_event(keys.value);
  if (type == kPositionEvent) return joint_position_event(keys.joint, keys.value);
  if (type == kVelocityEvent) return joint_velocity_event(keys.joint, keys.value);
  if (type == kDistanceEvent) return frame_distance_event(keys.from, keys.to, keys.value);
  return plane_event(keys.at, keys.normal.normalized(), keys.value);
}

/// What a root function is in.
const char* unit_of(std::size_t type, const RootKeys& keys, const Model& model) {
  if (type == kTimeEvent) return "s";
  if (type != kPositionEvent && type != kVelocityEvent) return "m";
  const auto& units = coordinate_units(model.joint(keys.joint).type);
  return type == kPositionEvent ? units.position : units.velocity;
}

void read_event(ScenarioContext& scenario, MapReader& map, std::size_t type, Event& event) {
  RootKeys keys;
  Reading reading{map, &scenario};
  const bool is_right = root_keys(type).read(reading, keys);
  event.direction = keys.direction.value_or(CrossingDirection::both);
  read_actions(scenario, map, event);
  if (!is_right) return;
  event.value = root_of(type, keys);
  event.unit = unit_of(type, keys, *scenario.model);
  if (type == kPositionEvent && event.direction != CrossingDirection::both) {
    let_rest(keys.joint, event);
  }
  scenario.setup().events.push_back(std::move(event));
}

void read_contact_event(ScenarioContext& scenario, MapReader& map, std::size_t type, Event& event) {
  const ContactPlace* place = read_contact_name(scenario, map);
  event.direction = type == kContact ? CrossingDirection::rising : CrossingDirection::falling;
  RootKeys keys;
  root_keys(type).read(map, keys);
  event.direction = keys.direction.value_or(event.direction);
  read_actions(scenario, map, event);
  if (place == nullptr) return;
  if (place->rigid) {
    // a run knows when points meet and part
    event.owner = place->rigid.get();
    event.value = [](const EvaluationContext&) { return -1.0; };
  } else {
    event.value = implied_root(
        [contact = place->contact](const EvaluationContext& now) { return contact->depth(now); });
    event.rate = [contact = place->contact](const EvaluationContext& now) {
      return contact->depth_rate(now);
    };
  }
  scenario.setup().events.push_back(std::move(event));
}

void read_stop(ScenarioContext& /*scenario*/, MapReader& /*map*/, Event& event) {
  event.actions.emplace_back(StopAction{});
}

/// LockAction or ReleaseAction.
template <typename Action>
void read_lock(ScenarioContext& scenario, MapReader& map, Event& event) {
  const auto value = map.require("joint", "the name of a joint");
  if (!value) return;
  for (const int joint : read_joint_coordinates(scenario, *value)) {
    if (refuse_prescribed(scenario, map, joint)) return;
    event.actions.emplace_back(Action{joint});
  }
}

void read_bounce(ScenarioContext& scenario, MapReader& map, Event& event) {
  const auto joint = read_joint(scenario, map);
  BounceAction bounce{joint.value_or(0), 0.0};
  once<bounce_keys>().read(map, bounce);
  if (joint && !refuse_prescribed(scenario, map, *joint)) event.actions.emplace_back(bounce);
}

void read_impulse(ScenarioContext& scenario, MapReader& map, Event& event) {
  const auto at = read_point(scenario, map);
  const Vector3 p = map.vector3("linear", kImpulse, Vector3::Zero());
  const Vector3 l = map.vector3("angular", kAngularImpulse, Vector3::Zero());
  if (at) event.actions.emplace_back(ImpulseAction{*at, p, l});
}

void read_switch(ScenarioContext& scenario, MapReader& map, Event& event) {
  const std::string name = map.required_text("controller");
  if (!map.has("enabled")) map.require("enabled", "true or false");
  const bool on = map.boolean("enabled", true);
  if (name.empty()) return;
  for (const auto& controller : scenario.setup().controllers) {
    if (controller->name() != name) continue;
    event.actions.emplace_back(SwitchAction{name, on});
    return;
  }
  // one that is wrong itself has its own error
  const auto& names = scenario.names.controllers;
  if (!scenario.names.knows_controllers || names.count(name) > 0) return;
  map.error_at("controller", "expected the name of a controller, got " + quote(name),
               nearest_hint(name, {names.begin(), names.end()}));
}

constexpr std::array kActionReaders = {
    read_stop,   read_lock<LockAction>, read_lock<ReleaseAction>, read_bounce, read_impulse,
    read_switch, read_connect,          read_disconnect};

}  // namespace

extern const SchemaDefinition kEventActionsDefinition{"event_actions", event_actions_schema};
extern const SchemaDefinition kEventDefinition{"event", event_schema};

void read_events(ScenarioContext& scenario) {
  read_elements(scenario, "events", kEventTypes,
                [&](MapReader& map, std::size_t type, const std::string& name) {
                  Event event;
                  event.name = name;
                  if (type == kJointLimit) {
                    read_joint_limit(scenario, map, event);
                  } else if (type == kContact || type == kSeparation) {
                    read_contact_event(scenario, map, type, event);
                  } else {
                    read_event(scenario, map, type, event);
                  }
                });
}

void read_actions(ScenarioContext& scenario, MapReader& map, Event& event) {
  const auto actions = map.find("actions");
  if (!actions) return;
  for_each_item(*actions, map.problems(), [&](const Value& item) {
    MapReader action(item, scenario.context());
    const auto type = require_choice(action, "type", kActions);
    if (type) kActionReaders[*type](scenario, action, event);
    action.finish();
  });
}

void let_rest(int joint, Event& event) {
  for (EventAction& action : event.actions) {
    auto* bounce = std::get_if<BounceAction>(&action);
    if (bounce != nullptr) bounce->rests = bounce->joint == joint;
  }
}

}  // namespace spacedyn::loading
