#include "loading/model/body_reader.hpp"
#include "loading/model/model_assembly.hpp"
#include "loading/model/model_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/model/control_moment_gyro.hpp"
#include "spacedyn/model/reaction_wheel.hpp"
#include "spacedyn/model/slosh.hpp"

namespace spacedyn::loading {
namespace {

Mapping<WheelDrive> bearing_keys() {
  using namespace kind;
  Mapping<WheelDrive> keys("Friction of the bearings");
  keys.allow("viscous", &WheelDrive::viscous, number(not_negative(in("N m s/rad")), "N m s/rad"));
  keys.allow("coulomb", &WheelDrive::coulomb, number(not_negative(kTorque), "Torque, N*m"));
  return keys;
}

Mapping<ReactionWheelDescription> reaction_wheel_keys() {
  using namespace kind;
  using Wheel = ReactionWheelDescription;
  Mapping<Wheel> keys("A wheel on a revolute joint of its own name");
  keys.merge(place_keys<Wheel>());
  keys.require("axis", &Wheel::axis, vector(kNumber));
  keys.allow("mass", &Wheel::mass,
             number(not_negative(kMass), "Mass, kg, default 0: the body has it"));
  keys.allow("transverse_inertia", &Wheel::transverse_inertia,
             number(not_negative(kInertia), "kg m², default 0: the body has it"));
  keys.allow("static_imbalance", &Wheel::static_imbalance,
             number(not_negative(in("kg m")), "Mass times offset of the centroid, kg m"));
  keys.allow("dynamic_imbalance", &Wheel::dynamic_imbalance,
             number(kInertia, "Product of inertia, kg m²"));
  keys.merge(&Wheel::drive, once<wheel_drive_keys>());
  return keys.keep_notes();
}

Mapping<ControlMomentGyroDescription> gyro_keys() {
  using namespace kind;
  using Gyro = ControlMomentGyroDescription;
  Mapping<Gyro> keys("A gimbal with a spinning rotor");
  keys.merge(place_keys<Gyro>());
  keys.require("gimbal_axis", &Gyro::gimbal_axis, vector(kNumber));
  keys.require("spin_axis", &Gyro::spin_axis, vector(kNumber, "Perpendicular to the gimbal axis"));
  keys.require("gimbal_inertia", &Gyro::gimbal_inertia,
               number(positive(kInertia), "Of gimbal and rotor about the gimbal axis, kg m²"));
  keys.require("spin_inertia", &Gyro::spin_inertia,
               number(positive(kInertia), "Of the rotor about its axis, kg m²"));
  keys.require("rotor_speed", &Gyro::rotor_speed, number(kRate, "At the start, rad/s"));
  keys.allow(
      "gimbal_rate_limit", &Gyro::gimbal_rate_limit,
      number(positive(kRate).or_infinite(), "Largest angular velocity of the gimbal, rad/s"));
  keys.allow("rotor_torque_limit", &Gyro::rotor_torque_limit,
             number(positive(kTorque).or_infinite(), "Of the rotor's motor, N m"));
  return keys.keep_notes();
}

Mapping<SloshDescription> slosh_keys() {
  using namespace kind;
  using Slosh = SloshDescription;
  Mapping<Slosh> keys("A mass on springs or a pendulum in place of a liquid");
  keys.merge(place_keys<Slosh>());
  keys.require("type", &Slosh::type, choice<SloshType>({"spring_mass", "pendulum"}));
  keys.require("mass", &Slosh::mass, number(positive(kMass), "Positive mass, kg"));
  keys.allow("damping", &Slosh::damping,
             number(not_negative(in("N s/m or N m s/rad")), "N s/m, of a pendulum N m s/rad"));
  keys.require("stiffness", &Slosh::stiffness,
               vector(not_negative(kLinearStiffness).or_infinite(),
                      "Along x, y and z, N/m; .inf where it does not move",
                      "a list of 3 stiffnesses, along x, y and z"))
      .when("type", "spring_mass", "a pendulum has none");
  keys.require("length", &Slosh::length, number(positive(kLength), "Of a pendulum, m"))
      .when("type", "pendulum", "only a pendulum has one");
  return keys.keep_notes();
}

}  // namespace

extern const SchemaDefinition kWheelFrictionDefinition{"wheel_friction", schema_of<bearing_keys>};
extern const SchemaDefinition kWheelDriveDefinition{"wheel_drive", schema_of<wheel_drive_keys>};
extern const SchemaDefinition kReactionWheelDefinition{"reaction_wheel",
                                                       schema_of<reaction_wheel_keys>};
extern const SchemaDefinition kGyroDefinition{"control_moment_gyro", schema_of<gyro_keys>};
extern const SchemaDefinition kSloshDefinition{"slosh", schema_of<slosh_keys>};

Mapping<WheelDrive> wheel_drive_keys() {
  using namespace kind;
  using Drive = WheelDrive;
  Mapping<Drive> keys("Limits and friction of a reaction wheel on this joint");
  keys.require("spin_inertia", &Drive::spin_inertia,
               number(positive(kInertia), "About the axis, kg m²"));
  keys.allow("torque_limit", &Drive::torque_limit,
             number(positive(kTorque).or_infinite(), "Largest torque, N*m"));
  keys.allow(
      "momentum_limit", &Drive::momentum_limit,
      number(positive(in("N m s")).or_infinite(), "Largest angular momentum, N m s; may be .inf"));
  keys.allow("rotor_speed", &Drive::rotor_speed,
             number(kRate, "At the start of a scenario, rad/s"));
  keys.allow(
      "friction", [](Drive& drive) -> Drive& { return drive; },
      defined(mapping(once<bearing_keys>()), "wheel_friction"));
  return keys;
}

void ModelReader::read_reaction_wheel(const Value& value, ReadContext& context, ReadModel& result) {
  ReactionWheelDescription wheel;
  if (!read_part<reaction_wheel_keys>(value, context, result, wheel, validate_reaction_wheel)) {
    return;
  }
  result.placed_links.push_back(result.description.links.size());
  add_reaction_wheel(result.description, wheel);
  result.links.push_back({value, std::nullopt, true});
}

void ModelReader::read_gyro(const Value& value, ReadContext& context, ReadModel& result) {
  ControlMomentGyroDescription gyro;
  if (!read_part<gyro_keys>(value, context, result, gyro, validate_control_moment_gyro)) return;
  result.placed_links.push_back(result.description.links.size());
  add_control_moment_gyro(result.description, gyro);
  result.links.resize(result.description.links.size(), {value, std::nullopt, true});
}

void ModelReader::read_slosh(const Value& value, ReadContext& context, ReadModel& result) {
  SloshDescription slosh;
  if (!read_part<slosh_keys>(value, context, result, slosh, validate_slosh)) return;
  result.placed_links.push_back(result.description.links.size());
  add_slosh(result.description, slosh);
  result.links.resize(result.description.links.size(), {value, std::nullopt, true});
  result.frames.resize(result.description.frames.size(), {value, std::nullopt, true});
  result.loops.resize(result.description.loops.size(), {value, std::nullopt, true});
}

}  // namespace spacedyn::loading
