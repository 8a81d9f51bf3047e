#include <algorithm>
#include <iterator>
#include <string_view>

#include "loading/keys/geometry.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/model/joint_terms.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/model/joint_traits.hpp"

namespace spacedyn::loading {
namespace {

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
  read_joint_terms(map, coordinate);
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

/// Keys of what all directions of a spherical joint may have.
std::vector<std::string> isotropic_keys() {
  std::vector<std::string> keys;
  for (const auto& field : loss_fields(JointType::revolute)) keys.emplace_back(field.key);
  return keys;
}

bool is_isotropic(std::string_view key) {
  const std::vector<std::string> keys = isotropic_keys();
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// Damping and limits that all directions of a spherical joint have.
bool read_isotropic(MapReader& map, JointDescription& joint) {
  const std::vector<std::string> keys = isotropic_keys();
  if (std::none_of(keys.begin(), keys.end(),
                   [&](const std::string& key) { return map.has(key); })) {
    return false;
  }
  JointDescription terms;
  read_fields(map, loss_fields(JointType::revolute), terms);
  joint.coordinates.assign(3, terms);
  return true;
}

bool has_one_axis(JointType type) {
  return joint_traits(type).size == 1 || type == JointType::cylindrical ||
         type == JointType::planar;
}

void read_compound(MapReader& map, JointDescription& joint) {
  const std::string reason =
      std::string("a ") + joint_traits(joint.type).name + " joint has several coordinates";
  if (joint.type == JointType::universal) {
    read_axes(map, joint);
  } else {
    map.refuse("axes", "only a universal joint has two axes");
  }
  if (has_one_axis(joint.type)) {
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

/// Adds the terms of each coordinate of a joint that has several.
void describe_coordinates(const JointTraits& traits, MappingSchema& schema) {
  MappingSchema coordinates("Limits, passive terms and rotor of each coordinate");
  for (int k = 0; k < traits.size; ++k) {
    const CoordinateTraits& coordinate = traits.coordinates[static_cast<std::size_t>(k)];
    const char* definition = coordinate.spherical > 0                    ? "rotation_coordinate"
                             : coordinate.motion == JointType::prismatic ? "sliding_coordinate"
                                                                         : "turning_coordinate";
    coordinates.allow(coordinate.suffix + 1, reference_schema(definition));
  }
  schema.allow("coordinates", coordinates.text());
}

/// Adds what describes the motion of a joint of a type.
void describe_joint_motion(JointType type, MappingSchema& schema) {
  const JointTraits& traits = joint_traits(type);
  if (traits.size == 0) return;
  if (has_one_axis(type)) schema.allow("axis", vector_schema(quantity::kNumber, "Not zero"));
  if (type == JointType::universal) {
    schema.require("axes", list_schema(vector_schema(quantity::kNumber), 2,
                                       "The first fixed in the parent, the second in the link; "
                                       "perpendicular"));
  }
  if (traits.size > 1) {
    describe_coordinates(traits, schema);
  } else {
    describe_joint_terms(type, type == JointType::revolute, schema);
  }
  if (type == JointType::revolute) {
    schema.allow("transmission", reference_schema("rotor_transmission"))
        .allow("reaction_wheel", reference_schema("wheel_drive"));
  }
  if (type == JointType::spherical) {
    describe_fields(loss_fields(JointType::revolute), schema);
    schema.add_rule(R"("not": {)" + required_rule({"coordinates"}) + ", " +
                    some_key_rule(isotropic_keys()) + "}");
  }
}

std::string joint_schema() {
  std::vector<std::string> joints;
  for (int i = 0; i <= static_cast<int>(JointType::free); ++i) {
    const auto type = static_cast<JointType>(i);
    const std::string name = joint_traits(type).name;
    MappingSchema schema("A " + name + " joint" +
                         (type == JointType::fixed ? ": the link is merged into its parent" : ""));
    schema.require("type", constant_schema(name))
        .allow("name", reference_schema("name"))
        .allow("origin", reference_schema("pose"));
    describe_joint_motion(type, schema);
    joints.push_back(schema.text());
  }
  return one_of_schema(joints, "A joint between a link and its parent");
}

}  // namespace

extern const SchemaDefinition kJointDefinition{"joint", joint_schema};

JointDescription read_joint(const Value& value, ReadContext& context,
                            std::optional<Value>& transmission) {
  MapReader map(value, context);
  JointDescription joint;
  joint.name = map.text("name");
  const std::vector<std::string> types = joint_types();
  const auto type = map.require("type", list_choices(types));
  const auto choice = type ? read_choice(*type, types, context.problems) : std::nullopt;
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
    read_joint_terms(map, joint);
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
