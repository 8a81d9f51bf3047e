#include <array>

#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/thruster_force.hpp"
#include "system/motion_of.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kImpulse{Dimension::none, Range::any, false, "N s"};
constexpr Quantity kAngularImpulse{Dimension::none, Range::any, false, "N m s"};
constexpr Quantity kPulse{Dimension::time, Range::positive};

/// All keys of all actions.
struct ActionKeys {
  std::vector<int> joints;  ///< coordinates of one joint
  int joint = 0;
  double restitution = 0.0, duration = 0.0;
  Frame at;
  Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
  std::string controller, key;
  bool enabled = false, snap = false;
  std::size_t connection = 0;
  int thruster = 0;
  Value value;
};

void refuse_prescribed_joint(ActionKeys& keys, Reading& reading) {
  for (const int joint : keys.joints) {
    if (refuse_prescribed(*reading.scenario, reading.map, joint)) return;
  }
}

/// A joint with all its coordinates.
Kind<std::vector<int>> whole_joint() {
  const auto read = [](const Value& value, Reading& reading) -> std::optional<std::vector<int>> {
    std::vector<int> joints = read_joint_coordinates(*reading.scenario, value);
    if (joints.empty()) return std::nullopt;
    return joints;
  };
  return make_kind<std::vector<int>>(
      "the name of a joint", [] { return text_schema("A joint"); }, read);
}

Kind<std::string> known_controller() {
  const auto read = [](const Value& value, Reading& reading) -> std::optional<std::string> {
    const auto name = read_text(value, reading.problems());
    if (!name) return std::nullopt;
    const ScenarioContext& scenario = *reading.scenario;
    for (const auto& known : scenario.result.setup.controllers) {
      if (known->name() == *name) return name;
    }
    // one that is wrong itself has its own error
    const auto& names = scenario.names.controllers;
    if (!scenario.names.knows_controllers || names.count(*name) > 0) return std::nullopt;
    reading.problems().error(value, "expected the name of a controller, got " + quote(*name),
                             nearest_hint(*name, {names.begin(), names.end()}));
    return std::nullopt;
  };
  return make_kind<std::string>(
      "a text", [] { return text_schema(); }, read);
}

Kind<std::size_t> known_connection() {
  const auto read = [](const Value& value, Reading& reading) -> std::optional<std::size_t> {
    const auto name = read_text(value, reading.problems());
    if (!name) return std::nullopt;
    const auto& connections = reading.scenario->result.setup.connections;
    for (std::size_t i = 0; i < connections.size(); ++i) {
      if (connections[i].name() == *name) return i;
    }
    // one that is wrong itself has its own error
    const auto& names = reading.scenario->names.connections;
    if (names.count(*name) > 0) return std::nullopt;
    reading.problems().error(value, "expected the name of a connection, got " + quote(*name),
                             nearest_hint(*name, {names.begin(), names.end()}));
    return std::nullopt;
  };
  return make_kind<std::size_t>(
      "a text", [] { return text_schema("One of the connections"); }, read);
}

/// A number or a list of numbers, whatever they are measured in.
Kind<Value> number_or_list() {
  const auto is_number = [](const Node& node) {
    if (!node.is_scalar() || node.quoted || node.text.empty()) return false;
    const char first = node.text[node.text[0] == '-' || node.text[0] == '+' ? 1 : 0];
    return (first >= '0' && first <= '9') || first == '.';
  };
  const auto read = [=](const Value& value, Reading& reading) -> std::optional<Value> {
    const Node& node = *value.node;
    const bool is_list = node.is_sequence() && !node.items.empty() &&
                         std::all_of(node.items.begin(), node.items.end(),
                                     [&](const NodePtr& item) { return is_number(*item); });
    if (is_number(node) || is_list) return value;
    reading.problems().error(value,
                             "expected a number or a list of numbers, got " + describe(node));
    return std::nullopt;
  };
  return make_kind<Value>(
      "a number or a list of numbers",
      [] {
        const Json number = any_of_schema({{{"type", "number"}}, text_schema()});
        return any_of_schema({number, series_schema(number, 1)}, "In the unit of the key");
      },
      read);
}

void check_connect(ActionKeys& keys, Reading& reading) {
  const Connection& connection = reading.scenario->result.setup.connections[keys.connection];
  if (!keys.snap || connection.is_rigid()) return;
  const bool is_motion = motion_of(reading.scenario->result.setup, connection) != nullptr;
  reading.map.error_at("snap",
                       "expected false, got true: " + quote(connection.name()) +
                           (is_motion ? " holds no relative position that it could take over"
                                      : " is a bushing, which pulls its points together "
                                        "wherever they are"));
}

/// The force by which events open a thruster; it is made for the first of them.
std::size_t pulse_slot(ScenarioContext& scenario, const Thruster& thruster) {
  std::size_t slots = 0;
  for (const auto& force : scenario.setup().forces) {
    const std::optional<PulsedThruster> other = declarations_of(*force).pulsed;
    if (!other) continue;
    if (other->thruster->name == thruster.name) return other->slot;
    ++slots;
  }
  scenario.add_force(std::make_shared<ThrusterForce>(thruster.name + " pulses", thruster, slots));
  return slots;
}

void check_pulse(ActionKeys& keys, Reading& reading) {
  ScenarioContext& scenario = *reading.scenario;
  const std::string& name =
      scenario.model->thrusters()[static_cast<std::size_t>(keys.thruster)].name;
  const auto opener = scenario.names.openers.find(name);
  const bool is_scheduled = scenario.names.scheduled.count(name) > 0;
  if (opener == scenario.names.openers.end() && !is_scheduled) return;
  reading.map.error_at(
      "thruster", "expected a thruster that nothing else opens, got " + quote(name) + ", which " +
                      (is_scheduled ? "a force" : quote(opener->second)) + " opens");
}

Mapping<ActionKeys> held_joint_keys(const char* title) {
  Mapping<ActionKeys> keys(title);
  keys.require("joint", &ActionKeys::joints, whole_joint());
  keys.check(refuse_prescribed_joint);
  return keys;
}

Mapping<ActionKeys> made_connection_keys(const char* title) {
  Mapping<ActionKeys> keys(title);
  keys.require("connection", &ActionKeys::connection, known_connection());
  return keys;
}

/// Adds an action to an event.
using AddAction = void (*)(const ActionKeys& keys, Reading& reading, Event& event);

const std::array<Variant<ActionKeys, AddAction>, 10> kActionTypes = {{
    {"stop", [] { return Mapping<ActionKeys>("Ends the run"); },
     [](const ActionKeys&, Reading&, Event& event) { event.actions.emplace_back(StopAction{}); }},
    {"lock", [] { return held_joint_keys("Holds a joint"); },
     [](const ActionKeys& keys, Reading&, Event& event) {
       for (const int joint : keys.joints) event.actions.emplace_back(LockAction{joint});
     }},
    {"release", [] { return held_joint_keys("Lets a joint move again"); },
     [](const ActionKeys& keys, Reading&, Event& event) {
       for (const int joint : keys.joints) event.actions.emplace_back(ReleaseAction{joint});
     }},
    {"bounce",
     [] {
       using namespace kind;
       Mapping<ActionKeys> keys("Reverses a joint");
       keys.require("joint", &ActionKeys::joint, kind::joint("A joint"));
       keys.require("restitution", &ActionKeys::restitution, not_negative(kNumber), "From 0 to 1",
                    kAtMostOne);
       keys.check([](ActionKeys& own, Reading& reading) {
         refuse_prescribed(*reading.scenario, reading.map, own.joint);
       });
       return keys;
     },
     [](const ActionKeys& keys, Reading&, Event& event) {
       event.actions.emplace_back(BounceAction{keys.joint, keys.restitution});
     }},
    {"impulse",
     [] {
       using namespace kind;
       Mapping<ActionKeys> keys("An impulse, inertial axes");
       keys.require("at", &ActionKeys::at, point());
       keys.allow("linear", &ActionKeys::linear, kind::vector(kImpulse, "N s"));
       keys.allow("angular", &ActionKeys::angular, kind::vector(kAngularImpulse, "N m s"));
       return keys;
     },
     [](const ActionKeys& keys, Reading&, Event& event) {
       event.actions.emplace_back(ImpulseAction{keys.at, keys.linear, keys.angular});
     }},
    {"switch",
     [] {
       Mapping<ActionKeys> keys("Turns a controller on or off");
       keys.require("controller", &ActionKeys::controller, known_controller());
       keys.require("enabled", &ActionKeys::enabled, kind::boolean(""));
       return keys;
     },
     [](const ActionKeys& keys, Reading&, Event& event) {
       event.actions.emplace_back(SwitchAction{keys.controller, keys.enabled});
     }},
    {"connect",
     [] {
       Mapping<ActionKeys> keys = made_connection_keys("Makes a connection");
       keys.allow("snap", &ActionKeys::snap,
                  kind::boolean("Keeps the relative position of the instant"));
       keys.check(check_connect);
       return keys;
     },
     [](const ActionKeys& keys, Reading&, Event& event) {
       event.actions.emplace_back(ConnectAction{keys.connection, keys.snap});
     }},
    {"disconnect",
     [] {
       Mapping<ActionKeys> keys = made_connection_keys("Ends a connection");
       keys.refuse("snap", "only connect takes it");
       return keys;
     },
     [](const ActionKeys& keys, Reading&, Event& event) {
       event.actions.emplace_back(DisconnectAction{keys.connection});
     }},
    {"set",
     [] {
       Mapping<ActionKeys> keys("Sets a number of a controller");
       keys.require("controller", &ActionKeys::controller, known_controller());
       keys.require("key", &ActionKeys::key, kind::text("Its key; dots lead into mappings"));
       keys.require("value", &ActionKeys::value, number_or_list());
       return keys;
     },
     [](const ActionKeys& keys, Reading& reading, Event& event) {
       const Value place = *reading.map.find("key");
       event.actions.emplace_back(ControllerSettings::of(*reading.scenario)
                                      .add({keys.controller, keys.key, keys.value, place}));
     }},
    {"pulse",
     [] {
       Mapping<ActionKeys> keys("Opens a thruster for a while");
       keys.require("thruster", &ActionKeys::thruster, kind::thruster());
       keys.require("duration", &ActionKeys::duration, kPulse, "s");
       keys.check(check_pulse);
       return keys;
     },
     [](const ActionKeys& keys, Reading& reading, Event& event) {
       const Thruster& thruster =
           reading.scenario->model->thrusters()[static_cast<std::size_t>(keys.thruster)];
       event.actions.emplace_back(
           PulseAction{pulse_slot(*reading.scenario, thruster), keys.duration});
     }},
}};

Variants make_actions() { return variants_of("type", kActionTypes); }

Json event_actions_schema() {
  return series_schema(once<make_actions>().schema("What an event does"));
}

}  // namespace

extern const SchemaDefinition kEventActionsDefinition{"event_actions", event_actions_schema};

void read_actions(ScenarioContext& scenario, MapReader& map, Event& event) {
  const auto list = map.find("actions");
  if (!list) return;
  const Reading outer{map, &scenario};
  for_each_item(*list, map.problems(), [&](const Value& item) {
    ActionKeys keys;
    once<make_actions>().read(item, scenario.context(), &keys, &outer, {},
                              [&](std::size_t type, Reading& reading, bool is_right) {
                                if (is_right) kActionTypes[type].use(keys, reading, event);
                              });
  });
}

}  // namespace spacedyn::loading
