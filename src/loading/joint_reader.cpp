#include "loading/body_reader.hpp"
#include "loading/geometry.hpp"
#include "loading/numbers.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kJointTypes = {"revolute", "prismatic", "fixed"};
const std::vector<std::string> kLaterJointTypes = {
    "spherical", "universal", "planar", "floating", "screw", "helical", "continuous"};

const std::vector<std::string> kCouplings = {"reflected", "full"};

constexpr const char* kMotionKeys[] = {"axis",           "position_limits", "velocity_limit",
                                       "effort_limit",   "stiffness",       "damping",
                                       "rest_position",  "rotor_inertia",   "gear_ratio",
                                       "rotor_coupling", "friction",        "transmission"};

Quantity stiffness_quantity(JointType type) {
  return {type == JointType::prismatic ? Dimension::linear_stiffness : Dimension::angular_stiffness,
          Range::not_negative};
}

Quantity damping_quantity(JointType type) {
  return {Dimension::none, Range::not_negative, false,
          type == JointType::prismatic ? "N*s/m" : "N*m*s/rad"};
}

void read_limits(MapReader& map, JointDescription& joint) {
  const auto value = map.find("position_limits");
  if (!value) return;
  const Quantity position = position_quantity(joint.type).or_infinite();
  const auto limits = read_numbers(*value, position, 2, map.problems());
  if (!limits) return;
  joint.position_lower = (*limits)(0);
  joint.position_upper = (*limits)(1);
  if (joint.position_lower <= joint.position_upper) return;
  map.error_at("position_limits", "expected [lower, upper] with lower ≤ upper, got [" +
                                      format_number(joint.position_lower) + ", " +
                                      format_number(joint.position_upper) + "]");
}

void read_motion(MapReader& map, JointDescription& joint) {
  if (const auto axis = map.find("axis")) {
    joint.axis = read_axis(*axis, map.problems()).value_or(Vector3::UnitZ());
  }
  read_limits(map, joint);
  const Quantity velocity = velocity_quantity(joint.type).within(Range::positive).or_infinite();
  const Quantity effort = effort_quantity(joint.type).within(Range::positive).or_infinite();
  joint.velocity_limit = map.number("velocity_limit", velocity, joint.velocity_limit);
  joint.effort_limit = map.number("effort_limit", effort, joint.effort_limit);
  joint.stiffness = map.number("stiffness", stiffness_quantity(joint.type), 0.0);
  joint.damping = map.number("damping", damping_quantity(joint.type), 0.0);
  joint.rest_position = map.number("rest_position", position_quantity(joint.type), 0.0);
}

void read_friction(const Value& value, ReadContext& context, JointDescription& joint) {
  MapReader map(value, context);
  JointFriction& friction = joint.friction;
  const Quantity effort = effort_quantity(joint.type).within(Range::not_negative);
  friction.coulomb = map.required_number("coulomb", effort);
  friction.breakaway = map.number("static", effort, 0.0);
  friction.stribeck_velocity =
      map.number("stribeck_velocity", velocity_quantity(joint.type).within(Range::positive),
                 friction.stribeck_velocity);
  friction.presliding = map.number(
      "presliding", position_quantity(joint.type).within(Range::positive), friction.presliding);
  map.finish();
}

void read_drive(MapReader& map, JointDescription& joint) {
  const Quantity inertia = quantity::kInertia.within(Range::not_negative);
  joint.rotor_inertia = map.number("rotor_inertia", inertia, 0.0);
  joint.gear_ratio = map.number("gear_ratio", quantity::kNumber, 1.0);
  if (const auto coupling = map.find("rotor_coupling")) {
    const auto choice = read_choice(*coupling, kCouplings, {}, map.problems());
    if (choice) joint.rotor_coupling = static_cast<RotorCoupling>(*choice);
  }
  if (const auto friction = map.find("friction")) read_friction(*friction, map.context(), joint);
}

void refuse_motion(MapReader& map) {
  for (const char* key : kMotionKeys) {
    map.refuse(key, "a fixed joint does not move");
  }
}

}  // namespace

Quantity position_quantity(JointType type) {
  return type == JointType::prismatic ? quantity::kLength : quantity::kAngle;
}

Quantity velocity_quantity(JointType type) {
  return type == JointType::prismatic ? quantity::kVelocity : quantity::kRate;
}

Quantity effort_quantity(JointType type) {
  return type == JointType::prismatic ? quantity::kForce : quantity::kTorque;
}

JointDescription read_joint(const Value& value, ReadContext& context,
                            std::optional<Value>& transmission) {
  MapReader map(value, context);
  JointDescription joint;
  joint.name = map.text("name");
  const auto type = map.require("type", list_choices(kJointTypes));
  const auto choice =
      type ? read_choice(*type, kJointTypes, kLaterJointTypes, context.problems) : std::nullopt;
  if (const auto origin = map.find("origin")) joint.origin = read_pose(*origin, context);
  if (!choice) {
    // units of the others depend on the type
    for (const char* key : kMotionKeys) map.find(key);
  } else if (joint.type = static_cast<JointType>(*choice); joint.type == JointType::fixed) {
    refuse_motion(map);
  } else {
    read_motion(map, joint);
    read_drive(map, joint);
    transmission = map.find("transmission");
  }
  map.finish();
  joint.notes = map.take_notes();
  return joint;
}

}  // namespace spacedyn::loading
