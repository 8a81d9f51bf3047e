#include "loading/scenario/shared_keys.hpp"

#include <array>

#include "loading/model/body_reader.hpp"
#include "loading/scenario/sections.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/reaction_wheels.hpp"
#include "spacedyn/integration/events.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn::loading {
namespace {

/// All keys of all quantities.
struct QuantityFields {
  Frame from, to, body;
  int joint = 0, wheel = 0, sensor = 0, component = 0;
  bool is_angular = false;
  const ContactPlace* contact = nullptr;
};

constexpr Quantity kMomentum = quantity::in("N s");
constexpr Quantity kAngularMomentum = quantity::in("N m s");
constexpr Quantity kEnergy = quantity::in("J");

std::optional<std::vector<std::string>> known_wheel_names(const Reading& reading) {
  if (!reading.scenario->model) return std::nullopt;
  std::vector<std::string> names;
  for (const int joint : wheel_joints(*reading.scenario->model)) {
    names.push_back(reading.scenario->model->joint(joint).name);
  }
  return names;
}

std::optional<std::vector<std::string>> known_sensor_names(const Reading& reading) {
  std::vector<std::string> names = names_of(reading.scenario->setup().sensors);
  if (names.size() != reading.scenario->names.sensors.size()) return std::nullopt;
  return names;
}

Mapping<QuantityFields> quantity_pair_keys(const char* title) {
  Mapping<QuantityFields> keys(title);
  keys.require("from", &QuantityFields::from, kind::point());
  keys.require("to", &QuantityFields::to, kind::point());
  return keys;
}

Mapping<QuantityFields> quantity_joint_keys(const char* title) {
  Mapping<QuantityFields> keys(title);
  keys.require("joint", &QuantityFields::joint, kind::joint("A joint", Spherical::allowed));
  return keys;
}

/// What a component of a reading is measured in.
Quantity reading_quantity(const Sensor& sensor, int component, const Model& model) {
  switch (sensor.type) {
    case SensorType::gyroscope:
      return quantity::kRate;
    case SensorType::accelerometer:
      return quantity::kAcceleration;
    case SensorType::encoder: {
      const JointType type = model.joint(sensor.joint).type;
      return component == 0 ? position_quantity(type) : velocity_quantity(type);
    }
    case SensorType::force_torque:
    case SensorType::momentum_observer:
      return component < 3 ? quantity::kForce : quantity::kTorque;
    case SensorType::relative_pose:
      return component < 3 ? quantity::kLength : quantity::kNumber;
    case SensorType::target_filter:
      if (component < 3) return quantity::kLength;
      if (component >= 7 && component < 10) return quantity::kVelocity;
      if (component >= 10 && component < 13) return quantity::kRate;
      break;
    case SensorType::magnetometer:
      return quantity::in("T");
    case SensorType::star_tracker:
      break;
  }
  return quantity::kNumber;
}

/// SI unit of a quantity.
std::string level_unit(const Quantity& quantity) {
  if (quantity.dimension == Dimension::none) return quantity.unit;
  return unit_names(quantity.dimension).front();
}

using MakeQuantity = QuantityKeys (*)(const QuantityFields& keys, ScenarioContext& scenario);

QuantityKeys contact_force(const QuantityFields& keys, ScenarioContext& scenario) {
  const Quantity level = quantity::positive(quantity::kForce);
  if (keys.contact == nullptr) return {};
  if (keys.contact->contact) return {contact_force_quantity(*keys.contact->contact), level};
  std::size_t index = 0;
  for (const auto& force : scenario.setup().forces) {
    if (force.get() == keys.contact->rigid.get()) break;
    if (declarations_of(*force).rigid != nullptr) ++index;
  }
  return {rigid_contact_force_quantity(index), level};
}

QuantityKeys sensor_reading(const QuantityFields& keys, ScenarioContext& scenario) {
  const auto index = static_cast<std::size_t>(keys.sensor);
  const Sensor& sensor = scenario.setup().sensors[index];
  const Quantity level = reading_quantity(sensor, keys.component, *scenario.model);
  return {sensor_quantity(index, keys.component, level_unit(level)), level};
}

bool read_contact_key(Reading& reading, QuantityFields& keys) {
  keys.contact = read_contact_name(*reading.scenario, reading.map);
  return keys.contact != nullptr;
}

const std::array<Variant<QuantityFields, MakeQuantity>, 12> kQuantityTypes = {{
    {"distance", [] { return quantity_pair_keys("Distance of two points"); },
     [](const QuantityFields& keys, ScenarioContext&) -> QuantityKeys {
       return {distance_quantity(keys.from, keys.to), quantity::positive(quantity::kLength)};
     }},
    {"relative_speed", [] { return quantity_pair_keys("Relative speed of two points, inertial"); },
     [](const QuantityFields& keys, ScenarioContext&) -> QuantityKeys {
       return {relative_speed_quantity(keys.from, keys.to),
               quantity::positive(quantity::kVelocity)};
     }},
    {"relative_angle", [] { return quantity_pair_keys("Angle between the axes of two frames"); },
     [](const QuantityFields& keys, ScenarioContext&) -> QuantityKeys {
       return {relative_angle_quantity(keys.from, keys.to), quantity::positive(quantity::kAngle),
               kPi};
     }},
    {"angular_rate",
     [] {
       Mapping<QuantityFields> keys("Magnitude of the angular velocity of a body");
       keys.require("body", &QuantityFields::body, kind::point("A link, or a frame on it"));
       return keys;
     },
     [](const QuantityFields& keys, ScenarioContext&) -> QuantityKeys {
       return {angular_rate_quantity(keys.body.body), quantity::positive(quantity::kRate)};
     }},
    {"joint_position",
     [] {
       Mapping<QuantityFields> keys("Position of a joint");
       keys.require("joint", &QuantityFields::joint, kind::joint("A joint"));
       return keys;
     },
     [](const QuantityFields& keys, ScenarioContext& scenario) -> QuantityKeys {
       return {joint_position_quantity(*scenario.model, keys.joint),
               position_quantity(scenario.model->joint(keys.joint).type)};
     }},
    {"joint_velocity", [] { return quantity_joint_keys("Velocity of a joint"); },
     [](const QuantityFields& keys, ScenarioContext& scenario) -> QuantityKeys {
       return {joint_velocity_quantity(*scenario.model, keys.joint),
               velocity_quantity(scenario.model->joint(keys.joint).type)};
     }},
    {"joint_effort",
     [] { return quantity_joint_keys("Effort on a joint, as the channel joint_torque"); },
     [](const QuantityFields& keys, ScenarioContext& scenario) -> QuantityKeys {
       return {joint_effort_quantity(*scenario.model, keys.joint),
               effort_quantity(scenario.model->joint(keys.joint).type)};
     }},
    {"wheel_momentum",
     [] {
       Mapping<QuantityFields> keys("Spin momentum of a reaction wheel");
       keys.require("wheel", &QuantityFields::wheel,
                    kind::known_name("a reaction wheel", known_wheel_names));
       return keys;
     },
     [](const QuantityFields& keys, ScenarioContext& scenario) -> QuantityKeys {
       const int joint = wheel_joints(*scenario.model)[static_cast<std::size_t>(keys.wheel)];
       return {wheel_momentum_quantity(joint), kAngularMomentum};
     }},
    {"contact_force",
     [] {
       Mapping<QuantityFields> keys("Normal force of a contact");
       const auto describe = [](MappingSchema& schema) {
         schema.require("contact", text_schema("One of the contacts"));
       };
       keys.group({describe, read_contact_key});
       return keys;
     },
     contact_force},
    {"momentum",
     [] {
       Mapping<QuantityFields> keys("Magnitude of the momentum of all robots");
       keys.require(
           "axes", &QuantityFields::is_angular,
           kind::choice<bool>({"linear", "angular"}, "angular: about the centroid of all"));
       return keys;
     },
     [](const QuantityFields& keys, ScenarioContext&) -> QuantityKeys {
       if (keys.is_angular)
         return {angular_momentum_quantity(), quantity::positive(kAngularMomentum)};
       return {linear_momentum_quantity(), quantity::positive(kMomentum)};
     }},
    {"kinetic_energy", [] { return Mapping<QuantityFields>("Kinetic energy of all robots"); },
     [](const QuantityFields&, ScenarioContext&) -> QuantityKeys {
       return {kinetic_energy_quantity(), quantity::positive(kEnergy)};
     }},
    {"sensor",
     [] {
       Mapping<QuantityFields> keys("The held reading of a sensor");
       keys.require("sensor", &QuantityFields::sensor,
                    kind::known_name("a sensor", known_sensor_names));
       keys.require("component", &QuantityFields::component,
                    kind::whole_number<int>(0, 18, "a whole number, 0 for the first column",
                                            "From 0, in the order of its columns"));
       keys.check([](QuantityFields& own, Reading& reading) {
         const Sensor& sensor =
             reading.scenario->setup().sensors[static_cast<std::size_t>(own.sensor)];
         const int size = sensor_traits(sensor.type).reading;
         if (own.component < size) return;
         reading.map.error_at("component", "expected a component from 0 to " +
                                               std::to_string(size - 1) + ", got " +
                                               std::to_string(own.component));
       });
       return keys;
     },
     sensor_reading},
}};

Variants make_quantities() { return variants_of("type", kQuantityTypes); }

Json quantity_schema() { return once<make_quantities>().schema("A number that events look at"); }

std::optional<QuantityKeys> read_quantity(const Value& value, Reading& outer) {
  QuantityFields keys;
  std::size_t chosen = 0;
  const auto choose = [&](std::size_t type, Reading&) { chosen = type; };
  const bool is_right =
      once<make_quantities>().read(value, outer.map.context(), &keys, &outer, choose, {});
  if (!is_right || !outer.scenario->model) return std::nullopt;
  return kQuantityTypes[chosen].use(keys, *outer.scenario);
}

const std::vector<Quantity> kLevels = {
    quantity::kLength, quantity::kVelocity, quantity::kAngle,       quantity::kRate,
    quantity::kTorque, quantity::kForce,    quantity::kAcceleration};

Json level_schema(const char* title) { return number_schema(kLevels, title); }

Json condition_schema() {
  return MappingSchema("What must hold just before the instant")
      .require("quantity", reference_schema("event_quantity"))
      .allow("above", level_schema("Its value is greater"))
      .allow("below", level_schema("Its value is smaller"))
      .add_rule(some_key_rule({"above", "below"}));
}

std::optional<EventCondition> read_condition(const Value& value, Reading& outer) {
  MapReader map(value, outer.map.context());
  Reading reading{map, outer.scenario};
  const auto given = map.require("quantity", "a quantity");
  const auto of = given ? read_quantity(*given, reading) : std::nullopt;
  if (map.is_mapping() && !map.has("above") && !map.has("below")) {
    map.error("expected at least one of the keys above and below, got neither");
  }
  std::optional<EventCondition> condition;
  if (of) {
    const Quantity level = of->level.within(Range::any);
    condition.emplace();
    condition->quantity = of->quantity;
    if (map.has("above")) condition->above = map.required_number("above", level);
    if (map.has("below")) condition->below = map.required_number("below", level);
    if (!(condition->above < condition->below)) {
      map.error_at("below", "expected more than above, " + format_number(condition->above) +
                                ", got " + format_number(condition->below));
      condition.reset();
    }
  } else {
    for (const char* key : {"above", "below"}) map.find(key);
  }
  map.finish();
  return condition;
}

}  // namespace

extern const SchemaDefinition kEventQuantityDefinition{"event_quantity", quantity_schema};
extern const SchemaDefinition kEventConditionDefinition{"event_condition", condition_schema};

Kind<QuantityKeys> kind::quantity() {
  return make_kind<QuantityKeys>(
      "a quantity", [] { return reference_schema("event_quantity"); }, read_quantity);
}

KeyGroup<Crossing> crossing_keys() {
  const auto describe = [](MappingSchema& schema) {
    schema.require("quantity", reference_schema("event_quantity"))
        .require("level", level_schema("That it crosses"));
  };
  const auto read = [](Reading& reading, Crossing& crossing) {
    MapReader& map = reading.map;
    const auto given = map.require("quantity", "a quantity");
    const auto of = given ? read_quantity(*given, reading) : std::nullopt;
    if (!of) {
      map.require("level", "a number");
      return false;
    }
    const std::size_t errors = map.problems().error_count();
    crossing.of = *of;
    crossing.level = map.required_number("level", of->level);
    if (crossing.level >= of->below_level) {
      map.error_at("level", "expected a level below " + format_number(of->below_level) + ", got " +
                                format_number(crossing.level));
    }
    return map.has("level") && map.problems().error_count() == errors;
  };
  return {describe, read};
}

KeyGroup<std::vector<EventCondition>> condition_keys() {
  const auto describe = [](MappingSchema& schema) {
    schema.allow("while", series_schema(reference_schema("event_condition"), 1,
                                        "Conditions that must all hold just before the instant"));
  };
  const auto read = [](Reading& reading, std::vector<EventCondition>& conditions) {
    const auto list = reading.map.find("while");
    if (!list) return true;
    bool is_right = list->node->is_sequence();
    if (is_right && list->node->items.empty()) {
      reading.map.error_at("while", "expected at least one condition, got an empty list");
    }
    for_each_item(*list, reading.problems(), [&](const Value& item) {
      auto condition = read_condition(item, reading);
      is_right = is_right && condition;
      if (condition) conditions.push_back(std::move(*condition));
    });
    return is_right;
  };
  return {describe, read};
}

}  // namespace spacedyn::loading
