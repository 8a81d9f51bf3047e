#include "loading/model/joint_terms.hpp"

#include "loading/model/body_reader.hpp"
#include "loading/schema/schema_definition.hpp"

namespace spacedyn::loading {
namespace {

using JointFields = Fields<JointDescription>;

const std::vector<std::string> kRotorCouplings = {"reflected", "full"};

constexpr Quantity kRotorInertia = {Dimension::none, Range::not_negative, false, "kg m²"};

bool slides(JointType motion) { return motion == JointType::prismatic; }

JointFields make_loss_fields(JointType motion) {
  const bool slide = slides(motion);
  return {{"velocity_limit", slide ? "Largest velocity, m/s" : "Largest angular velocity, rad/s",
           velocity_quantity(motion).within(Range::positive).or_infinite(),
           [](JointDescription& j) -> double& { return j.velocity_limit; }},
          {"effort_limit", slide ? "Largest force, N" : "Largest torque, N*m",
           effort_quantity(motion).within(Range::positive).or_infinite(),
           [](JointDescription& j) -> double& { return j.effort_limit; }},
          {"damping",
           slide ? "Viscous damping, N*s/m" : "Viscous damping, N*m*s/rad",
           {Dimension::none, Range::not_negative, false, slide ? "N*s/m" : "N*m*s/rad"},
           [](JointDescription& j) -> double& { return j.damping; }}};
}

JointFields spring_fields(JointType motion) {
  const bool slide = slides(motion);
  return {
      {"stiffness",
       slide ? "Stiffness, N/m" : "Stiffness, N*m/rad",
       {slide ? Dimension::linear_stiffness : Dimension::angular_stiffness, Range::not_negative},
       [](JointDescription& j) -> double& { return j.stiffness; }},
      {"rest_position",
       slide ? "Position without force of the spring, m"
             : "Position without torque of the spring, rad",
       position_quantity(motion), [](JointDescription& j) -> double& { return j.rest_position; }},
      {"rotor_inertia", "Inertia of the motor's rotor about its axis, kg m²", kRotorInertia,
       [](JointDescription& j) -> double& { return j.rotor_inertia; }}};
}

Fields<JointFriction> friction_fields(JointType motion) {
  const bool slide = slides(motion);
  const Quantity effort = effort_quantity(motion).within(Range::not_negative);
  return {{"coulomb", slide ? "At speed, N" : "At speed, N*m", effort,
           [](JointFriction& f) -> double& { return f.coulomb; }, Presence::required},
          {"static", slide ? "At rest, N" : "At rest, N*m", effort,
           [](JointFriction& f) -> double& { return f.breakaway; }},
          {"stribeck_velocity",
           slide ? "At which 1/e of the difference is left, m/s"
                 : "At which 1/e of the difference is left, rad/s",
           velocity_quantity(motion).within(Range::positive),
           [](JointFriction& f) -> double& { return f.stribeck_velocity; }},
          {"presliding",
           slide ? "Deflection at which Coulomb friction is reached, m"
                 : "Deflection at which Coulomb friction is reached, rad",
           position_quantity(motion).within(Range::positive),
           [](JointFriction& f) -> double& { return f.presliding; }}};
}

void read_joint_limits(MapReader& map, JointDescription& joint) {
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

std::string joint_friction_schema(JointType motion) {
  MappingSchema schema("Dry friction");
  describe_fields(friction_fields(motion), schema);
  return schema.text();
}

std::string coordinate_schema(JointType motion) {
  MappingSchema schema(slides(motion) ? "A displacement among the coordinates of a joint"
                                      : "An angle among the coordinates of a joint");
  describe_joint_terms(motion, false, schema);
  return schema.text();
}

std::string turning_schema() { return coordinate_schema(JointType::revolute); }

std::string sliding_schema() { return coordinate_schema(JointType::prismatic); }

std::string rotation_schema() {
  MappingSchema schema("A component of the rotation vector of a joint");
  describe_fields(loss_fields(JointType::revolute), schema);
  return schema.text();
}

}  // namespace

extern const SchemaDefinition kTurningDefinition{"turning_coordinate", turning_schema};
extern const SchemaDefinition kSlidingDefinition{"sliding_coordinate", sliding_schema};
extern const SchemaDefinition kRotationDefinition{"rotation_coordinate", rotation_schema};

Quantity position_quantity(JointType type) {
  return slides(type) ? quantity::kLength : quantity::kAngle;
}

Quantity velocity_quantity(JointType type) {
  return slides(type) ? quantity::kVelocity : quantity::kRate;
}

Quantity effort_quantity(JointType type) {
  return slides(type) ? quantity::kForce : quantity::kTorque;
}

const JointFields& loss_fields(JointType motion) {
  static const JointFields kTurning = make_loss_fields(JointType::revolute);
  static const JointFields kSliding = make_loss_fields(JointType::prismatic);
  return slides(motion) ? kSliding : kTurning;
}

std::string gear_ratio_schema() {
  return R"({"title": "Turns of the rotor per turn of the joint", "type": "number", )"
         R"("not": {"const": 0}})";
}

void read_joint_terms(MapReader& map, JointDescription& coordinate) {
  const JointType motion = coordinate.type;
  read_joint_limits(map, coordinate);
  read_fields(map, loss_fields(motion), coordinate);
  read_fields(map, spring_fields(motion), coordinate);
  coordinate.gear_ratio = map.number("gear_ratio", quantity::kNumber, 1.0);
  if (const auto coupling = map.find("rotor_coupling")) {
    const auto choice = read_choice(*coupling, kRotorCouplings, map.problems());
    if (choice) coordinate.rotor_coupling = static_cast<RotorCoupling>(*choice);
  }
  if (const auto value = map.find("friction")) {
    MapReader friction(*value, map.context());
    read_fields(friction, friction_fields(motion), coordinate.friction);
    friction.finish();
  }
}

void describe_joint_terms(JointType motion, bool may_couple, MappingSchema& schema) {
  schema.allow("position_limits",
               list_schema(number_schema({position_quantity(motion)}), 2,
                           slides(motion) ? "Lower and upper, m" : "Lower and upper, rad"));
  describe_fields(loss_fields(motion), schema);
  describe_fields(spring_fields(motion), schema);
  schema.allow("gear_ratio", gear_ratio_schema())
      .allow("rotor_coupling", may_couple ? choice_schema(kRotorCouplings,
                                                          "What the spin of the rotor acts on: the "
                                                          "joint alone, or also its carrier")
                                          : choice_schema({kRotorCouplings.front()}))
      .allow("friction", joint_friction_schema(motion));
}

}  // namespace spacedyn::loading
