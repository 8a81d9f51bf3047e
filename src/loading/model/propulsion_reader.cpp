#include <algorithm>
#include <cmath>

#include "loading/model/body_reader.hpp"
#include "loading/model/model_assembly.hpp"
#include "loading/model/model_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

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
  keys.allow(
      "radius", &Shape::radius,
      kind::number(quantity::not_negative(quantity::kLength), "Radius, m, default 0: a point"));
}

Mapping<TankDescription> tank_keys() {
  using namespace kind;
  using Tank = TankDescription;
  Mapping<Tank> keys("Propellant that fills a sphere evenly, whatever is left of it");
  keys.merge(place_keys<Tank>());
  keys.require("propellant", &Tank::propellant, number(positive(kMass), "Positive mass, kg"));
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
    context.problems.error(place.node->mark, place.path, message);
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
  keys.require("force", &Drive::force, number(positive(kForce), "When open, N"));
  keys.allow("specific_impulse", &Drive::specific_impulse,
             number(positive(kTime).or_infinite(), "s, default .inf: no flow"));
  keys.allow("minimum_on_time", &Drive::minimum_on_time,
             number(duration, "Shorter pulses last that long, s, default 0"));
  keys.allow("delay", &Drive::delay, number(duration, "From command to valve, s, default 0"));
  keys.allow("rise_time", &Drive::rise_time,
             number(duration, "From no force to all of it, linear, s, default 0"));
  keys.allow("fall_time", &Drive::fall_time,
             number(duration, "From all of the force to none, linear, s, default 0"));
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
    context.problems.error(place.node->mark, place.path,
                           "expected the name of a frame, a link or '<link>.com', got " +
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
