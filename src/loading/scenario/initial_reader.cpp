#include "loading/keys/geometry.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "loading/yaml/yaml_text.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn::loading {
namespace {

/// One number, or a list where a joint has several coordinates.
std::string coordinates_schema(const std::vector<Quantity>& quantities, std::string_view title) {
  const std::string number = number_schema(quantities);
  return any_of_schema({number, series_schema(number, 2)}, title);
}

std::string joint_start_schema() {
  MappingSchema schema("Start of a joint");
  schema
      .allow("position", coordinates_schema(quantity::kJointPosition,
                                            "rad or m; of a joint with several coordinates a list"))
      .allow("velocity",
             coordinates_schema(quantity::kJointVelocity,
                                "rad/s or m/s; of a joint with several coordinates a list"));
  describe_orientation(schema);
  schema.allow("angular_velocity",
               vector_schema(quantity::kRate,
                             "Of a spherical or free joint, in the axes of its link, rad/s"));
  return schema.text();
}

std::string initial_schema() {
  MappingSchema base("Place and attitude of the base, inertial");
  base.allow("of",
             base_point_schema("Of what position and velocity are; default: as the model says"));
  base.allow("position", vector_schema(quantity::kLength, "m, default the origin"));
  describe_orientation(base);
  base.allow("velocity", vector_schema(quantity::kVelocity, "m/s, default 0"))
      .allow("angular_velocity", vector_schema(quantity::kRate, "rad/s, default 0"));
  MappingSchema schema("The start");
  schema.allow("assemble", boolean_schema("Joints move to where loops are closed"))
      .allow("hold", series_schema(text_schema(), 0,
                                   "Joints that stay meanwhile; those of joints unless given"))
      .allow("base", base.text())
      .allow("joints", by_name_schema(reference_schema("joint_start"), "By name of joint"));
  return schema.text();
}

void refuse_base_rates(const State& start, MapReader& map) {
  for (const char* key : {"velocity", "angular_velocity"}) {
    const Vector3& given = key == std::string("velocity") ? start.v_0 : start.omega_0;
    if (given.isZero(0.0)) continue;
    map.error_at(
        key, "expected [0, 0, 0], because a fixed base does not move, got " + vector_text(given));
  }
}

}  // namespace

extern const SchemaDefinition kJointStartDefinition{"joint_start", joint_start_schema};
extern const SchemaDefinition kInitialDefinition{"initial", initial_schema};

void ScenarioReader::read_initial() {
  for (int i = 1; model_ && i <= model_->joint_count(); ++i) {
    if (const WheelDrive* wheel = model_->wheel(i)) {
      scenario_.initial.qd(i - 1) = wheel->rotor_speed;
    }
  }
  const auto value = map_.find("initial");
  if (!value) return;
  MapReader map(*value, context());
  if (const auto base = map.find("base")) read_initial_base(*base);
  if (const auto joints = map.find("joints")) read_initial_joints(*joints);
  initial_place_ = value;
  read_assembly(map);
  map.finish();
}

void ScenarioReader::read_initial_base(const Value& value) {
  MapReader map(value, context());
  State& start = scenario_.initial;
  start.r_0 = map.vector3("position", quantity::kLength, Vector3::Zero());
  start.A_0 = read_orientation(map).value_or(Matrix3::Identity());
  start.v_0 = map.vector3("velocity", quantity::kVelocity, Vector3::Zero());
  start.omega_0 = map.vector3("angular_velocity", quantity::kRate, Vector3::Zero());
  const BasePoint point =
      read_base_point(map, "of", model_ ? base_point(model_->description()) : BasePoint::centroid);
  if (model_ && point == BasePoint::frame) {
    base_start_.arm = start.A_0 * model_->body(0).center_of_mass;
    base_start_.arm_rate = start.omega_0.cross(base_start_.arm);
  }
  base_start_.position = map.find("position");
  base_start_.velocity = map.find("velocity");
  base_start_.angular_velocity = map.find("angular_velocity");
  for (const char* key : {"twist", "rpy", "quaternion", "matrix"}) {
    if (const auto orientation = map.find(key)) base_start_.orientation = orientation;
  }
  map.finish();
  if (scenario_.setup.base_mode == BaseMode::fixed) refuse_base_rates(start, map);
  start.r_0 += base_start_.arm;
  start.v_0 += base_start_.arm_rate;
}

void ScenarioReader::read_initial_joints(const Value& value) {
  if (!value.node->is_mapping()) {
    problems().error(value.node->mark, value.path,
                     "expected a mapping, got " + describe(*value.node));
    return;
  }
  for (const Entry& entry : value.node->entries) {
    const Value item{entry.value.get(), join_path(value.path, entry.key)};
    const bool is_note = entry.key == "description" || entry.key == "source";
    // keys are names here, and a joint may have any
    if (is_note && !item.node->is_mapping()) {
      if (auto note = read_text(item, problems())) context().notes.add(item.path, *note);
      continue;
    }
    if (model_) {
      if (const auto compound = model_->find_compound_joint(entry.key)) {
        read_compound_start(*compound, item);
        continue;
      }
    }
    Node name;
    name.kind = Node::Kind::scalar;
    name.mark = entry.key_mark;
    name.text = entry.key;
    name.quoted = true;
    if (const auto joint = read_joint_name({&name, item.path}, true))
      read_joint_start(*joint, item);
  }
}

void ScenarioReader::read_joint_start(int joint, const Value& value) {
  const JointType type = model_->joint(joint).type;
  MapReader map(value, context());
  scenario_.initial.q(joint - 1) = map.number("position", position_quantity(type), 0.0);
  scenario_.initial.qd(joint - 1) = map.number("velocity", velocity_quantity(type), 0.0);
  joint_starts_[joint] = {map.find("position"), map.find("velocity")};
  map.finish();
}

/// Positions and velocities of the coordinates with a number of their own as lists, those of a
/// rotation vector as an orientation and an angular velocity.
void ScenarioReader::read_compound_start(const CompoundJoint& joint, const Value& value) {
  MapReader map(value, context());
  std::vector<Quantity> positions, velocities;
  int plain = 0;
  for (; plain < joint.size && model_->joint(joint.first + plain).spherical == 0; ++plain) {
    const JointType type = model_->joint(joint.first + plain).type;
    positions.push_back(position_quantity(type));
    velocities.push_back(velocity_quantity(type));
  }
  const auto read = [&](const char* key, const std::vector<Quantity>& quantities, VectorX& to) {
    if (plain == 0) {
      map.refuse(key, "a spherical joint has an orientation and an angular_velocity");
      return;
    }
    const auto list = map.find(key);
    const auto numbers = list ? read_list(*list, quantities, problems()) : std::nullopt;
    if (numbers) to.segment(joint.first - 1, plain) = *numbers;
  };
  read("position", positions, scenario_.initial.q);
  read("velocity", velocities, scenario_.initial.qd);
  std::optional<Value> rate;
  if (plain < joint.size) {
    const Eigen::Index turn = joint.first - 1 + plain;
    const auto orientation = read_orientation(map);
    if (orientation) scenario_.initial.q.segment<3>(turn) = log_so3(*orientation);
    scenario_.initial.qd.segment<3>(turn) =
        map.vector3("angular_velocity", quantity::kRate, Vector3::Zero());
    rate = map.find("angular_velocity");
  }
  for (int k = 0; k < joint.size; ++k) {
    joint_starts_[joint.first + k] = {map.find("position"),
                                      k < plain ? map.find("velocity") : rate};
  }
  map.finish();
}

}  // namespace spacedyn::loading
