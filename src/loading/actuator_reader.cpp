#include <algorithm>
#include <cmath>

#include "loading/body_reader.hpp"
#include "loading/geometry.hpp"
#include "loading/model_assembly.hpp"
#include "loading/model_reader.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/control_moment_gyro.hpp"
#include "spacedyn/model/names.hpp"
#include "spacedyn/model/reaction_wheel.hpp"
#include "spacedyn/model/slosh.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kAngularMomentum{Dimension::none, Range::positive, true, "N m s"};
constexpr Quantity kViscous{Dimension::none, Range::not_negative, false, "N m s/rad"};
constexpr Quantity kSloshDamping{Dimension::none, Range::not_negative, false, "N s/m or N m s/rad"};
constexpr Quantity kStaticImbalance{Dimension::none, Range::not_negative, false, "kg m"};

WheelDrive read_drive(MapReader& map) {
  WheelDrive drive;
  drive.spin_inertia =
      map.required_number("spin_inertia", quantity::kInertia.within(Range::positive));
  const Quantity torque = quantity::kTorque.within(Range::positive).or_infinite();
  drive.torque_limit = map.number("torque_limit", torque, drive.torque_limit);
  drive.momentum_limit = map.number("momentum_limit", kAngularMomentum, drive.momentum_limit);
  drive.rotor_speed = map.number("rotor_speed", quantity::kRate, 0.0);
  if (const auto friction = map.find("friction")) {
    MapReader terms(*friction, map.context());
    drive.viscous = terms.number("viscous", kViscous, 0.0);
    drive.coulomb = terms.number("coulomb", quantity::kTorque.within(Range::not_negative), 0.0);
    terms.finish();
  }
  return drive;
}

/// A list of 3 numbers that must be there.
Vector3 required_vector(MapReader& map, const char* key) {
  map.require(key, "a list of 3 numbers");
  return map.vector3(key, quantity::kNumber, Vector3::UnitZ());
}

ThrusterDrive read_nozzle(MapReader& map) {
  ThrusterDrive drive;
  drive.direction = required_vector(map, "direction");
  drive.force = map.required_number("force", quantity::kForce.within(Range::positive));
  drive.specific_impulse =
      map.number("specific_impulse", quantity::kTime.within(Range::positive).or_infinite(),
                 drive.specific_impulse);
  const Quantity duration = quantity::kTime.within(Range::not_negative);
  drive.minimum_on_time = map.number("minimum_on_time", duration, 0.0);
  drive.delay = map.number("delay", duration, 0.0);
  drive.tank = map.text("tank");
  return drive;
}

/// Reports problems under the path `part` unless there are errors before them.
/// @returns whether the part is without errors
bool report_part(const std::vector<Problem>& problems, const Value& value,
                 std::size_t errors_before, ReadContext& context) {
  if (context.problems.error_count() > errors_before) return false;
  for (const Problem& problem : problems) {
    const Value place = descend(value, problem.path.substr(sizeof("part.") - 1));
    context.problems.add(problem.severity, place.node->mark, place.path, problem.message,
                         problem.hint);
  }
  return context.problems.error_count() == errors_before;
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
    context.problems.error(place.node->mark, place.path, message);
    return false;
  };
  std::vector<std::string> tanks;
  for (const LinkDescription& link : read.description.links) {
    if (link.tank) tanks.push_back(link.name);
  }
  if (std::count(tanks.begin(), tanks.end(), drive.tank) == 0) {
    if (!read.names_are_complete) return false;
    return refuse("tank", "expected the name of a tank, got " + quote(drive.tank) +
                              did_you_mean(drive.tank, tanks));
  }
  if (std::isfinite(drive.specific_impulse)) return true;
  return refuse("specific_impulse",
                "expected a finite specific impulse, for it draws from a tank, got none");
}

}  // namespace

WheelDrive read_wheel_drive(const Value& value, ReadContext& context) {
  MapReader map(value, context);
  const WheelDrive drive = read_drive(map);
  map.finish();
  return drive;
}

void ModelReader::read_reaction_wheel(const Value& value, ReadContext& context, ReadModel& result) {
  const std::size_t errors_before = context.problems.error_count();
  MapReader map(value, context);
  ReactionWheelDescription wheel;
  wheel.name = map.required_text("name");
  wheel.body = map.required_text("body");
  wheel.axis = required_vector(map, "axis");
  wheel.drive = read_drive(map);
  wheel.position = map.vector3("position", quantity::kLength, Vector3::Zero());
  wheel.mass = map.number("mass", quantity::kMass.within(Range::not_negative), 0.0);
  const Quantity inertia = quantity::kInertia.within(Range::not_negative);
  wheel.transverse_inertia = map.number("transverse_inertia", inertia, 0.0);
  wheel.static_imbalance = map.number("static_imbalance", kStaticImbalance, 0.0);
  wheel.dynamic_imbalance = map.number("dynamic_imbalance", quantity::kInertia, 0.0);
  map.finish();
  wheel.notes = map.take_notes();
  if (!report_part(validate_reaction_wheel(wheel, "part"), value, errors_before, context)) {
    result.names_are_complete = false;
    return;
  }
  result.placed_links.push_back(result.description.links.size());
  add_reaction_wheel(result.description, wheel);
  result.links.push_back({value, std::nullopt, true});
}

ThrusterDrive read_thruster_drive(const Value& value, ReadContext& context) {
  MapReader map(value, context);
  const ThrusterDrive drive = read_nozzle(map);
  map.finish();
  return drive;
}

void ModelReader::read_thruster(const Value& value, ReadContext& context, ReadModel& result) {
  const std::size_t errors_before = context.problems.error_count();
  MapReader map(value, context);
  const std::string name = map.required_text("name"), at = map.required_text("at");
  const ThrusterDrive drive = read_nozzle(map);
  map.finish();
  if (!report_part(validate_thruster(drive, "part"), value, errors_before, context)) {
    result.names_are_complete = false;
    return;
  }
  if (!check_feed(drive, value, result, context)) return;
  try {
    add_thruster(result.description, name, at, drive);
  } catch (const DomainError&) {
    if (!result.names_are_complete) return;
    const Value place = descend(value, "at");
    context.problems.error(place.node->mark, place.path,
                           "expected the name of a frame, a link or '<link>.com', got " +
                               quote(at) + did_you_mean(at, points_of(result.description)));
    return;
  }
  result.description.frames.back().notes = map.take_notes();
  result.frames.push_back({value, std::nullopt});
}

void ModelReader::read_gyro(const Value& value, ReadContext& context, ReadModel& result) {
  const std::size_t errors_before = context.problems.error_count();
  MapReader map(value, context);
  ControlMomentGyroDescription gyro;
  gyro.name = map.required_text("name");
  gyro.body = map.required_text("body");
  gyro.gimbal_axis = required_vector(map, "gimbal_axis");
  gyro.spin_axis = required_vector(map, "spin_axis");
  gyro.position = map.vector3("position", quantity::kLength, Vector3::Zero());
  const Quantity inertia = quantity::kInertia.within(Range::positive);
  gyro.gimbal_inertia = map.required_number("gimbal_inertia", inertia);
  gyro.spin_inertia = map.required_number("spin_inertia", inertia);
  gyro.rotor_speed = map.required_number("rotor_speed", quantity::kRate);
  gyro.gimbal_rate_limit =
      map.number("gimbal_rate_limit", quantity::kRate.within(Range::positive).or_infinite(),
                 gyro.gimbal_rate_limit);
  map.finish();
  gyro.notes = map.take_notes();
  if (!report_part(validate_control_moment_gyro(gyro, "part"), value, errors_before, context)) {
    result.names_are_complete = false;
    return;
  }
  result.placed_links.push_back(result.description.links.size());
  add_control_moment_gyro(result.description, gyro);
  result.links.resize(result.description.links.size(), {value, std::nullopt, true});
}

void ModelReader::read_slosh(const Value& value, ReadContext& context, ReadModel& result) {
  static const std::vector<std::string> kTypes{"spring_mass", "pendulum"};
  const std::size_t errors_before = context.problems.error_count();
  MapReader map(value, context);
  SloshDescription slosh;
  slosh.name = map.required_text("name");
  slosh.body = map.required_text("body");
  slosh.position = map.vector3("position", quantity::kLength, Vector3::Zero());
  slosh.mass = map.required_number("mass", quantity::kMass.within(Range::positive));
  slosh.damping = map.number("damping", kSloshDamping, 0.0);
  const auto type = map.require("type", list_choices(kTypes));
  const auto choice = type ? read_choice(*type, kTypes, {}, context.problems) : std::nullopt;
  if (choice && *choice == 1) {
    slosh.type = SloshType::pendulum;
    slosh.length = map.required_number("length", quantity::kLength.within(Range::positive));
    map.refuse("stiffness", "a pendulum has none");
  } else if (choice) {
    map.refuse("length", "only a pendulum has one");
    const Quantity spring =
        Quantity{Dimension::linear_stiffness, Range::not_negative}.or_infinite();
    const auto list = map.require("stiffness", "a list of 3 stiffnesses, along x, y and z");
    const auto numbers = list ? read_numbers(*list, spring, 3, context.problems) : std::nullopt;
    if (numbers) slosh.stiffness = *numbers;
  }
  if (choice) {
    map.finish();
  } else {
    map.report_missing();
  }
  slosh.notes = map.take_notes();
  if (!report_part(validate_slosh(slosh, "part"), value, errors_before, context)) {
    result.names_are_complete = false;
    return;
  }
  result.placed_links.push_back(result.description.links.size());
  add_slosh(result.description, slosh);
  result.links.resize(result.description.links.size(), {value, std::nullopt, true});
}

TankShape read_tank_shape(const Value& value, ReadContext& context) {
  MapReader map(value, context);
  const TankShape shape{map.number("radius", quantity::kLength.within(Range::not_negative), 0.0)};
  map.finish();
  return shape;
}

void ModelReader::read_tank(const Value& value, ReadContext& context, ReadModel& result) {
  const std::size_t errors_before = context.problems.error_count();
  MapReader map(value, context);
  TankDescription tank;
  tank.name = map.required_text("name");
  tank.body = map.required_text("body");
  tank.position = map.vector3("position", quantity::kLength, Vector3::Zero());
  tank.propellant = map.required_number("propellant", quantity::kMass.within(Range::positive));
  tank.radius = map.number("radius", quantity::kLength.within(Range::not_negative), 0.0);
  map.finish();
  tank.notes = map.take_notes();
  if (!report_part(validate_tank(tank, "part"), value, errors_before, context)) {
    result.names_are_complete = false;
    return;
  }
  result.placed_links.push_back(result.description.links.size());
  add_tank(result.description, tank);
  result.links.push_back({value, std::nullopt, true});
}

}  // namespace spacedyn::loading
