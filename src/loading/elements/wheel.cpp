#include "loading/elements/force_types.hpp"
#include "loading/fields.hpp"
#include "loading/scenario_reader.hpp"
#include "spacedyn/forces/wheel_force.hpp"

namespace spacedyn::loading {
namespace {

using SoilWheel = WheelForce::Settings;

constexpr Quantity kWheelLength{Dimension::length, Range::positive};

const Fields<SoilWheel>& wheel_fields() {
  static const Fields<SoilWheel> kFields = {
      {"radius", "Radius, m", kWheelLength, [](SoilWheel& w) -> double& { return w.wheel.radius; },
       Presence::required},
      {"width", "Width, m", kWheelLength, [](SoilWheel& w) -> double& { return w.wheel.width; },
       Presence::required},
      {"grouser_height", "Height of the grousers, m, default 0",
       quantity::kLength.within(Range::not_negative),
       [](SoilWheel& w) -> double& { return w.wheel.grouser_height; }},
      {"sinkage_damping",
       "Damping of sinking over pressure, s/m, default 5",
       {Dimension::none, Range::not_negative, false, "s/m"},
       [](SoilWheel& w) -> double& { return w.sinkage_damping; }},
      {"slip_velocity", "Velocity below which slip is regularized, m/s",
       quantity::kVelocity.within(Range::positive),
       [](SoilWheel& w) -> double& { return w.slip_velocity; }}};
  return kFields;
}

void read_wheel(ScenarioReader& scenario, MapReader& map, const std::string& name) {
  SoilWheel settings;
  const auto link = scenario.read_wheel_link(map);
  const auto soil = scenario.read_soil_name(map);
  const bool complete = read_fields(map, wheel_fields(), settings);
  if (!complete || !link || !soil || !scenario.terrain()) return;
  settings.link = *link;
  settings.soil = *soil;
  settings.terrain = scenario.terrain();
  settings.gravity = scenario.gravity().norm();
  scenario.add_force(std::make_shared<WheelForce>(name, settings));
  scenario.check_wheel_start(map, *link, settings.wheel.radius);
}

MappingSchema wheel_schema() {
  MappingSchema schema("A rigid wheel on loose soil");
  schema.require("link", text_schema("On a revolute joint"));
  describe_fields(wheel_fields(), schema);
  schema.require("soil", text_schema("One of 'soils'"));
  return schema;
}

}  // namespace

extern const ForceType kWheelType{"wheel", read_wheel, wheel_schema};

}  // namespace spacedyn::loading
