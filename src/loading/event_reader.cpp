#include "loading/scenario_reader.hpp"
#include "spacedyn/integration/events.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kEventTypes = {"time",           "joint_position", "joint_velocity",
                                              "frame_distance", "plane",          "joint_limit",
                                              "contact",        "separation"};
constexpr std::size_t kJointPosition = 1, kJointLimit = 5, kContact = 6, kSeparation = 7;
const std::vector<std::string> kLaterEventTypes = {"torque", "momentum"};
const std::vector<std::string> kDirections = {"rising", "falling", "both"};
const std::vector<std::string> kActions = {"stop",    "lock",   "release", "bounce",
                                           "impulse", "switch", "connect", "disconnect"};
constexpr std::size_t kConnect = 6;

}  // namespace

void ScenarioReader::read_events() {
  read_elements("events", kEventTypes, kLaterEventTypes,
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
    const auto choice = read_choice(*direction, kDirections, {}, problems());
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
    const auto choice = read_choice(*direction, kDirections, {}, problems());
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
  event.value = [contact = place->contact](const EvaluationContext& now) {
    return contact->depth(now);
  };
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
    return time_event(map.required_number("time", quantity::kTime.within(Range::not_negative)));
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
    const double distance =
        map.required_number("distance", quantity::kLength.within(Range::positive));
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
  const auto type = value ? read_choice(*value, kActions, {}, problems()) : std::nullopt;
  if (!type) return;
  if (*type == 0) {
    event.actions.emplace_back(StopAction{});
  } else if (*type <= 3) {
    read_joint_action(map, *type, event);
  } else if (*type == 4) {
    const auto at = read_point(map, "at");
    const Quantity impulse{Dimension::none, Range::any, false, "N s"};
    const Quantity angular{Dimension::none, Range::any, false, "N m s"};
    const Vector3 p = map.vector3("linear", impulse, Vector3::Zero());
    const Vector3 l = map.vector3("angular", angular, Vector3::Zero());
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
  const double restitution =
      map.required_number("restitution", quantity::kNumber.within(Range::not_negative));
  if (restitution > 1.0) map.error_at("restitution", "expected a number from 0 to 1");
  if (!joint || refuse_prescribed(map, *joint)) return;
  event.actions.emplace_back(BounceAction{*joint, restitution});
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
