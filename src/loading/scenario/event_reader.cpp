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
constexpr std::size_t kJointPosition = 1, kJointLimit = 5, kContact = 6, kSeparation = 7;
const std::vector<std::string> kDirections = {"rising", "falling", "both"};
const std::vector<std::string> kActions = {"stop",    "lock",   "release", "bounce",
                                           "impulse", "switch", "connect", "disconnect"};
constexpr std::size_t kConnect = 6;

constexpr Quantity kEventTime{Dimension::time, Range::not_negative};
constexpr Quantity kEventDistance{Dimension::length, Range::positive};
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

MappingSchema event_schema_of(std::size_t type, std::string_view title) {
  MappingSchema schema(title);
  schema.require("type", constant_schema(kEventTypes[type]))
      .allow("name", text_schema())
      .allow("actions", reference_schema("event_actions"));
  if (type != kSeparation) {
    schema.allow("direction", choice_schema(kDirections, "In which it crosses"));
  }
  return schema;
}

std::string event_schema() {
  const std::string joint = text_schema("A joint");
  const std::string point = text_schema("A frame, a link or <link>.com");
  const std::string contact = text_schema("One of the contacts");
  MappingSchema time = event_schema_of(0, "An instant");
  time.require("time", number_schema({kEventTime}, "Time, s"));
  MappingSchema position = event_schema_of(kJointPosition, "A joint reaches a position");
  position.require("joint", joint)
      .require("position", number_schema(quantity::kJointPosition, "rad or m"));
  MappingSchema velocity = event_schema_of(2, "A joint reaches a velocity");
  velocity.require("joint", joint)
      .require("velocity", number_schema(quantity::kJointVelocity, "rad/s or m/s"));
  MappingSchema distance = event_schema_of(3, "Two points reach a distance");
  distance.require("from", point)
      .require("to", point)
      .require("distance", number_schema({kEventDistance}, "m"));
  MappingSchema plane = event_schema_of(4, "A point reaches a plane");
  plane.require("at", point)
      .allow("normal", vector_schema(quantity::kNumber, "Of the plane, default z"))
      .allow("height", number_schema({quantity::kLength}, "Along the normal, m, default 0"));
  MappingSchema touch = event_schema_of(kContact, "Shapes of a contact touch");
  MappingSchema part = event_schema_of(kSeparation, "Shapes of a contact part");
  return one_of_schema(
      {time.text(), position.text(), velocity.text(), distance.text(), plane.text(),
       reference_schema("joint_limit"), touch.require("contact", contact).text(),
       part.require("contact", contact).text()},
      "Something that happens where a function crosses zero");
}

/// A function whose zeros are events, and its unit; none where its keys are wrong.
struct Root {
  std::function<double(const EvaluationContext&)> value;
  const char* unit = "";
};

Root read_time(ScenarioContext& /*scenario*/, MapReader& map) {
  return {time_event(map.required_number("time", kEventTime)), "s"};
}

Root read_joint_position(ScenarioContext& scenario, MapReader& map) {
  const auto joint = read_joint(scenario, map);
  if (!joint) {
    map.find("position");  // its unit depends on the joint
    return {};
  }
  const JointType type = scenario.model->joint(*joint).type;
  return {joint_position_event(*joint, map.required_number("position", position_quantity(type))),
          coordinate_units(type).position};
}

Root read_joint_velocity(ScenarioContext& scenario, MapReader& map) {
  const auto joint = read_joint(scenario, map, Spherical::allowed);
  if (!joint) {
    map.find("velocity");  // its unit depends on the joint
    return {};
  }
  const JointType type = scenario.model->joint(*joint).type;
  return {joint_velocity_event(*joint, map.required_number("velocity", velocity_quantity(type))),
          coordinate_units(type).velocity};
}

Root read_frame_distance(ScenarioContext& scenario, MapReader& map) {
  const auto from = read_point(scenario, map, "from");
  const auto to = read_point(scenario, map, "to");
  const double distance = map.required_number("distance", kEventDistance);
  if (!from || !to) return {};
  return {frame_distance_event(*from, *to, distance), "m"};
}

Root read_plane(ScenarioContext& scenario, MapReader& map) {
  const auto at = read_point(scenario, map);
  const Vector3 normal = map.vector3("normal", quantity::kNumber, Vector3::UnitZ());
  const double height = map.number("height", quantity::kLength, 0.0);
  const bool is_direction = normal.norm() >= 1e-6;
  if (!is_direction) map.error_at("normal", "expected a direction, got a zero vector");
  if (!at || !is_direction) return {};
  return {plane_event(*at, normal.normalized(), height), "m"};
}

constexpr std::array kRoots = {read_time, read_joint_position, read_joint_velocity,
                               read_frame_distance, read_plane};

void read_direction(MapReader& map, Event& event) {
  const auto choice = find_choice(map, "direction", kDirections);
  if (choice) event.direction = static_cast<CrossingDirection>(*choice);
}

void read_event(ScenarioContext& scenario, MapReader& map, std::size_t type, Event& event) {
  Root root = kRoots[type](scenario, map);
  event.value = std::move(root.value);
  event.unit = root.unit;
  read_direction(map, event);
  read_actions(scenario, map, event);
  if (type == kJointPosition && event.value && event.direction != CrossingDirection::both) {
    let_rest(*read_joint(scenario, map), event);
  }
  if (event.value) scenario.setup().events.push_back(std::move(event));
}

void read_contact_event(ScenarioContext& scenario, MapReader& map, std::size_t type, Event& event) {
  const ContactPlace* place = read_contact_name(scenario, map);
  event.direction = type == kContact ? CrossingDirection::rising : CrossingDirection::falling;
  if (type == kContact) read_direction(map, event);
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
