#include "loading/keys/fields.hpp"
#include "loading/keys/geometry.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/model/model_assembly.hpp"
#include "loading/model/model_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/model/control_moment_gyro.hpp"
#include "spacedyn/model/reaction_wheel.hpp"
#include "spacedyn/model/slosh.hpp"

namespace spacedyn::loading {
namespace {

using Wheel = ReactionWheelDescription;
using Gyro = ControlMomentGyroDescription;

constexpr Quantity kAngularMomentum{Dimension::none, Range::positive, true, "N m s"};
constexpr Quantity kViscous{Dimension::none, Range::not_negative, false, "N m s/rad"};
constexpr Quantity kSloshDamping{Dimension::none, Range::not_negative, false, "N s/m or N m s/rad"};
constexpr Quantity kStaticImbalance{Dimension::none, Range::not_negative, false, "kg m"};
constexpr Quantity kSpinInertia{Dimension::none, Range::positive, false, "kg m²"};
constexpr Quantity kSpring{Dimension::linear_stiffness, Range::not_negative, true};
constexpr Quantity kPendulumLength{Dimension::length, Range::positive};

const std::vector<std::string> kSloshTypes = {"spring_mass", "pendulum"};

const Fields<WheelDrive>& wheel_drive_fields() {
  static const Fields<WheelDrive> kFields = {
      {"spin_inertia", "About the axis, kg m²", kSpinInertia,
       [](WheelDrive& d) -> double& { return d.spin_inertia; }, Presence::required},
      {"torque_limit", "Largest torque, N*m",
       quantity::kTorque.within(Range::positive).or_infinite(),
       [](WheelDrive& d) -> double& { return d.torque_limit; }},
      {"momentum_limit", "Largest angular momentum, N m s; may be .inf", kAngularMomentum,
       [](WheelDrive& d) -> double& { return d.momentum_limit; }},
      {"rotor_speed", "At the start of a scenario, rad/s", quantity::kRate,
       [](WheelDrive& d) -> double& { return d.rotor_speed; }}};
  return kFields;
}

const Fields<WheelDrive>& bearing_fields() {
  static const Fields<WheelDrive> kFields = {
      {"viscous", "N m s/rad", kViscous, [](WheelDrive& d) -> double& { return d.viscous; }},
      {"coulomb", "Torque, N*m", quantity::kTorque.within(Range::not_negative),
       [](WheelDrive& d) -> double& { return d.coulomb; }}};
  return kFields;
}

const Fields<Wheel>& wheel_fields() {
  static const Fields<Wheel> kFields = {
      {"mass", "Mass, kg, default 0: the body has it", quantity::kMass.within(Range::not_negative),
       [](Wheel& w) -> double& { return w.mass; }},
      {"transverse_inertia", "kg m², default 0: the body has it",
       quantity::kInertia.within(Range::not_negative),
       [](Wheel& w) -> double& { return w.transverse_inertia; }},
      {"static_imbalance", "Mass times offset of the centroid, kg m", kStaticImbalance,
       [](Wheel& w) -> double& { return w.static_imbalance; }},
      {"dynamic_imbalance", "Product of inertia, kg m²", quantity::kInertia,
       [](Wheel& w) -> double& { return w.dynamic_imbalance; }}};
  return kFields;
}

const Fields<Gyro>& gyro_fields() {
  static const Fields<Gyro> kFields = {
      {"gimbal_inertia", "Of gimbal and rotor about the gimbal axis, kg m²", kSpinInertia,
       [](Gyro& g) -> double& { return g.gimbal_inertia; }, Presence::required},
      {"spin_inertia", "Of the rotor about its axis, kg m²", kSpinInertia,
       [](Gyro& g) -> double& { return g.spin_inertia; }, Presence::required},
      {"rotor_speed", "At the start, rad/s", quantity::kRate,
       [](Gyro& g) -> double& { return g.rotor_speed; }, Presence::required},
      {"gimbal_rate_limit", "Largest angular velocity of the gimbal, rad/s",
       quantity::kRate.within(Range::positive).or_infinite(),
       [](Gyro& g) -> double& { return g.gimbal_rate_limit; }},
      {"rotor_torque_limit", "Of the rotor's motor, N m",
       quantity::kTorque.within(Range::positive).or_infinite(),
       [](Gyro& g) -> double& { return g.rotor_torque_limit; }}};
  return kFields;
}

const Fields<SloshDescription>& slosh_fields() {
  static const Fields<SloshDescription> kFields = {
      {"mass", "Positive mass, kg", quantity::kMass.within(Range::positive),
       [](SloshDescription& s) -> double& { return s.mass; }, Presence::required},
      {"damping", "N s/m, of a pendulum N m s/rad", kSloshDamping,
       [](SloshDescription& s) -> double& { return s.damping; }}};
  return kFields;
}

WheelDrive read_drive(MapReader& map) {
  WheelDrive drive;
  read_fields(map, wheel_drive_fields(), drive);
  if (const auto friction = map.find("friction")) {
    MapReader terms(*friction, map.context());
    read_fields(terms, bearing_fields(), drive);
    terms.finish();
  }
  return drive;
}

void describe_drive(MappingSchema& schema) {
  describe_fields(wheel_drive_fields(), schema);
  schema.allow("friction", reference_schema("wheel_friction"));
}

std::string wheel_friction_schema() {
  MappingSchema schema("Friction of the bearings");
  describe_fields(bearing_fields(), schema);
  return schema.text();
}

std::string wheel_drive_schema() {
  MappingSchema schema("Limits and friction of a reaction wheel on this joint");
  describe_drive(schema);
  return schema.text();
}

/// Adds the name of what a body carries, the body, and where on it.
void describe_place(MappingSchema& schema) {
  schema.require("name", reference_schema("name"))
      .require("body", text_schema("The base or a link that carries it"))
      .allow("position", vector_schema(quantity::kLength, "On the body, m"));
}

std::string reaction_wheel_schema() {
  MappingSchema schema("A wheel on a revolute joint of its own name");
  describe_place(schema);
  schema.require("axis", vector_schema(quantity::kNumber));
  describe_fields(wheel_fields(), schema);
  describe_drive(schema);
  return schema.text();
}

std::string gyro_schema() {
  MappingSchema schema("A gimbal with a spinning rotor");
  describe_place(schema);
  schema.require("gimbal_axis", vector_schema(quantity::kNumber))
      .require("spin_axis", vector_schema(quantity::kNumber, "Perpendicular to the gimbal axis"));
  describe_fields(gyro_fields(), schema);
  return schema.text();
}

/// What a type of slosh model requires and what it refuses.
std::string slosh_rule(const std::string& type, const char* required, const char* refused) {
  return R"({"properties": {)" + member_schema("type", constant_schema(type)) + ", " +
         member_schema(refused, "false") + "}, " + required_rule({required}) + '}';
}

std::string slosh_schema() {
  MappingSchema schema("A mass on springs or a pendulum in place of a liquid");
  describe_place(schema);
  schema.require("type", choice_schema(kSloshTypes));
  describe_fields(slosh_fields(), schema);
  schema
      .allow("stiffness",
             vector_schema(kSpring, "Along x, y and z, N/m; .inf where it does not move"))
      .allow("length", number_schema({kPendulumLength}, "Of a pendulum, m"));
  schema.add_rule(one_of_rule({slosh_rule(kSloshTypes[0], "stiffness", "length"),
                               slosh_rule(kSloshTypes[1], "length", "stiffness")}));
  return schema.text();
}

}  // namespace

extern const SchemaDefinition kWheelFrictionDefinition{"wheel_friction", wheel_friction_schema};
extern const SchemaDefinition kWheelDriveDefinition{"wheel_drive", wheel_drive_schema};
extern const SchemaDefinition kReactionWheelDefinition{"reaction_wheel", reaction_wheel_schema};
extern const SchemaDefinition kGyroDefinition{"control_moment_gyro", gyro_schema};
extern const SchemaDefinition kSloshDefinition{"slosh", slosh_schema};

WheelDrive read_wheel_drive(const Value& value, ReadContext& context) {
  return read_whole(value, context, read_drive);
}

void ModelReader::read_reaction_wheel(const Value& value, ReadContext& context, ReadModel& result) {
  const std::size_t errors_before = context.problems.error_count();
  MapReader map(value, context);
  ReactionWheelDescription wheel;
  wheel.name = map.required_text("name");
  wheel.body = map.required_text("body");
  wheel.axis = map.required_vector3("axis");
  wheel.drive = read_drive(map);
  wheel.position = map.vector3("position", quantity::kLength, Vector3::Zero());
  read_fields(map, wheel_fields(), wheel);
  map.finish();
  wheel.notes = map.take_notes();
  if (!accept_part(validate_reaction_wheel(wheel, "part"), value, errors_before, context.problems,
                   result))
    return;
  result.placed_links.push_back(result.description.links.size());
  add_reaction_wheel(result.description, wheel);
  result.links.push_back({value, std::nullopt, true});
}

void ModelReader::read_gyro(const Value& value, ReadContext& context, ReadModel& result) {
  const std::size_t errors_before = context.problems.error_count();
  MapReader map(value, context);
  ControlMomentGyroDescription gyro;
  gyro.name = map.required_text("name");
  gyro.body = map.required_text("body");
  gyro.gimbal_axis = map.required_vector3("gimbal_axis");
  gyro.spin_axis = map.required_vector3("spin_axis");
  gyro.position = map.vector3("position", quantity::kLength, Vector3::Zero());
  read_fields(map, gyro_fields(), gyro);
  map.finish();
  gyro.notes = map.take_notes();
  if (!accept_part(validate_control_moment_gyro(gyro, "part"), value, errors_before,
                   context.problems, result))
    return;
  result.placed_links.push_back(result.description.links.size());
  add_control_moment_gyro(result.description, gyro);
  result.links.resize(result.description.links.size(), {value, std::nullopt, true});
}

void ModelReader::read_slosh(const Value& value, ReadContext& context, ReadModel& result) {
  const std::size_t errors_before = context.problems.error_count();
  MapReader map(value, context);
  SloshDescription slosh;
  slosh.name = map.required_text("name");
  slosh.body = map.required_text("body");
  slosh.position = map.vector3("position", quantity::kLength, Vector3::Zero());
  read_fields(map, slosh_fields(), slosh);
  const auto type = map.require("type", list_choices(kSloshTypes));
  const auto choice = type ? read_choice(*type, kSloshTypes, context.problems) : std::nullopt;
  if (choice && *choice == 1) {
    slosh.type = SloshType::pendulum;
    slosh.length = map.required_number("length", kPendulumLength);
    map.refuse("stiffness", "a pendulum has none");
  } else if (choice) {
    map.refuse("length", "only a pendulum has one");
    const auto list = map.require("stiffness", "a list of 3 stiffnesses, along x, y and z");
    const auto numbers = list ? read_numbers(*list, kSpring, 3, context.problems) : std::nullopt;
    if (numbers) slosh.stiffness = *numbers;
  }
  if (choice) {
    map.finish();
  } else {
    map.report_missing();
  }
  slosh.notes = map.take_notes();
  if (!accept_part(validate_slosh(slosh, "part"), value, errors_before, context.problems, result))
    return;
  result.placed_links.push_back(result.description.links.size());
  add_slosh(result.description, slosh);
  result.links.resize(result.description.links.size(), {value, std::nullopt, true});
  result.frames.resize(result.description.frames.size(), {value, std::nullopt, true});
  result.loops.resize(result.description.loops.size(), {value, std::nullopt, true});
}

}  // namespace spacedyn::loading
