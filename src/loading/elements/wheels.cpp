#include "loading/elements/force_types.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "spacedyn/forces/tyre_force.hpp"
#include "spacedyn/forces/wheel_force.hpp"

namespace spacedyn::loading {
namespace {

/// One of `soils`.
Kind<Soil> soil() {
  const auto read = [](const Value& value, Reading& reading) -> std::optional<Soil> {
    const auto name = read_text(value, reading.problems());
    if (!name) return std::nullopt;
    const std::vector<std::string>& names = reading.scenario->ground.soil_names;
    const auto& soils = reading.scenario->ground.soils;
    if (const auto found = soils.find(*name); found != soils.end()) return found->second;
    // one that is wrong itself has its own error
    if (std::find(names.begin(), names.end(), *name) != names.end()) return std::nullopt;
    reading.problems().error(value, "expected the name of one of 'soils', got " + quote(*name),
                             nearest_hint(*name, names));
    return std::nullopt;
  };
  return make_kind<Soil>(
      "the name of one of 'soils'", [] { return text_schema("One of 'soils'"); }, read);
}

/// A link on a revolute joint.
Kind<int> wheel_link() {
  const auto read = [](const Value& value, Reading& reading) -> std::optional<int> {
    const auto name = read_text(value, reading.problems());
    if (!reading.scenario->ground.has_terrain) {
      reading.map.error_at("type", "expected 'environment: {terrain: …}' for a wheel, got none");
    }
    if (!name || !reading.scenario->model) return std::nullopt;
    const Model& model = *reading.scenario->model;
    const auto body = model.find_body(*name);
    if (body && *body > 0 && model.joint(*body).type == JointType::revolute) return body;
    std::vector<std::string> known;
    for (int i = 1; i < model.body_count(); ++i) {
      if (model.joint(i).type == JointType::revolute) known.push_back(model.body(i).name);
    }
    const char* other = !body ? "" : *body == 0 ? ", the base" : ", whose joint is prismatic";
    reading.problems().error(
        value, "expected the name of a link on a revolute joint, got " + quote(*name) + other,
        body ? "" : nearest_hint(*name, known));
    return std::nullopt;
  };
  return make_kind<int>(
      "the name of a link on a revolute joint", [] { return text_schema("On a revolute joint"); },
      read);
}

void check_wheel_start(ScenarioContext& scenario, MapReader& map, int link, double radius) {
  const LinkFrames frames = start_frames(scenario);
  const double depth =
      radius - scenario.ground.terrain->nearest(frames.o[static_cast<std::size_t>(link)]).distance;
  if (depth > radius) {
    map.error_at("link", fmt::format("expected a wheel that starts at most its radius of {:g} m "
                                     "below the terrain, got one that is {:g} m below",
                                     radius, depth));
  }
}

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
    const auto refuse = [&](const std::string& what) { reading.problems().error(item, what); };
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
  shape.require("radius", &SoilWheel::radius, length, "Radius, m");
  shape.require("width", &SoilWheel::width, length, "Width, m");
  shape.allow("grouser_height", &SoilWheel::grouser_height, not_negative(kLength),
              "Height of the grousers, m, default 0");
  Mapping<SoilForce> keys("A rigid wheel on loose soil");
  keys.require("link", &SoilForce::link, wheel_link());
  keys.merge(&SoilForce::wheel, shape);
  keys.allow("sinkage_damping", &SoilForce::sinkage_damping, not_negative(in("s/m")),
             "Damping of sinking over pressure, s/m, default 5");
  keys.allow("slip_velocity", &SoilForce::slip_velocity, positive(kVelocity),
             "Velocity below which slip is regularized, m/s");
  keys.allow("rut_length", &SoilForce::rut_length, length,
             "Path over which a rut that it follows is remembered, m, default 24 radii");
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

using Tyre = TyreForce::Settings;

Mapping<Tyre> tyre_keys() {
  using namespace kind;
  const Quantity length = positive(kLength), factor = positive(kNumber);
  const char* only_pacejka = "only the model 'pacejka' has it";
  Mapping<Tyre> keys("A tyre on hard ground");
  keys.require("link", &Tyre::link, wheel_link());
  keys.allow("model", &Tyre::model, choice<TyreModel>({"brush", "pacejka"}, "Default brush"));
  keys.require("radius", &Tyre::radius, length, "Radius, m");
  keys.require("width", &Tyre::width, length, "Width, m");
  keys.require("stiffness", &Tyre::stiffness, positive(kLinearStiffness), "Radial stiffness, N/m");
  keys.allow("damping", &Tyre::damping, not_negative(in("N s/m")),
             "Radial damping, N s/m, default 0");
  keys.require("friction", &Tyre::friction, factor, "Coefficient of friction");
  keys.require("slip_stiffness", &Tyre::slip_stiffness, factor,
               "Force along over load and slip, at small slip");
  keys.require("cornering_stiffness", &Tyre::cornering_stiffness, factor,
               "Force across over load and slip angle, at small angles");
  keys.allow("relaxation_length", &Tyre::relaxation_length, length,
             "Relaxation length, m, default the radius");
  keys.allow("rolling_resistance", &Tyre::rolling_resistance, not_negative(kNumber),
             "Resistance over load, default 0");
  keys.allow("slip_velocity", &Tyre::slip_velocity, positive(kVelocity),
             "Velocity below which slip is regularized, m/s");
  keys.allow("shape", &Tyre::shape, kNumber, "Shape C of pacejka, default 1.65", {1.0, 2.0})
      .when("model", "pacejka", only_pacejka);
  keys.allow("curvature", &Tyre::curvature, kNumber, "Curvature E of pacejka, default 0",
             {-std::numeric_limits<double>::infinity(), 1.0})
      .when("model", "pacejka", only_pacejka);
  return keys;
}

void add_tyre(Reading& reading, const std::string& name, Tyre& tyre) {
  if (!reading.scenario->ground.terrain) return;
  tyre.terrain = reading.scenario->ground.terrain;
  reading.scenario->add_force(std::make_shared<TyreForce>(name, tyre));
  check_wheel_start(*reading.scenario, reading.map, tyre.link, tyre.radius);
}

}  // namespace

extern const ForceType kWheelType = force_type<wheel_keys>("wheel", add_wheel);
extern const ForceType kTyreType = force_type<tyre_keys>("tyre", add_tyre);

}  // namespace spacedyn::loading
