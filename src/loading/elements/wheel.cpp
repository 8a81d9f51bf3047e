#include "loading/elements/force_types.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/forces/wheel_force.hpp"

namespace spacedyn::loading {
namespace {

using SoilForce = WheelForce::Settings;

void describe_leaders(MappingSchema& schema) {
  schema.allow("follows", any_of_schema({text_schema(), series_schema(text_schema(), 1)},
                                        "Wheels listed before, in whose ruts it may roll"));
}

/// A list of names, or one.
bool read_leaders(Reading& reading, SoilForce& settings) {
  const auto value = reading.map.find("follows");
  if (!value) return true;
  const auto read_one = [&](const Value& item) {
    const auto name = read_text(item, reading.problems());
    if (!name) return;
    const auto refuse = [&](const std::string& what) {
      reading.problems().error(item.node->mark, item.path, what);
    };
    const auto leader = find_wheel(*reading.scenario, *name);
    if (!leader) {
      return refuse("expected the name of a wheel that is listed before, got " + quote(*name));
    }
    if (leader->link == settings.link) {
      return refuse("expected a wheel on another link, got " + quote(*name) + " on the same");
    }
    for (const auto& known : settings.follows) {
      if (known.link == leader->link) {
        return refuse("expected each wheel once, got " + quote(*name) + " again");
      }
    }
    settings.follows.push_back(*leader);
  };
  if (!value->node->is_sequence()) {
    read_one(*value);
  } else if (value->node->items.empty()) {
    reading.map.error_at("follows", "expected at least one wheel, got an empty list");
  } else {
    for_each_item(*value, reading.problems(), read_one);
  }
  return true;
}

void check_leaders(SoilForce& settings, Reading& reading) {
  const std::size_t count = settings.follows.size();
  const auto& k = settings.soil.unloading_modulus;
  if (count > std::size_t{WheelForce::kMostLeaders}) {
    reading.map.error_at("follows", "expected at most 4 wheels, got " + std::to_string(count));
  } else if (count > 0 && !(k[0] + k[1] > 0.0)) {
    reading.map.error_at(
        "follows",
        "expected a soil with an 'unloading_modulus' above 0, that of this wheel has none");
  }
}

Mapping<SoilForce> wheel_keys() {
  using namespace kind;
  const Quantity length = positive(kLength);
  Mapping<SoilWheel> shape;
  shape.require("radius", &SoilWheel::radius, number(length, "Radius, m"));
  shape.require("width", &SoilWheel::width, number(length, "Width, m"));
  shape.allow("grouser_height", &SoilWheel::grouser_height,
              number(not_negative(kLength), "Height of the grousers, m, default 0"));
  Mapping<SoilForce> keys("A rigid wheel on loose soil");
  keys.require("link", &SoilForce::link, wheel_link());
  keys.merge(&SoilForce::wheel, shape);
  keys.allow("sinkage_damping", &SoilForce::sinkage_damping,
             number(not_negative(in("s/m")), "Damping of sinking over pressure, s/m, default 5"));
  keys.allow("slip_velocity", &SoilForce::slip_velocity,
             number(positive(kVelocity), "Velocity below which slip is regularized, m/s"));
  keys.allow(
      "rut_length", &SoilForce::rut_length,
      number(length, "Path over which a rut that it follows is remembered, m, default 24 radii"));
  keys.require("soil", &SoilForce::soil, soil());
  keys.group({describe_leaders, read_leaders});
  keys.check(check_leaders);
  return keys;
}

void add_wheel(Reading& reading, const std::string& name, SoilForce& settings) {
  if (!reading.scenario->ground.terrain) return;
  settings.terrain = reading.scenario->ground.terrain;
  settings.gravity = reading.scenario->setup().gravity.norm();
  reading.scenario->add_force(std::make_shared<WheelForce>(name, settings));
  check_wheel_start(*reading.scenario, reading.map, settings.link, settings.wheel.radius);
}

}  // namespace

extern const ForceType kWheelType = force_type<wheel_keys>("wheel", add_wheel);

}  // namespace spacedyn::loading
