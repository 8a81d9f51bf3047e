#include <algorithm>

#include "loading/keys/fields.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/integration/position_stops.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kLimitActions = {"warn", "stop", "ignore"};
constexpr std::size_t kStopAtLimits = 1, kIgnoreLimits = 2;

constexpr Quantity kLimitTorsion{Dimension::angular_stiffness, Range::positive};
constexpr Quantity kLimitStiffness{Dimension::linear_stiffness, Range::positive};

/// Numbers of stops whose units do not depend on joints.
struct StopNumbers {
  double damping = 0.0, restitution = 0.0;
};

const Fields<StopNumbers>& compliant_stop_fields() {
  static const Fields<StopNumbers> kFields = {
      {"damping", "N m s/rad or N s/m, default 0", quantity::kNumber.within(Range::not_negative),
       [](StopNumbers& stop) -> double& { return stop.damping; }}};
  return kFields;
}

const Fields<StopNumbers>& rigid_stop_fields() {
  static const Fields<StopNumbers> kFields = {
      {"restitution", "From 0 to 1, of stops that do not yield",
       quantity::kNumber.within(Range::not_negative),
       [](StopNumbers& stop) -> double& { return stop.restitution; }, Presence::optional,
       kAtMostOne}};
  return kFields;
}

std::string position_limits_schema() {
  MappingSchema schema("What happens where joints pass the position_limits of the model");
  schema.allow("action", choice_schema(kLimitActions, "Default warn"))
      .allow("stiffness", number_schema({kLimitTorsion, kLimitStiffness}, "N*m/rad or N/m"));
  describe_fields(compliant_stop_fields(), schema);
  describe_fields(rigid_stop_fields(), schema);
  schema.add_rule(R"("if": {"properties": {"action": {"const": "stop"}}, "required": ["action"]})")
      .add_rule(R"("then": {"oneOf": [)"
                R"({"required": ["stiffness"], "properties": {"restitution": false}}, )"
                R"({"required": ["restitution"], )"
                R"("properties": {"stiffness": false, "damping": false}}]})")
      .add_rule(R"("else": {"properties": )"
                R"({"stiffness": false, "damping": false, "restitution": false}})");
  return schema.text();
}

/// What the stiffness of a stop for all of some joints is measured in; a plain number for both
/// kinds.
Quantity stop_stiffness(const Model& model, const std::vector<int>& joints) {
  const auto turns = [&](int joint) { return model.joint(joint).type == JointType::revolute; };
  const auto count = std::count_if(joints.begin(), joints.end(), turns);
  if (count == static_cast<std::ptrdiff_t>(joints.size())) {
    return kLimitTorsion;
  }
  if (count == 0) return kLimitStiffness;
  return {Dimension::none, Range::positive, false, "N*m/rad or N/m"};
}

}  // namespace

extern const SchemaDefinition kPositionLimitsDefinition{"position_limits", position_limits_schema};

void ScenarioReader::read_position_limits() {
  const auto value = map_.find("position_limits");
  if (!value) return;
  MapReader map(*value, context());
  std::optional<std::size_t> action = 0;
  if (const auto given = map.find("action")) {
    action = read_choice(*given, kLimitActions, problems());
  }
  if (action == kStopAtLimits) {
    read_position_stops(map);
  } else {
    const std::string reason = "only 'action: stop' has a stop";
    for (const char* key : {"stiffness", "damping", "restitution"}) {
      if (action) {
        map.refuse(key, reason);
      } else {
        map.find(key);
      }
    }
  }
  if (action == kIgnoreLimits) scenario_.setup.warn_at_position_limits = false;
  map.finish();
}

void ScenarioReader::read_position_stops(MapReader& map) {
  const std::size_t errors_before = problems().error_count();
  const bool rigid = map.has("restitution");
  const std::vector<int> joints =
      model_ ? joints_without_stops(scenario_.setup) : std::vector<int>();
  double stiffness = 0.0;
  StopNumbers stop;
  if (rigid) {
    map.refuse("stiffness", "'restitution' is given as well");
    map.refuse("damping", "'restitution' is given as well");
    read_fields(map, rigid_stop_fields(), stop);
  } else {
    if (!map.has("stiffness")) {
      map.require("stiffness", "a stiffness, or a restitution, of the stops");
    } else if (!model_) {
      map.find("stiffness");
    } else {
      stiffness = map.required_number("stiffness", stop_stiffness(*model_, joints));
    }
    read_fields(map, compliant_stop_fields(), stop);
  }
  if (!model_ || (!rigid && !(stiffness > 0.0))) return;
  for (const int joint : joints) {
    const Joint& own = model_->joint(joint);
    if (start_of(joint) < own.position_lower || start_of(joint) > own.position_upper) {
      map.error_at("action", "expected a start within all position limits, got joint '" + own.name +
                                 "' at " + format_number(start_of(joint)) + " outside [" +
                                 format_number(own.position_lower) + ", " +
                                 format_number(own.position_upper) + "]");
    }
    if (!rigid && own.position_lower == own.position_upper) {
      map.error_at("action",
                   "expected position limits that are apart, got joint '" + own.name +
                       "' with both at " + format_number(own.position_lower),
                   "lock the joint, or give a restitution");
    }
    if (element_names_.count(own.name + " limit") > 0) {
      map.error_at("action", "expected no element named '" + own.name +
                                 " limit', which is the name of the stop of joint '" + own.name +
                                 "'");
    }
  }
  if (problems().error_count() > errors_before) return;
  if (rigid) {
    add_impulsive_stops(scenario_.setup, stop.restitution);
  } else {
    add_compliant_stops(scenario_.setup, stiffness, stop.damping);
  }
}

}  // namespace spacedyn::loading
