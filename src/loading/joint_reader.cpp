#include <algorithm>
#include <iterator>
#include <string_view>

#include "loading/body_reader.hpp"
#include "loading/geometry.hpp"
#include "loading/numbers.hpp"
#include "spacedyn/model/joint_traits.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kLaterJointTypes = {"floating", "screw", "helical", "continuous"};

const std::vector<std::string> kCouplings = {"reflected", "full"};

/// In the order of JointType.
std::vector<std::string> joint_types() {
  std::vector<std::string> types;
  for (int i = 0; i <= static_cast<int>(JointType::free); ++i) {
    types.emplace_back(joint_traits(static_cast<JointType>(i)).name);
  }
  return types;
}

constexpr const char* kMotionKeys[] = {
    "axis",     "position_limits", "velocity_limit", "effort_limit", "stiffness",
    "damping",  "rest_position",   "rotor_inertia",  "gear_ratio",   "rotor_coupling",
    "friction", "transmission",    "reaction_wheel"};

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

void read_only_axis(MapReader& map, JointDescription& joint) {
  const auto axis = map.find("axis");
  if (axis) joint.axis = read_axis(*axis, map.problems()).value_or(Vector3::UnitZ());
}

/// `axes: [[…], […]]` of a universal joint.
void read_axes(MapReader& map, JointDescription& joint) {
  const auto value = map.require("axes", "a list of two vectors");
  if (!value) return;
  std::vector<Vector3> axes;
  for_each_item(*value, map.problems(), [&](const Value& item) {
    axes.push_back(read_axis(item, map.problems()).value_or(Vector3::UnitZ()));
  });
  if (!value->node->is_sequence()) return;
  if (axes.size() != 2) {
    map.error_at("axes", "expected two vectors, got " + std::to_string(axes.size()));
    return;
  }
  joint.axis = axes[0];
  joint.second_axis = axes[1];
}

/// Terms of one coordinate of a joint that has several.
JointDescription read_coordinate(const Value& value, JointType motion, ReadContext& context) {
  MapReader map(value, context);
  JointDescription coordinate;
  coordinate.type = motion;
  read_motion(map, coordinate);
  read_drive(map, coordinate);
  map.refuse("transmission", "a joint with several coordinates has none");
  map.refuse("reaction_wheel", "a joint with several coordinates has none");
  map.finish();
  coordinate.notes = map.take_notes();
  return coordinate;
}

void read_coordinates(MapReader& map, JointDescription& joint) {
  const auto value = map.find("coordinates");
  if (!value) return;
  const JointTraits& traits = joint_traits(joint.type);
  MapReader coordinates(*value, map.context());
  for (int k = 0; k < traits.size; ++k) {
    const CoordinateTraits& coordinate = traits.coordinates[static_cast<std::size_t>(k)];
    JointDescription terms;
    if (const auto item = coordinates.find(coordinate.suffix + 1)) {
      terms = read_coordinate(*item, coordinate.motion, map.context());
    }
    terms.type = coordinate.motion;
    joint.coordinates.push_back(std::move(terms));
  }
  coordinates.finish();
}

constexpr std::string_view kIsotropicKeys[] = {"velocity_limit", "effort_limit", "damping"};

bool is_isotropic(std::string_view key) {
  return std::find(std::begin(kIsotropicKeys), std::end(kIsotropicKeys), key) !=
         std::end(kIsotropicKeys);
}

/// Damping and limits that all directions of a spherical joint have.
bool read_isotropic(MapReader& map, JointDescription& joint) {
  if (std::none_of(std::begin(kIsotropicKeys), std::end(kIsotropicKeys),
                   [&](std::string_view key) { return map.has(key); })) {
    return false;
  }
  JointDescription terms;
  const Quantity velocity = quantity::kRate.within(Range::positive).or_infinite();
  const Quantity effort = quantity::kTorque.within(Range::positive).or_infinite();
  terms.velocity_limit = map.number("velocity_limit", velocity, terms.velocity_limit);
  terms.effort_limit = map.number("effort_limit", effort, terms.effort_limit);
  terms.damping = map.number("damping", damping_quantity(JointType::revolute), 0.0);
  joint.coordinates.assign(3, terms);
  return true;
}

void read_compound(MapReader& map, JointDescription& joint) {
  const std::string reason =
      std::string("a ") + joint_traits(joint.type).name + " joint has several coordinates";
  if (joint.type == JointType::universal) {
    read_axes(map, joint);
  } else {
    map.refuse("axes", "only a universal joint has two axes");
  }
  if (joint.type == JointType::cylindrical || joint.type == JointType::planar) {
    read_only_axis(map, joint);
  } else {
    map.refuse("axis", reason);
  }
  if (joint.type == JointType::spherical && read_isotropic(map, joint)) {
    map.refuse("coordinates", "the terms of all directions are given as well");
  } else {
    read_coordinates(map, joint);
  }
  for (const std::string_view key : kMotionKeys) {
    if (key == "axis" || (joint.type == JointType::spherical && is_isotropic(key))) continue;
    map.refuse(key, reason + ": see 'coordinates'");
  }
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
  const std::vector<std::string> types = joint_types();
  const auto type = map.require("type", list_choices(types));
  const auto choice =
      type ? read_choice(*type, types, kLaterJointTypes, context.problems) : std::nullopt;
  if (const auto origin = map.find("origin")) joint.origin = read_pose(*origin, context);
  if (!choice) {
    // units of the others depend on the type
    for (const char* key : kMotionKeys) map.find(key);
    map.find("axes");
    map.find("coordinates");
  } else if (joint.type = static_cast<JointType>(*choice); joint.type == JointType::fixed) {
    refuse_motion(map);
  } else if (joint_traits(joint.type).size > 1) {
    read_compound(map, joint);
  } else {
    read_only_axis(map, joint);
    read_motion(map, joint);
    read_drive(map, joint);
    transmission = map.find("transmission");
    if (joint.type == JointType::revolute) {
      if (const auto wheel = map.find("reaction_wheel")) {
        joint.wheel = read_wheel_drive(*wheel, context);
      }
    } else {
      map.refuse("reaction_wheel", "a wheel turns about a revolute joint");
    }
  }
  map.finish();
  joint.notes = map.take_notes();
  return joint;
}

}  // namespace spacedyn::loading
