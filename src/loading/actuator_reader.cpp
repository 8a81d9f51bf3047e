#include "loading/body_reader.hpp"
#include "loading/geometry.hpp"
#include "loading/model_assembly.hpp"
#include "loading/model_reader.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/names.hpp"
#include "spacedyn/model/reaction_wheel.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kAngularMomentum{Dimension::none, Range::positive, true, "N m s"};
constexpr Quantity kViscous{Dimension::none, Range::not_negative, false, "N m s/rad"};
constexpr Quantity kStaticImbalance{Dimension::none, Range::not_negative, false, "kg m"};

WheelDrive read_drive(MapReader& map) {
  WheelDrive drive;
  drive.spin_inertia =
      map.required_number("spin_inertia", quantity::kInertia.within(Range::positive));
  const Quantity torque = quantity::kTorque.within(Range::positive).or_infinite();
  drive.torque_limit = map.number("torque_limit", torque, drive.torque_limit);
  drive.momentum_limit = map.number("momentum_limit", kAngularMomentum, drive.momentum_limit);
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
  return drive;
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
  if (context.problems.error_count() == errors_before) {
    for (const Problem& problem : validate_reaction_wheel(wheel, "wheel")) {
      const Value place = descend(value, problem.path.substr(sizeof("wheel.") - 1));
      context.problems.add(problem.severity, place.node->mark, place.path, problem.message,
                           problem.hint);
    }
  }
  if (context.problems.error_count() > errors_before) {
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
  map.refuse_unsupported({"tank"});
  map.finish();
  if (context.problems.error_count() == errors_before) {
    for (const Problem& problem : validate_thruster(drive, "thruster")) {
      const Value place = descend(value, problem.path.substr(sizeof("thruster.") - 1));
      context.problems.add(problem.severity, place.node->mark, place.path, problem.message,
                           problem.hint);
    }
  }
  if (context.problems.error_count() > errors_before) {
    result.names_are_complete = false;
    return;
  }
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

}  // namespace spacedyn::loading
