#include <algorithm>
#include <cmath>

#include "loading/model/body_reader.hpp"
#include "loading/model/model_assembly.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/names.hpp"
#include "spacedyn/model/reaction_wheel.hpp"

namespace spacedyn::loading {
namespace {

Mapping<WheelDrive> bearing_keys() {
  using namespace kind;
  Mapping<WheelDrive> keys("Friction of the bearings");
  keys.allow("viscous", &WheelDrive::viscous, not_negative(in("N m s/rad")), "N m s/rad");
  keys.allow("coulomb", &WheelDrive::coulomb, not_negative(kTorque), "Torque, N*m");
  return keys;
}

Mapping<ReactionWheelDescription> reaction_wheel_keys() {
  using namespace kind;
  using Wheel = ReactionWheelDescription;
  Mapping<Wheel> keys("A wheel on a revolute joint of its own name");
  keys.merge(place_keys<Wheel>());
  keys.require("axis", &Wheel::axis, vector(kNumber));
  keys.allow("mass", &Wheel::mass, not_negative(kMass), "Mass, kg, default 0: the body has it");
  keys.allow("transverse_inertia", &Wheel::transverse_inertia, not_negative(kInertia),
             "kg m², default 0: the body has it");
  keys.allow("static_imbalance", &Wheel::static_imbalance, not_negative(in("kg m")),
             "Mass times offset of the centroid, kg m");
  keys.allow("dynamic_imbalance", &Wheel::dynamic_imbalance, kInertia, "Product of inertia, kg m²");
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
  keys.require("gimbal_inertia", &Gyro::gimbal_inertia, positive(kInertia),
               "Of gimbal and rotor about the gimbal axis, kg m²");
  keys.require("spin_inertia", &Gyro::spin_inertia, positive(kInertia),
               "Of the rotor about its axis, kg m²");
  keys.require("rotor_speed", &Gyro::rotor_speed, kRate, "At the start, rad/s");
  keys.allow("gimbal_rate_limit", &Gyro::gimbal_rate_limit, positive(kRate).or_infinite(),
             "Largest angular velocity of the gimbal, rad/s");
  keys.allow("rotor_torque_limit", &Gyro::rotor_torque_limit, positive(kTorque).or_infinite(),
             "Of the rotor's motor, N m");
  return keys.keep_notes();
}

Mapping<SloshDescription> slosh_keys() {
  using namespace kind;
  using Slosh = SloshDescription;
  Mapping<Slosh> keys("A mass on springs or a pendulum in place of a liquid");
  keys.merge(place_keys<Slosh>());
  keys.require("type", &Slosh::type, choice<SloshType>({"spring_mass", "pendulum"}));
  keys.require("mass", &Slosh::mass, positive(kMass), "Positive mass, kg");
  keys.allow("damping", &Slosh::damping, not_negative(in("N s/m or N m s/rad")),
             "N s/m, of a pendulum N m s/rad");
  keys.require("stiffness", &Slosh::stiffness,
               vector(not_negative(kLinearStiffness).or_infinite(),
                      "Along x, y and z, N/m; .inf where it does not move",
                      "a list of 3 stiffnesses, along x, y and z"))
      .when("type", "spring_mass", "a pendulum has none");
  keys.require("length", &Slosh::length, positive(kLength), "Of a pendulum, m")
      .when("type", "pendulum", "only a pendulum has one");
  return keys.keep_notes();
}

/// An item of `thrusters`.
struct PlacedThruster : ThrusterDrive {
  std::string name, at;
  Notes notes;
};

Mapping<PlacedThruster> thruster_keys() {
  using namespace kind;
  Mapping<PlacedThruster> keys(once<nozzle_keys>().title());
  keys.require("name", &PlacedThruster::name, name());
  keys.require("at", &PlacedThruster::at, text("A frame, a link or <link>.com"));
  keys.merge(once<nozzle_keys>());
  return keys.keep_notes();
}

/// Of anything with a radius.
template <typename Shape>
void add_tank_radius(Mapping<Shape>& keys) {
  keys.allow("radius", &Shape::radius, quantity::not_negative(quantity::kLength),
             "Radius, m, default 0: a point");
}

Mapping<TankDescription> tank_keys() {
  using namespace kind;
  using Tank = TankDescription;
  Mapping<Tank> keys("Propellant that fills a sphere evenly, whatever is left of it");
  keys.merge(place_keys<Tank>());
  keys.require("propellant", &Tank::propellant, positive(kMass), "Positive mass, kg");
  add_tank_radius(keys);
  return keys.keep_notes();
}

/// Names of all points of a description.
std::vector<std::string> points_of(const ModelDescription& description) {
  std::vector<std::string> points;
  const auto add_body = [&](const std::string& name) {
    points.push_back(name);
    points.push_back(name + ".com");
  };
  add_body(description.base.name);
  for (const LinkDescription& link : description.links) add_body(link.name);
  for (const FrameDescription& frame : description.frames) points.push_back(frame.name);
  return points;
}

/// Whether a thruster draws from a tank that is there, if from any.
bool check_feed(const ThrusterDrive& drive, const Value& value, const ReadModel& read,
                ReadContext& context) {
  if (drive.tank.empty()) return true;
  const auto refuse = [&](const char* key, const std::string& message) {
    const Value place = descend(value, key);
    context.problems.error(place, message);
    return false;
  };
  std::vector<std::string> tanks;
  for (const LinkDescription& link : read.description.links) {
    if (link.tank) tanks.push_back(link.name);
  }
  if (std::count(tanks.begin(), tanks.end(), drive.tank) == 0) {
    if (read.may_have_lost(drive.tank)) return false;
    return refuse("tank", "expected the name of a tank, got " + quote(drive.tank) +
                              did_you_mean(drive.tank, tanks));
  }
  if (std::isfinite(drive.specific_impulse)) return true;
  return refuse("specific_impulse",
                "expected a finite specific impulse, for it draws from a tank, got none");
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
  keys.require("spin_inertia", &Drive::spin_inertia, positive(kInertia), "About the axis, kg m²");
  keys.allow("torque_limit", &Drive::torque_limit, positive(kTorque).or_infinite(),
             "Largest torque, N*m");
  keys.allow("momentum_limit", &Drive::momentum_limit, positive(in("N m s")).or_infinite(),
             "Largest angular momentum, N m s; may be .inf");
  keys.allow("rotor_speed", &Drive::rotor_speed, kRate, "At the start of a scenario, rad/s");
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
extern const SchemaDefinition kThrusterDriveDefinition{"thruster_drive", schema_of<nozzle_keys>};
extern const SchemaDefinition kThrusterDefinition{"thruster", schema_of<thruster_keys>};
extern const SchemaDefinition kTankShapeDefinition{"tank_shape", schema_of<tank_shape_keys>};
extern const SchemaDefinition kTankDefinition{"tank", schema_of<tank_keys>};

Mapping<ThrusterDrive> nozzle_keys() {
  using namespace kind;
  using Drive = ThrusterDrive;
  const Quantity duration = not_negative(kTime);
  Mapping<Drive> keys("A nozzle that pushes the body it is on");
  keys.require("direction", &Drive::direction,
               vector(kNumber, "Of the force on the body, in the axes there"));
  keys.require("force", &Drive::force, positive(kForce), "When open, N");
  keys.allow("specific_impulse", &Drive::specific_impulse, positive(kTime).or_infinite(),
             "s, default .inf: no flow");
  keys.allow("minimum_on_time", &Drive::minimum_on_time, duration,
             "Shorter pulses last that long, s, default 0");
  keys.allow("delay", &Drive::delay, duration, "From command to valve, s, default 0");
  keys.allow("rise_time", &Drive::rise_time, duration,
             "From no force to all of it, linear, s, default 0");
  keys.allow("fall_time", &Drive::fall_time, duration,
             "From all of the force to none, linear, s, default 0");
  keys.allow("tank", &Drive::tank, text("That it draws from"));
  return keys;
}

Mapping<TankShape> tank_shape_keys() {
  Mapping<TankShape> keys("Its mass is propellant that fills a sphere; the joint is fixed");
  add_tank_radius(keys);
  return keys;
}

void ModelReader::read_thruster(const Value& value, ReadContext& context, ReadModel& result) {
  PlacedThruster thruster;
  if (!read_part<thruster_keys>(value, context, result, thruster, validate_thruster)) return;
  if (!check_feed(thruster, value, result, context)) return;
  try {
    add_thruster(result.description, thruster.name, thruster.at, thruster);
  } catch (const DomainError&) {
    if (result.may_have_lost(thruster.at)) return;
    const Value place = descend(value, "at");
    context.problems.error(place, "expected the name of a frame, a link or '<link>.com', got " +
                                      quote(thruster.at) +
                                      did_you_mean(thruster.at, points_of(result.description)));
    return;
  }
  result.description.frames.back().notes = std::move(thruster.notes);
  result.frames.push_back({value, std::nullopt});
}

void ModelReader::read_tank(const Value& value, ReadContext& context, ReadModel& result) {
  TankDescription tank;
  if (!read_part<tank_keys>(value, context, result, tank, validate_tank)) return;
  result.placed_links.push_back(result.description.links.size());
  add_tank(result.description, tank);
  result.links.push_back({value, std::nullopt, true});
}

}  // namespace spacedyn::loading
