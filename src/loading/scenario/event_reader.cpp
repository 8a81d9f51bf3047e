#include "forces/root_bound.hpp"
#include "loading/keys/fields.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/integration/events.hpp"
#include "spacedyn/model/names.hpp"

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

const Fields<BounceAction>& bounce_fields() {
  static const Fields<BounceAction> kFields = {
      {"restitution", "From 0 to 1", quantity::kNumber.within(Range::not_negative),
       [](BounceAction& bounce) -> double& { return bounce.restitution; }, Presence::required,
       kAtMostOne}};
  return kFields;
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
  describe_fields(bounce_fields(), bounce.require("joint", joint));
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

}  // namespace

extern const SchemaDefinition kEventActionsDefinition{"event_actions", event_actions_schema};
extern const SchemaDefinition kEventDefinition{"event", event_schema};

void ScenarioReader::read_events() {
  read_elements("events", kEventTypes,
                [this](MapReader& map, std::size_t type, const std::string& name, const Value&) {
                  if (type == kJointLimit) {
                    read_joint_limit(map, name);
                  } else if (type == kContact || type == kSeparation) {
                    read_contact_event(map, type == kContact, name);
                  } else {
                    read_event(map, type, name);
                  }
                });
}

void ScenarioReader::read_event(MapReader& map, std::size_t type, const std::string& name) {
  Event event;
  event.name = name;
  event.value = read_root_function(map, type);
  if (const auto direction = map.find("direction")) {
    const auto choice = read_choice(*direction, kDirections, problems());
    if (choice) event.direction = static_cast<CrossingDirection>(*choice);
  }
  read_actions(map, event);
  if (type == kJointPosition && event.value && event.direction != CrossingDirection::both) {
    let_rest(*read_joint(map), event);
  }
  if (event.value) scenario_.setup.events.push_back(std::move(event));
}

void ScenarioReader::read_contact_event(MapReader& map, bool begins, const std::string& name) {
  Event event;
  event.name = name;
  event.direction = begins ? CrossingDirection::rising : CrossingDirection::falling;
  const ContactPlace* place = read_contact_name(map);
  const auto direction = begins ? map.find("direction") : std::nullopt;
  if (direction) {
    const auto choice = read_choice(*direction, kDirections, problems());
    if (choice) event.direction = static_cast<CrossingDirection>(*choice);
  }
  read_actions(map, event);
  if (place == nullptr) return;
  if (place->rigid) {
    // a run knows when points meet and part
    event.owner = place->rigid.get();
    event.value = [](const EvaluationContext&) { return -1.0; };
    scenario_.setup.events.push_back(std::move(event));
    return;
  }
  event.value = implied_root(
      [contact = place->contact](const EvaluationContext& now) { return contact->depth(now); });
  event.rate = [contact = place->contact](const EvaluationContext& now) {
    return contact->depth_rate(now);
  };
  scenario_.setup.events.push_back(std::move(event));
}

void ScenarioReader::read_actions(MapReader& map, Event& event) {
  const auto actions = map.find("actions");
  if (!actions) return;
  for_each_item(*actions, problems(), [&](const Value& item) {
    MapReader action(item, context());
    read_action(action, event);
    action.finish();
  });
}

void ScenarioReader::let_rest(int joint, Event& event) {
  for (EventAction& action : event.actions) {
    auto* bounce = std::get_if<BounceAction>(&action);
    if (bounce != nullptr) bounce->rests = bounce->joint == joint;
  }
}

std::function<double(const EvaluationContext&)> ScenarioReader::read_root_function(
    MapReader& map, std::size_t type) {
  if (type == 0) {
    return time_event(map.required_number("time", kEventTime));
  }
  if (type == 1 || type == 2) {
    const char* key = type == 1 ? "position" : "velocity";
    const auto joint = read_joint(map, type == 2);
    if (!joint) {
      map.find(key);  // its unit depends on the joint
      return nullptr;
    }
    const bool turns = model_->joint(*joint).type == JointType::revolute;
    if (type == 1) {
      return joint_position_event(
          *joint, map.required_number(key, turns ? quantity::kAngle : quantity::kLength));
    }
    return joint_velocity_event(
        *joint, map.required_number(key, turns ? quantity::kRate : quantity::kVelocity));
  }
  if (type == 3) {
    const auto from = read_point(map, "from");
    const auto to = read_point(map, "to");
    const double distance = map.required_number("distance", kEventDistance);
    if (!from || !to) return nullptr;
    return frame_distance_event(*from, *to, distance);
  }
  const auto at = read_point(map, "at");
  const Vector3 normal = map.vector3("normal", quantity::kNumber, Vector3::UnitZ());
  const double height = map.number("height", quantity::kLength, 0.0);
  if (normal.norm() < 1e-6) map.error_at("normal", "expected a direction, got a zero vector");
  if (!at || normal.norm() < 1e-6) return nullptr;
  return plane_event(*at, normal.normalized(), height);
}

void ScenarioReader::read_action(MapReader& map, Event& event) {
  const auto value = map.require("type", list_choices(kActions));
  const auto type = value ? read_choice(*value, kActions, problems()) : std::nullopt;
  if (!type) return;
  if (*type == 0) {
    event.actions.emplace_back(StopAction{});
  } else if (*type <= 3) {
    read_joint_action(map, *type, event);
  } else if (*type == 4) {
    const auto at = read_point(map, "at");
    const Vector3 p = map.vector3("linear", kImpulse, Vector3::Zero());
    const Vector3 l = map.vector3("angular", kAngularImpulse, Vector3::Zero());
    if (at) event.actions.emplace_back(ImpulseAction{*at, p, l});
  } else if (*type >= kConnect) {
    read_connection_action(map, *type == kConnect, event);
  } else {
    read_switch(map, event);
  }
}

void ScenarioReader::read_joint_action(MapReader& map, std::size_t type, Event& event) {
  if (type != 3) {
    read_lock_action(map, type == 1, event);
    return;
  }
  const auto joint = read_joint(map);
  BounceAction bounce{joint.value_or(0), 0.0};
  read_fields(map, bounce_fields(), bounce);
  if (!joint || refuse_prescribed(map, *joint)) return;
  event.actions.emplace_back(bounce);
}

void ScenarioReader::read_lock_action(MapReader& map, bool locks, Event& event) {
  const auto value = map.require("joint", "the name of a joint");
  if (!value) return;
  for (const int joint : read_joint_coordinates(*value)) {
    if (refuse_prescribed(map, joint)) return;
    if (locks) {
      event.actions.emplace_back(LockAction{joint});
    } else {
      event.actions.emplace_back(ReleaseAction{joint});
    }
  }
}

bool ScenarioReader::refuse_prescribed(MapReader& map, int joint) {
  if (!is_prescribed(joint)) return false;
  map.error_at("joint", "expected a joint that moves freely, got '" + model_->joint(joint).name +
                            "', whose motion is prescribed");
  return true;
}

void ScenarioReader::read_switch(MapReader& map, Event& event) {
  const std::string name = map.required_text("controller");
  if (!map.has("enabled")) map.require("enabled", "true or false");
  const bool on = map.boolean("enabled", true);
  if (name.empty()) return;
  for (const auto& controller : scenario_.setup.controllers) {
    if (controller->name() != name) continue;
    event.actions.emplace_back(SwitchAction{name, on});
    return;
  }
  // one that is wrong itself has its own error
  if (!knows_controllers_ || controller_names_.count(name) > 0) return;
  const std::vector<std::string> known(controller_names_.begin(), controller_names_.end());
  const std::string nearest = nearest_name(name, known);
  map.error_at("controller", "expected the name of a controller, got " + quote(name),
               nearest.empty() ? "" : "did you mean '" + nearest + "'?");
}

std::optional<int> ScenarioReader::read_joint(MapReader& map, bool may_be_spherical) {
  const auto value = map.require("joint", "the name of a joint");
  return value ? read_joint_name(*value, may_be_spherical) : std::nullopt;
}

}  // namespace spacedyn::loading
