#include <algorithm>
#include <cmath>

#include "loading/model/body_reader.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/integration/position_stops.hpp"

namespace spacedyn::loading {
namespace {

struct JointLimit : BounceAction {
  std::pair<double, double> limits;
};

Mapping<JointLimit> joint_limit_keys() {
  using namespace kind;
  Mapping<JointLimit> keys("A joint reaches a limit");
  keys.require("joint", &JointLimit::joint, free_joint());
  keys.allow("restitution", &JointLimit::restitution, not_negative(kNumber),
             "Of the limits, from 0 to 1; default: no bounce", kAtMostOne);
  keys.group(&JointLimit::limits, limits_key());
  return keys;
}

Json limits_schema() {
  return list_schema(number_schema(quantity::kJointPosition), 2,
                     "Lower and upper position of a joint, by default its position_limits");
}

Json joint_limit_schema() {
  MappingSchema schema(once<joint_limit_keys>().title());
  schema.require("type", constant_schema("joint_limit"))
      .allow("name", text_schema())
      .allow("actions", reference_schema("event_actions"));
  describe_sequence(schema);
  once<joint_limit_keys>().describe(schema);
  return schema;
}

const std::vector<std::string> kLimitActions = {"warn", "stop", "ignore"};
constexpr std::size_t kStopAtLimits = 1, kIgnoreLimits = 2;

constexpr Quantity kLimitTorsion{Dimension::angular_stiffness, Range::positive};
constexpr Quantity kLimitStiffness{Dimension::linear_stiffness, Range::positive};

/// Numbers of stops whose units do not depend on joints.
struct StopNumbers {
  double damping = 0.0, restitution = 0.0;
};

Mapping<StopNumbers> compliant_stop_keys() {
  using namespace kind;
  Mapping<StopNumbers> keys;
  keys.allow("damping", &StopNumbers::damping, not_negative(kNumber),
             "N m s/rad or N s/m, default 0");
  return keys;
}

Mapping<StopNumbers> rigid_stop_keys() {
  using namespace kind;
  Mapping<StopNumbers> keys;
  keys.allow("restitution", &StopNumbers::restitution, not_negative(kNumber),
             "From 0 to 1, of stops that do not yield", kAtMostOne);
  return keys;
}

Json position_limits_schema() {
  MappingSchema schema("What happens where joints pass the position_limits of the model");
  schema.allow("action", choice_schema(kLimitActions, "Default warn"))
      .allow("stiffness", number_schema({kLimitTorsion, kLimitStiffness}, "N*m/rad or N/m"));
  once<compliant_stop_keys>().describe(schema);
  once<rigid_stop_keys>().describe(schema);
  const Json soft = all_rules({required_rule({"stiffness"}), no_key_rule({"restitution"})});
  const Json rigid =
      all_rules({required_rule({"restitution"}), no_key_rule({"stiffness", "damping"})});
  schema.add_rule(if_rule(value_rule("action", "stop"), one_of_schema({soft, rigid}),
                          no_key_rule({"stiffness", "damping", "restitution"})));
  return schema;
}

/// What the stiffness of a stop for all of some joints is measured in; a plain number for both
/// kinds.
Quantity stop_stiffness(const Model& model, std::vector<int> joints,
                        const std::vector<CompoundJoint>& spherical) {
  for (const CompoundJoint& joint : spherical) joints.push_back(joint.first);
  const auto turns = [&](int joint) { return model.joint(joint).type != JointType::prismatic; };
  const auto count = std::count_if(joints.begin(), joints.end(), turns);
  if (count == static_cast<std::ptrdiff_t>(joints.size())) {
    return kLimitTorsion;
  }
  if (count == 0) return kLimitStiffness;
  return {Dimension::none, Range::positive, false, "N*m/rad or N/m"};
}

void read_position_stops(ScenarioContext& scenario, MapReader& map) {
  const ErrorMark errors(map.problems());
  const bool rigid = map.has("restitution");
  const std::vector<int> joints =
      scenario.model ? joints_without_stops(scenario.setup()) : std::vector<int>();
  const std::vector<CompoundJoint> spherical =
      scenario.model ? spherical_joints_without_stops(scenario.setup())
                     : std::vector<CompoundJoint>();
  double stiffness = 0.0;
  StopNumbers stop;
  if (rigid && !spherical.empty()) {
    map.error_at("restitution",
                 "expected a stiffness, got a restitution: the stop at the angle_limit of "
                 "spherical joint " +
                     quote(spherical.front().name) + " yields",
                 "a 'joint_stop' of its own for that joint leaves the others to this one");
  }
  if (rigid) {
    map.refuse("stiffness", "'restitution' is given as well");
    map.refuse("damping", "'restitution' is given as well");
    once<rigid_stop_keys>().read(map, stop);
  } else {
    if (!map.has("stiffness")) {
      map.require("stiffness", "a stiffness, or a restitution, of the stops");
    } else if (!scenario.model) {
      map.find("stiffness");
    } else {
      stiffness =
          map.required_number("stiffness", stop_stiffness(*scenario.model, joints, spherical));
    }
    once<compliant_stop_keys>().read(map, stop);
  }
  if (!scenario.model || (!rigid && !(stiffness > 0.0))) return;
  const auto check_name = [&](const std::string& joint) {
    if (scenario.names.elements.count(joint + " limit") == 0) return;
    map.error_at("action", "expected no element named '" + joint +
                               " limit', which is the name of the stop of joint '" + joint + "'");
  };
  for (const CompoundJoint& joint : spherical) {
    const double start = scenario.initial().q.segment<3>(joint.first - 1).norm();
    if (start > joint.angle_limit) {
      map.error_at("action", "expected a start within all position limits, got joint '" +
                                 joint.name + "' turned by " + angle_text(start) + " of " +
                                 angle_text(joint.angle_limit));
    }
    check_name(joint.name);
  }
  for (const int joint : joints) {
    const Joint& own = scenario.model->joint(joint);
    const double start = scenario.initial().q(joint - 1);
    if (start < own.position_lower || start > own.position_upper) {
      map.error_at("action", "expected a start within all position limits, got joint '" + own.name +
                                 "' at " + position_text(own, start) + " outside " +
                                 limits_text(own));
    }
    if (!rigid && own.position_lower == own.position_upper) {
      map.error_at("action",
                   "expected position limits that are apart, got joint '" + own.name +
                       "' with both at " + position_text(own, own.position_lower),
                   "lock the joint, or give a restitution");
    }
    check_name(own.name);
  }
  if (errors.found()) return;
  if (rigid) {
    add_impulsive_stops(scenario.setup(), stop.restitution);
  } else {
    add_compliant_stops(scenario.setup(), stiffness, stop.damping);
  }
}

}  // namespace

extern const SchemaDefinition kLimitsDefinition{"limits", limits_schema};
extern const SchemaDefinition kJointLimitDefinition{"joint_limit", joint_limit_schema};
extern const SchemaDefinition kPositionLimitsDefinition{"position_limits", position_limits_schema};

void read_joint_limit(ScenarioContext& scenario, MapReader& map, Event& event) {
  JointLimit limit{{0, 0.0}, {}};
  Reading reading{map, &scenario};
  const bool is_right = once<joint_limit_keys>().read(reading, limit);
  const int joint = limit.joint;
  if (is_right && map.has("restitution"))
    event.actions.emplace_back(static_cast<BounceAction&>(limit));
  read_sequence(scenario, map, event);
  read_actions(scenario, map, event);
  if (reading.joint) let_rest(joint, event);
  if (!is_right) return;
  const std::string name = event.name;
  const auto add = [&](const char* side, double position, CrossingDirection direction) {
    if (std::isinf(position)) return;
    event.name = name + side;
    event.value = joint_position_event(joint, position);
    event.direction = direction;
    scenario.setup().events.push_back(event);
  };
  add(" lower", limit.limits.first, CrossingDirection::falling);
  add(" upper", limit.limits.second, CrossingDirection::rising);
}

void read_position_limits(ScenarioContext& scenario) {
  const auto value = scenario.map.find("position_limits");
  if (!value) return;
  MapReader map(*value, scenario.context());
  std::optional<std::size_t> action = 0;
  if (const auto given = map.find("action")) {
    action = read_choice(*given, kLimitActions, scenario.problems());
  }
  if (action == kStopAtLimits) {
    read_position_stops(scenario, map);
  } else {
    for (const char* key : {"stiffness", "damping", "restitution"}) {
      if (action) {
        map.refuse(key, "only 'action: stop' has a stop");
      } else {
        map.find(key);
      }
    }
  }
  if (action == kIgnoreLimits) scenario.setup().warn_at_position_limits = false;
  map.finish();
}

void check_start_limits(ScenarioContext& scenario) {
  if (!scenario.model) return;
  for (const CompoundJoint& joint : scenario.model->compound_joints()) {
    const double angle = joint.type == JointType::spherical
                             ? scenario.initial().q.segment<3>(joint.first - 1).norm()
                             : 0.0;
    if (!(angle > joint.angle_limit)) continue;
    const auto& place = scenario.starts.joints[joint.first].position;
    scenario.problems().warning(place ? place->node->mark : scenario.map.mark(),
                                join_path(scenario.map.path(), "initial.joints." + joint.name),
                                "expected a start within the angle limit " +
                                    angle_text(joint.angle_limit) + ", got " + angle_text(angle));
  }
  for (int i = 1; scenario.model && i <= scenario.model->joint_count(); ++i) {
    const Joint& joint = scenario.model->joint(i);
    const JointStart& given = scenario.starts.joints[i];
    const double position = scenario.initial().q(i - 1), velocity = scenario.initial().qd(i - 1);
    const auto warn = [&](const char* key, const std::optional<Value>& place,
                          const std::string& what) {
      scenario.problems().warning(
          place ? place->node->mark : scenario.map.mark(),
          join_path(scenario.map.path(), "initial.joints." + joint.name + '.' + key), what);
    };
    if (position < joint.position_lower || position > joint.position_upper) {
      warn("position", given.position,
           "expected a start within the position limits " + limits_text(joint) + ", got " +
               position_text(joint, position));
    }
    if (std::abs(velocity) > joint.velocity_limit) {
      warn("velocity", given.velocity,
           "expected a start within the velocity limit " +
               velocity_text(joint, joint.velocity_limit) + ", got " +
               velocity_text(joint, velocity));
    }
  }
}

}  // namespace spacedyn::loading
