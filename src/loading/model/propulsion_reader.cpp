#include <algorithm>
#include <cmath>

#include "loading/keys/fields.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/model/model_assembly.hpp"
#include "loading/model/model_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kDuration{Dimension::time, Range::not_negative};
constexpr Quantity kTankRadius{Dimension::length, Range::not_negative};
constexpr Quantity kPropellant{Dimension::mass, Range::positive};
constexpr const char* kTankRadiusTitle = "Radius, m, default 0: a point";

const Fields<ThrusterDrive>& nozzle_fields() {
  static const Fields<ThrusterDrive> kFields = {
      {"force", "When open, N", quantity::kForce.within(Range::positive),
       [](ThrusterDrive& d) -> double& { return d.force; }, Presence::required},
      {"specific_impulse", "s, default .inf: no flow",
       quantity::kTime.within(Range::positive).or_infinite(),
       [](ThrusterDrive& d) -> double& { return d.specific_impulse; }},
      {"minimum_on_time", "Shorter pulses last that long, s, default 0", kDuration,
       [](ThrusterDrive& d) -> double& { return d.minimum_on_time; }},
      {"delay", "From command to valve, s, default 0", kDuration,
       [](ThrusterDrive& d) -> double& { return d.delay; }},
      {"rise_time", "From no force to all of it, linear, s, default 0", kDuration,
       [](ThrusterDrive& d) -> double& { return d.rise_time; }},
      {"fall_time", "From all of the force to none, linear, s, default 0", kDuration,
       [](ThrusterDrive& d) -> double& { return d.fall_time; }}};
  return kFields;
}

ThrusterDrive read_nozzle(MapReader& map) {
  ThrusterDrive drive;
  drive.direction = map.required_vector3("direction");
  read_fields(map, nozzle_fields(), drive);
  drive.tank = map.text("tank");
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

void describe_nozzle(MappingSchema& schema) {
  schema.require("direction",
                 vector_schema(quantity::kNumber, "Of the force on the body, in the axes there"));
  describe_fields(nozzle_fields(), schema);
  schema.allow("tank", text_schema("That it draws from"));
}

std::string thruster_drive_schema() {
  MappingSchema schema("A nozzle that pushes the body it is on");
  describe_nozzle(schema);
  return schema.text();
}

std::string model_thruster_schema() {
  MappingSchema schema("A nozzle that pushes the body it is on");
  schema.require("name", reference_schema("name"))
      .require("at", text_schema("A frame, a link or <link>.com"));
  describe_nozzle(schema);
  return schema.text();
}

std::string tank_shape_schema() {
  MappingSchema schema("Its mass is propellant that fills a sphere; the joint is fixed");
  schema.allow("radius", number_schema({kTankRadius}, kTankRadiusTitle));
  return schema.text();
}

std::string tank_schema() {
  MappingSchema schema("Propellant that fills a sphere evenly, whatever is left of it");
  schema.require("name", reference_schema("name"))
      .require("body", text_schema("The base or a link that carries it"))
      .allow("position", vector_schema(quantity::kLength, "On the body, m"))
      .require("propellant", number_schema({kPropellant}, "Positive mass, kg"))
      .allow("radius", number_schema({kTankRadius}, kTankRadiusTitle));
  return schema.text();
}

}  // namespace

extern const SchemaDefinition kThrusterDriveDefinition{"thruster_drive", thruster_drive_schema};
extern const SchemaDefinition kThrusterDefinition{"thruster", model_thruster_schema};
extern const SchemaDefinition kTankShapeDefinition{"tank_shape", tank_shape_schema};
extern const SchemaDefinition kTankDefinition{"tank", tank_schema};

ThrusterDrive read_thruster_drive(const Value& value, ReadContext& context) {
  return read_whole(value, context, read_nozzle);
}

void ModelReader::read_thruster(const Value& value, ReadContext& context, ReadModel& result) {
  const std::size_t errors_before = context.problems.error_count();
  MapReader map(value, context);
  const std::string name = map.required_text("name"), at = map.required_text("at");
  const ThrusterDrive drive = read_nozzle(map);
  map.finish();
  if (!accept_part(validate_thruster(drive, "part"), value, errors_before, context.problems,
                   result))
    return;
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

TankShape read_tank_shape(const Value& value, ReadContext& context) {
  return read_whole(value, context, [](MapReader& map) {
    return TankShape{map.number("radius", kTankRadius, 0.0)};
  });
}

void ModelReader::read_tank(const Value& value, ReadContext& context, ReadModel& result) {
  const std::size_t errors_before = context.problems.error_count();
  MapReader map(value, context);
  TankDescription tank;
  tank.name = map.required_text("name");
  tank.body = map.required_text("body");
  tank.position = map.vector3("position", quantity::kLength, Vector3::Zero());
  tank.propellant = map.required_number("propellant", kPropellant);
  tank.radius = map.number("radius", kTankRadius, 0.0);
  map.finish();
  tank.notes = map.take_notes();
  if (!accept_part(validate_tank(tank, "part"), value, errors_before, context.problems, result))
    return;
  result.placed_links.push_back(result.description.links.size());
  add_tank(result.description, tank);
  result.links.push_back({value, std::nullopt, true});
}

}  // namespace spacedyn::loading
