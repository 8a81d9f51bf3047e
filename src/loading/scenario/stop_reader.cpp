#include <cmath>

#include "loading/keys/fields.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "loading/schema/schema_definition.hpp"

namespace spacedyn::loading {
namespace {

const Fields<BounceAction>& limit_bounce_fields() {
  static const Fields<BounceAction> kFields = {
      {"restitution", "Of the limits, from 0 to 1; default: no bounce",
       quantity::kNumber.within(Range::not_negative),
       [](BounceAction& bounce) -> double& { return bounce.restitution; }, Presence::optional,
       kAtMostOne}};
  return kFields;
}

std::string limits_schema() {
  return list_schema(number_schema(quantity::kJointPosition), 2,
                     "Lower and upper position of a joint, by default its position_limits");
}

std::string joint_limit_schema() {
  MappingSchema schema("A joint reaches a limit");
  schema.require("type", constant_schema("joint_limit"))
      .allow("name", text_schema())
      .require("joint", text_schema())
      .allow("limits", reference_schema("limits"))
      .allow("actions", reference_schema("event_actions"));
  describe_fields(limit_bounce_fields(), schema);
  return schema.text();
}

}  // namespace

extern const SchemaDefinition kLimitsDefinition{"limits", limits_schema};
extern const SchemaDefinition kJointLimitDefinition{"joint_limit", joint_limit_schema};

std::optional<std::pair<double, double>> ScenarioReader::read_limits(MapReader& map, int joint) {
  const Joint& own = model_->joint(joint);
  std::pair<double, double> limits{own.position_lower, own.position_upper};
  if (const auto value = map.find("limits")) {
    const auto given =
        read_numbers(*value, position_quantity(own.type).or_infinite(), 2, problems());
    if (!given) return std::nullopt;
    limits = std::pair{(*given)(0), (*given)(1)};
  } else if (std::isinf(limits.first) && std::isinf(limits.second)) {
    map.error_at("limits", "expected 'limits', for joint '" + own.name +
                               "' has no position_limits of its own");
    return std::nullopt;
  }
  if (!(limits.first < limits.second)) {
    map.error_at("limits", "expected a lower and a higher limit, got " +
                               format_number(limits.first) + " and " +
                               format_number(limits.second));
    return std::nullopt;
  }
  const double start = start_of(joint);
  if (start < limits.first || start > limits.second) {
    map.error_at("limits", "expected limits around the start of joint '" + own.name + "' at " +
                               format_number(start));
  }
  return limits;
}

void ScenarioReader::read_joint_limit(MapReader& map, const std::string& name) {
  const auto joint = read_free_joint(map, {"limits"});
  Event event;
  BounceAction bounce{joint.value_or(0), 0.0};
  const bool is_right = read_fields(map, limit_bounce_fields(), bounce);
  if (joint && is_right && map.has("restitution")) event.actions.emplace_back(bounce);
  read_actions(map, event);
  if (joint) let_rest(*joint, event);
  const auto limits = joint ? read_limits(map, *joint) : std::nullopt;
  if (!limits) return;
  const auto add = [&](const char* side, double position, CrossingDirection direction) {
    if (std::isinf(position)) return;
    event.name = name + side;
    event.value = joint_position_event(*joint, position);
    event.direction = direction;
    scenario_.setup.events.push_back(event);
  };
  add(" lower", limits->first, CrossingDirection::falling);
  add(" upper", limits->second, CrossingDirection::rising);
}

}  // namespace spacedyn::loading
