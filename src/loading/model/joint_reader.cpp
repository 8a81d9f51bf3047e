#include <algorithm>

#include "loading/keys/geometry.hpp"
#include "loading/model/body_reader.hpp"
#include "spacedyn/model/joint_traits.hpp"

namespace spacedyn::loading {
namespace {

using JointKeys = Mapping<JointDescription>;

bool slides(JointType motion) { return motion == JointType::prismatic; }

/// One of two, by how a coordinate moves.
template <typename T>
T by_motion(JointType motion, T turning, T sliding) {
  return slides(motion) ? sliding : turning;
}

/// Limits and damping, of any coordinate.
JointKeys loss_keys(JointType motion) {
  using namespace kind;
  using Joint = JointDescription;
  JointKeys keys("A component of the rotation vector of a joint");
  keys.allow("velocity_limit", &Joint::velocity_limit,
             positive(velocity_quantity(motion)).or_infinite(),
             by_motion(motion, "Largest angular velocity, rad/s", "Largest velocity, m/s"));
  keys.allow("effort_limit", &Joint::effort_limit, positive(effort_quantity(motion)).or_infinite(),
             by_motion(motion, "Largest torque, N*m", "Largest force, N"));
  keys.allow("damping", &Joint::damping, not_negative(in(by_motion(motion, "N*m*s/rad", "N*s/m"))),
             by_motion(motion, "Viscous damping, N*m*s/rad", "Viscous damping, N*s/m"));
  return keys;
}

JointKeys stiffness_keys(JointType motion) {
  using namespace kind;
  JointKeys keys;
  return keys.allow("stiffness", &JointDescription::stiffness,
                    not_negative(by_motion(motion, kAngularStiffness, kLinearStiffness)),
                    by_motion(motion, "Stiffness, N*m/rad", "Stiffness, N/m"));
}

JointKeys rest_keys(JointType motion) {
  JointKeys keys;
  return keys.allow("rest_position", &JointDescription::rest_position, position_quantity(motion),
                    by_motion(motion, "Position without torque of the spring, rad",
                              "Position without force of the spring, m"));
}

Mapping<JointFriction> friction_keys(JointType motion) {
  using namespace kind;
  using Friction = JointFriction;
  const Quantity effort = not_negative(effort_quantity(motion));
  Mapping<Friction> keys("Dry friction");
  keys.require("coulomb", &Friction::coulomb, effort,
               by_motion(motion, "At speed, N*m", "At speed, N"));
  keys.allow("static", &Friction::breakaway, effort,
             by_motion(motion, "At rest, N*m", "At rest, N"));
  keys.allow("stribeck_velocity", &Friction::stribeck_velocity, positive(velocity_quantity(motion)),
             by_motion(motion, "At which 1/e of the difference is left, rad/s",
                       "At which 1/e of the difference is left, m/s"));
  keys.allow("presliding", &Friction::presliding, positive(position_quantity(motion)),
             by_motion(motion, "Deflection at which Coulomb friction is reached, rad",
                       "Deflection at which Coulomb friction is reached, m"));
  return keys;
}

Kind<JointDescription> position_limits(JointType motion) {
  const Quantity position = position_quantity(motion);
  const Quantity bound = position.or_infinite();
  Kind<JointDescription> kind{{"a list of 2 numbers"}};
  kind.schema = [=] {
    return list_schema(number_schema({position}), 2,
                       by_motion(motion, "Lower and upper, rad", "Lower and upper, m"));
  };
  kind.read = [bound](const Value& value, Reading& reading, void* target) {
    auto& joint = *static_cast<JointDescription*>(target);
    const auto numbers = read_numbers(value, bound, 2, reading.problems());
    if (!numbers) return false;
    joint.position_lower = (*numbers)(0);
    joint.position_upper = (*numbers)(1);
    if (joint.position_lower <= joint.position_upper) return true;
    reading.problems().error(value, "expected [lower, upper] with lower ≤ upper, got [" +
                                        format_number(joint.position_lower) + ", " +
                                        format_number(joint.position_upper) + "]");
    return false;
  };
  kind.write = [](const void* value, const Remarks&) {
    const auto& joint = *static_cast<const JointDescription*>(value);
    return flow_text({format_number(joint.position_lower), format_number(joint.position_upper)});
  };
  return kind;
}

/// Limits, springs, friction and rotor of a coordinate.
/// @param may_couple  whether the rotor may act on its carrier
JointKeys term_keys(JointType motion, bool may_couple) {
  using namespace kind;
  using Joint = JointDescription;
  JointKeys keys(by_motion(motion, "An angle among the coordinates of a joint",
                           "A displacement among the coordinates of a joint"));
  keys.allow(
      "position_limits", [](Joint& joint) -> Joint& { return joint; }, position_limits(motion));
  keys.merge(loss_keys(motion));
  keys.merge(stiffness_keys(motion));
  keys.merge(rest_keys(motion));
  keys.allow("rotor_inertia", &Joint::rotor_inertia, not_negative(kInertia),
             "Inertia of the motor's rotor about its axis, kg m²");
  keys.allow("gear_ratio", &Joint::gear_ratio, gear_ratio());
  auto coupling = choice<RotorCoupling>(
      {"reflected", "full"},
      "What the spin of the rotor acts on: the joint alone, or also its carrier");
  if (!may_couple) coupling.schema = [] { return choice_schema({"reflected"}); };
  keys.allow("rotor_coupling", &Joint::rotor_coupling, coupling);
  keys.allow("friction", &Joint::friction, mapping(friction_keys(motion)));
  return keys;
}

JointKeys turning_keys() { return term_keys(JointType::revolute, false); }

JointKeys sliding_keys() { return term_keys(JointType::prismatic, false); }

/// Springs as well, of components of a rotation vector and of all at once.
JointKeys isotropic_table() {
  JointKeys keys = loss_keys(JointType::revolute);
  return keys.merge(stiffness_keys(JointType::revolute));
}

JointKeys rotation_keys() {
  JointKeys keys = isotropic_table();
  return keys.merge(rest_keys(JointType::revolute));
}

/// The joint that another one follows.
Mapping<MimicDescription> mimic_keys(JointType motion) {
  using namespace kind;
  using Mimic = MimicDescription;
  Mapping<Mimic> keys("Follows another joint: q = ratio q_other + offset; it is no coordinate");
  keys.require("joint", &Mimic::joint, text("A revolute, prismatic or screw joint of the robot"));
  Kind<double> ratio = number(kNumber);
  ratio.schema = [] {
    Json schema = number_schema({kNumber}, "Of both positions, default 1");
    schema["not"] = {{"const", 0}};
    return schema;
  };
  keys.allow("ratio", &Mimic::ratio, ratio);
  keys.allow("offset", &Mimic::offset, position_quantity(motion),
             by_motion(motion, "rad, default 0", "m, default 0"));
  return keys;
}

/// Keys of joints that move in one coordinate.
std::vector<std::string> motion_names() {
  std::vector<std::string> names = once<turning_keys>().names();
  names.insert(names.end(), {"axis", "transmission", "reaction_wheel", "mimic"});
  return names;
}

/// Terms of each coordinate of a joint that has several.
Kind<std::vector<JointDescription>> coordinates(const JointTraits& traits) {
  using Coordinates = std::vector<JointDescription>;
  Coordinates usual(static_cast<std::size_t>(traits.size));
  for (std::size_t k = 0; k < usual.size(); ++k) usual[k].type = traits.coordinates[k].motion;
  Mapping<Coordinates> keys("Limits, passive terms and rotor of each coordinate", usual);
  keys.in_lines();
  for (std::size_t k = 0; k < usual.size(); ++k) {
    const CoordinateTraits& coordinate = traits.coordinates[k];
    JointKeys terms = slides(coordinate.motion) ? once<sliding_keys>() : once<turning_keys>();
    terms.keep_notes().in_lines();
    for (const char* key : {"transmission", "reaction_wheel", "mimic"}) {
      terms.refuse(key, "a joint with several coordinates has none");
    }
    const char* definition = coordinate.spherical > 0    ? "rotation_coordinate"
                             : slides(coordinate.motion) ? "sliding_coordinate"
                                                         : "turning_coordinate";
    const auto item = [k](Coordinates& all) -> JointDescription& { return all[k]; };
    keys.allow(coordinate.suffix + 1, item, kind::defined(kind::mapping(terms), definition));
  }
  auto kind = kind::mapping(keys);
  kind.read = [read = kind.read, usual](const Value& value, Reading& reading, void* target) {
    *static_cast<Coordinates*>(target) = usual;
    return read(value, reading, target);
  };
  kind.write = [write = kind.write](const void* value, const Remarks& remarks) {
    return static_cast<const Coordinates*>(value)->empty() ? "" : write(value, remarks);
  };
  return kind;
}

/// Stiffness, damping and limits that all directions of a spherical joint have.
KeyGroup<JointDescription> isotropic_keys() {
  const auto describe = [](MappingSchema& schema) {
    once<isotropic_table>().describe(schema);
    schema.add_rule({{"not", all_rules({required_rule({"coordinates"}),
                                        some_key_rule(once<isotropic_table>().names())})}});
  };
  const auto read = [](Reading& reading, JointDescription& joint) {
    bool is_given = false;
    for (const std::string& key : once<isotropic_table>().names()) {
      is_given = is_given || reading.map.has(key);
    }
    JointDescription terms;
    const bool is_right = once<isotropic_table>().read(reading, terms);
    if (!is_given) return true;
    joint.coordinates.assign(3, terms);
    reading.map.refuse("coordinates", "the terms of all directions are given as well");
    return is_right;
  };
  return {describe, read};
}

/// What an elastic drive is made of, which the reader of the link reads.
KeyGroup<JointDescription> transmission_key(bool may_be_there) {
  const auto describe = [may_be_there](MappingSchema& schema) {
    if (may_be_there) schema.allow("transmission", reference_schema("rotor_transmission"));
  };
  const auto read = [](Reading& reading, JointDescription&) {
    reading.map.find("transmission");
    return true;
  };
  return {describe, read};
}

Kind<double> pitch() {
  Kind<double> pitch = kind::number(quantity::kLength);
  pitch.schema = [] {
    Json schema = number_schema({quantity::kLength},
                                "Travel along the axis per turn, m; negative: left-handed");
    schema["not"] = {{"const", 0}};
    return schema;
  };
  return pitch;
}

bool has_one_axis(JointType type) {
  return joint_traits(type).size == 1 || type == JointType::cylindrical ||
         type == JointType::planar;
}

void add_compound_keys(JointType type, JointKeys& keys) {
  const JointTraits& traits = joint_traits(type);
  const std::string reason = std::string("a ") + traits.name + " joint has several coordinates";
  const bool is_spherical = type == JointType::spherical;
  if (type == JointType::universal) {
    keys.require(
        "axes", [](JointDescription& joint) -> JointDescription& { return joint; },
        kind::two_axes<JointDescription>("The first fixed in the parent, the second in "
                                         "the link; perpendicular"));
  } else {
    keys.refuse("axes", "only a universal joint has two axes");
  }
  keys.allow("coordinates", &JointDescription::coordinates, coordinates(traits));
  if (is_spherical) {
    keys.group(isotropic_keys());
    keys.allow("angle_limit", &JointDescription::angle_limit,
               kind::positive(quantity::kAngle).or_infinite(),
               "Of the total angle from the reference attitude, less than 180 deg, default none");
  }
  const std::vector<std::string> isotropic = once<isotropic_table>().names();
  for (const std::string& key : motion_names()) {
    if (is_spherical && std::count(isotropic.begin(), isotropic.end(), key) > 0) continue;
    if (key == "mimic") {
      keys.refuse(key, reason);
    } else if (key != "axis") {
      keys.refuse(key, reason + ": see 'coordinates'");
    }
    if (key == "axis" && !has_one_axis(type)) keys.refuse(key, reason);
  }
}

MappingTable joint_keys(JointType type) {
  using namespace kind;
  const JointTraits& traits = joint_traits(type);
  const bool is_fixed = type == JointType::fixed;
  JointKeys keys(std::string("A ") + traits.name + " joint" +
                 (is_fixed ? ": the link is merged into its parent" : ""));
  keys.keep_notes().in_lines();
  keys.allow("name", &JointDescription::name, name());
  keys.allow("origin", &JointDescription::origin, pose());
  if (type == JointType::screw) {
    keys.require("pitch", &JointDescription::pitch, pitch());
  } else {
    keys.refuse("pitch", "only a screw has a pitch");
  }
  if (type != JointType::spherical) {
    keys.refuse("angle_limit", "only a spherical joint has a total angle");
  }
  if (is_fixed) {
    for (const std::string& key : motion_names()) keys.refuse(key, "a fixed joint does not move");
    return keys;
  }
  if (has_one_axis(type)) keys.allow("axis", &JointDescription::axis, axis("Not zero"));
  if (traits.size > 1) {
    add_compound_keys(type, keys);
    return keys;
  }
  const bool turns = type == JointType::revolute;
  keys.merge(term_keys(type, turns));
  keys.allow("mimic", &JointDescription::mimic, optional(mapping(mimic_keys(type))));
  keys.check_keys({}, [](MapReader& map) {
    if (!map.has("mimic")) return;
    map.refuse("transmission", "a joint that follows another has no drive of its own");
  });
  keys.group(transmission_key(turns));
  if (turns) {
    keys.allow("reaction_wheel", &JointDescription::wheel,
               optional(defined(mapping(once<wheel_drive_keys>()), "wheel_drive")));
  } else {
    keys.refuse("reaction_wheel", "a wheel turns about a revolute joint");
  }
  return keys;
}

Kind<JointDescription> make_joint() {
  std::vector<std::string> types;
  std::vector<MappingTable> tables;
  for (int i = 0; i <= static_cast<int>(JointType::free); ++i) {
    types.emplace_back(joint_traits(static_cast<JointType>(i)).name);
    tables.push_back(joint_keys(static_cast<JointType>(i)));
  }
  return {any_variant(
      Variants{"type", types, tables}, "A joint between a link and its parent",
      [](void* target, std::size_t i) {
        static_cast<JointDescription*>(target)->type = static_cast<JointType>(i);
      },
      [](const void* value) {
        return static_cast<std::size_t>(static_cast<const JointDescription*>(value)->type);
      })};
}

Json gear_ratio_schema() {
  return {{"title", "Turns of the rotor per turn of the joint"},
          {"type", "number"},
          {"not", {{"const", 0}}}};
}

}  // namespace

extern const SchemaDefinition kTurningDefinition{"turning_coordinate", schema_of<turning_keys>};
extern const SchemaDefinition kSlidingDefinition{"sliding_coordinate", schema_of<sliding_keys>};
extern const SchemaDefinition kRotationDefinition{"rotation_coordinate", schema_of<rotation_keys>};
extern const SchemaDefinition kJointDefinition{"joint", schema_of<make_joint>};

Kind<JointDescription> kind::joint() { return defined(once<make_joint>(), "joint"); }

Kind<double> kind::gear_ratio() {
  Kind<double> ratio = number(kNumber);
  ratio.schema = gear_ratio_schema;
  return ratio;
}

Quantity position_quantity(JointType type) {
  return by_motion(type, quantity::kAngle, quantity::kLength);
}

Quantity velocity_quantity(JointType type) {
  return by_motion(type, quantity::kRate, quantity::kVelocity);
}

Quantity effort_quantity(JointType type) {
  return by_motion(type, quantity::kTorque, quantity::kForce);
}

}  // namespace spacedyn::loading
