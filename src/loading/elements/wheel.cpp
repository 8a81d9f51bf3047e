#include "loading/elements/force_types.hpp"
#include "loading/keys/fields.hpp"
#include "loading/scenario/shared_keys.hpp"
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
       [](SoilWheel& w) -> double& { return w.slip_velocity; }},
      {"rut_length", "Path over which a rut that it follows is remembered, m, default 24 radii",
       kWheelLength, [](SoilWheel& w) -> double& { return w.rut_length; }}};
  return kFields;
}

/// A list of names, or one.
void read_leaders(ScenarioContext& scenario, MapReader& map, SoilWheel& settings) {
  const auto value = map.find("follows");
  if (!value) return;
  const auto read_one = [&](const Value& item) {
    const auto name = read_text(item, map.problems());
    if (!name) return;
    const auto refuse = [&](const std::string& what) {
      map.problems().error(item.node->mark, item.path, what);
    };
    const auto* leader = dynamic_cast<const WheelElement*>(find_force(scenario, *name));
    if (leader == nullptr) {
      return refuse("expected the name of a wheel that is listed before, got " + quote(*name));
    }
    if (leader->mount().link == settings.link) {
      return refuse("expected a wheel on another link, got " + quote(*name) + " on the same");
    }
    for (const auto& known : settings.follows) {
      if (known.link == leader->mount().link) {
        return refuse("expected each wheel once, got " + quote(*name) + " again");
      }
    }
    settings.follows.push_back(leader->mount());
  };
  if (value->node->is_sequence()) {
    if (value->node->items.empty()) {
      map.error_at("follows", "expected at least one wheel, got an empty list");
    }
    for_each_item(*value, map.problems(), read_one);
  } else {
    read_one(*value);
  }
  if (settings.follows.size() > std::size_t{WheelForce::kMostLeaders}) {
    map.error_at("follows",
                 "expected at most 4 wheels, got " + std::to_string(settings.follows.size()));
  }
  const auto& k = settings.soil.unloading_modulus;
  if (!settings.follows.empty() && !(k[0] + k[1] > 0.0)) {
    map.error_at(
        "follows",
        "expected a soil with an 'unloading_modulus' above 0, that of this wheel has none");
  }
}

void read_wheel(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  SoilWheel settings;
  const auto link = read_wheel_link(scenario, map);
  const auto soil = read_soil_name(scenario, map);
  const bool complete = read_fields(map, wheel_fields(), settings);
  if (!complete || !link || !soil || !scenario.ground.terrain) {
    map.find("follows");
    return;
  }
  settings.link = *link;
  settings.soil = *soil;
  const std::size_t errors_before = map.problems().error_count();
  read_leaders(scenario, map, settings);
  if (map.problems().error_count() > errors_before) return;
  settings.terrain = scenario.ground.terrain;
  settings.gravity = scenario.setup().gravity.norm();
  scenario.add_force(std::make_shared<WheelForce>(name, settings));
  check_wheel_start(scenario, map, *link, settings.wheel.radius);
}

MappingSchema wheel_schema() {
  MappingSchema schema("A rigid wheel on loose soil");
  schema.require("link", text_schema("On a revolute joint"));
  describe_fields(wheel_fields(), schema);
  schema.require("soil", text_schema("One of 'soils'"));
  schema.allow("follows",
               "{\"title\": \"Wheels listed before, in whose ruts it may roll\", \"anyOf\": [" +
                   text_schema() + ", " + series_schema(text_schema(), 1) + "]}");
  return schema;
}

}  // namespace

extern const ForceType kWheelType{"wheel", read_wheel, wheel_schema};

}  // namespace spacedyn::loading
