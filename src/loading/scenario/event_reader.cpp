#include <algorithm>

#include "forces/root_bound.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/integration/events.hpp"
#include "spacedyn/model/joint_traits.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kEventTypes = {"time",           "joint_position", "joint_velocity",
                                              "frame_distance", "plane",          "joint_limit",
                                              "contact",        "separation",     "quantity"};
constexpr std::size_t kTimeEvent = 0, kPositionEvent = 1, kVelocityEvent = 2, kDistanceEvent = 3,
                      kPlaneEvent = 4, kJointLimit = 5, kContact = 6, kSeparation = 7,
                      kQuantityEvent = 8;
const std::vector<std::string> kDirections = {"rising", "falling", "both"};

/// What an event is told by.
struct RootKeys {
  double value = 0.0;  ///< an instant, a position, a velocity, a distance or a height
  int joint = 0;
  Frame at, from, to;
  Vector3 normal = Vector3::UnitZ();
  std::optional<CrossingDirection> direction;
  Crossing crossing;
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
                                     "Shapes of a contact part",
                                     "A quantity crosses a level"};
  Mapping<RootKeys> keys(kTitles[type]);
  if (type == kTimeEvent) {
    keys.require("time", &RootKeys::value, not_negative(kTime), "Time, s");
  } else if (type == kPositionEvent) {
    keys.require("joint", &RootKeys::joint, joint("A joint"));
    keys.require("position", &RootKeys::value, joint_number(kJointPosition, "rad or m"));
  } else if (type == kVelocityEvent) {
    keys.require("joint", &RootKeys::joint, joint("A joint", Spherical::allowed));
    keys.require("velocity", &RootKeys::value, joint_number(kJointVelocity, "rad/s or m/s"));
  } else if (type == kDistanceEvent) {
    keys.require("from", &RootKeys::from, point());
    keys.require("to", &RootKeys::to, point());
    keys.require("distance", &RootKeys::value, positive(kLength), "m");
  } else if (type == kPlaneEvent) {
    keys.require("at", &RootKeys::at, point());
    keys.allow("normal", &RootKeys::normal, vector(kNumber, "Of the plane, default z"));
    keys.allow("height", &RootKeys::value, kLength, "Along the normal, m, default 0");
    keys.check([](RootKeys& plane, Reading& reading) {
      if (plane.normal.norm() >= 1e-6) return;
      reading.map.error_at("normal", "expected a direction, got a zero vector");
    });
  }
  if (type == kQuantityEvent) keys.group(&RootKeys::crossing, crossing_keys());
  if (type != kSeparation) {
    keys.allow("direction", &RootKeys::direction,
               optional(choice<CrossingDirection>(kDirections, "In which it crosses")));
  }
  return keys;
}

Json event_schema() {
  std::vector<Json> events;
  for (std::size_t type = 0; type < kEventTypes.size(); ++type) {
    const Mapping<RootKeys> keys = root_keys(type);
    MappingSchema schema(keys.title());
    schema.require("type", constant_schema(kEventTypes[type]))
        .allow("name", text_schema())
        .allow("actions", reference_schema("event_actions"));
    describe_sequence(schema);
    const bool is_contact = type == kContact || type == kSeparation;
    if (is_contact) schema.require("contact", text_schema("One of the contacts"));
    keys.describe(schema);
    events.push_back(type == kJointLimit ? reference_schema("joint_limit") : schema);
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
  read_sequence(scenario, map, event);
  read_actions(scenario, map, event);
  const bool is_at_start = is_right && keys.value == 0.0;  // where no function crosses
  if (type == kTimeEvent && (is_at_start || !event.after.empty())) {
    map.refuse("direction", "time goes on in one direction");
    if (!is_right) return;
    event.delay = keys.value;
    scenario.setup().events.push_back(std::move(event));
    return;
  }
  if (!is_right) return;
  if (type == kQuantityEvent) {
    Event crossing =
        quantity_event(event.name, keys.crossing.of.quantity, keys.crossing.level, event.direction);
    crossing.after = std::move(event.after);
    crossing.conditions = std::move(event.conditions);
    crossing.actions = std::move(event.actions);
    scenario.setup().events.push_back(std::move(crossing));
    return;
  }
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
  read_sequence(scenario, map, event);
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

/// An event of the scenario; null: none.
const Event* find_event(const ScenarioContext& scenario, const std::string& name) {
  for (const Event& event : scenario.result.setup.events) {
    if (event.name == name) return &event;
  }
  return nullptr;
}

/// Looks up the events that something waits for.
void check_awaited(ScenarioContext& scenario) {
  const std::vector<std::string> known = names_of(scenario.setup().events);
  const AwaitedEvents& awaited = scenario.context().awaited;
  for (const auto& [name, place] : awaited.places) {
    if (find_event(scenario, name) != nullptr) continue;
    // one that is wrong itself has its own error
    if (scenario.problems().has_errors() && scenario.names.elements.count(name) > 0) continue;
    scenario.problems().error(place, "expected the name of one of 'events', got " + quote(name),
                              nearest_hint(name, known));
  }
  scenario.setup().awaited = awaited.names;
}

/// Reports the first ring of events that are after each other.
void check_rings(ScenarioContext& scenario) {
  const std::vector<Event>& events = scenario.setup().events;
  for (const Event& event : events) {
    const Event* before = find_event(scenario, event.after);
    std::string way = quote(event.name);
    for (std::size_t i = 0; before != nullptr && i < events.size(); ++i) {
      way += " after " + quote(before->name);
      if (before == &event) {
        const auto& places = scenario.context().awaited.places;
        const auto place = std::find_if(places.begin(), places.end(), [&](const auto& other) {
          return other.first == event.after &&
                 other.second.path.rfind("after") != std::string::npos;
        });
        scenario.problems().error(place->second,
                                  "expected events of which one comes first, got " + way);
        return;
      }
      before = find_event(scenario, before->after);
    }
  }
}

}  // namespace

extern const SchemaDefinition kEventDefinition{"event", event_schema};

void describe_sequence(MappingSchema& schema) {
  schema.allow("after", text_schema("Event that arms it, after that one's actions"));
  condition_keys().describe(schema);
}

void read_sequence(ScenarioContext& scenario, MapReader& map, Event& event) {
  if (const auto after = map.find("after")) {
    const auto name = read_text(*after, map.problems());
    if (name) {
      scenario.context().awaited.places.emplace_back(*name, *after);
      event.after = *name;
    }
  }
  Reading reading{map, &scenario};
  condition_keys().read(reading, event.conditions);
}

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
  check_awaited(scenario);
  check_rings(scenario);
  if (scenario.settings && !scenario.problems().has_errors()) {
    scenario.settings->make_all(scenario);
  }
}

void let_rest(int joint, Event& event) {
  for (EventAction& action : event.actions) {
    auto* bounce = std::get_if<BounceAction>(&action);
    if (bounce != nullptr) bounce->rests = bounce->joint == joint;
  }
}

}  // namespace spacedyn::loading
