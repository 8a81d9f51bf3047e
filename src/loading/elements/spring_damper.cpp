#include "spacedyn/forces/spring_damper.hpp"
#include "loading/elements/force_types.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/forces/joint_spring.hpp"
#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn::loading {
namespace {

/// What is stretched: lengths by forces, or angles by torques.
struct Stretched {
  Quantity stretch, force, stiffness, damping;
};
const Stretched kLine{quantity::kLength,
                      quantity::kForce,
                      {Dimension::linear_stiffness, Range::not_negative},
                      {Dimension::none, Range::not_negative, false, "N s/m"}};
const Stretched kTurn{quantity::kAngle,
                      quantity::kTorque,
                      {Dimension::angular_stiffness, Range::not_negative},
                      {Dimension::none, Range::not_negative, false, "N m s/rad"}};

/// `spring: {polynomial: [c_1, …]}` or `spring: {stretch: […], force: […]}`.
std::optional<SpringLaw> read_law(const Value& value, const Stretched& of, ReadContext& context) {
  MapReader map(value, context);
  const std::size_t errors_before = map.problems().error_count();
  const auto polynomial = map.find("polynomial");
  const auto stretch = map.find("stretch"), force = map.find("force");
  const auto numbers = [&](const Value& list, const Quantity& quantity) {
    const auto count = static_cast<int>(list.node->items.size());
    const auto read = read_numbers(list, quantity.of_series(), std::max(count, 1), map.problems());
    return read ? std::vector<double>(read->begin(), read->end()) : std::vector<double>();
  };
  std::optional<SpringLaw> law;
  if (polynomial.has_value() == (stretch.has_value() || force.has_value()) ||
      stretch.has_value() != force.has_value()) {
    map.problems().error(value.node->mark, value.path,
                         "expected either a 'polynomial' or both 'stretch' and 'force', got " +
                             describe(*value.node));
  } else {
    guard(value, map.problems(), [&] {
      if (polynomial) {
        const std::vector<double> coefficients = numbers(*polynomial, quantity::kNumber);
        if (map.problems().error_count() == errors_before) {
          law = SpringLaw::polynomial(coefficients);
        }
        return;
      }
      const std::vector<double> stretches = numbers(*stretch, of.stretch);
      const std::vector<double> forces = numbers(*force, of.force);
      if (map.problems().error_count() == errors_before) law = SpringLaw::table(stretches, forces);
    });
  }
  map.finish();
  return law;
}

/// The spring of a force: a stiffness, or a law in its place.
struct Spring {
  double stiffness = 0.0, damping = 0.0;
  std::optional<SpringLaw> law;
};

std::optional<Spring> read_spring(MapReader& map, const Stretched& of) {
  const std::size_t errors_before = map.problems().error_count();
  Spring spring;
  spring.damping = map.number("damping", of.damping, 0.0);
  if (const auto law = map.find("spring")) {
    map.refuse("stiffness", "'spring' stands in its place");
    spring.law = read_law(*law, of, map.context());
  } else {
    spring.stiffness = map.required_number("stiffness", of.stiffness);
    if (map.problems().error_count() == errors_before && map.has("stiffness") &&
        spring.stiffness == 0.0 && spring.damping == 0.0) {
      map.error_at("stiffness", "expected a stiffness or a damping that is not zero, got zeros");
    }
  }
  if (map.problems().error_count() > errors_before || !(map.has("stiffness") || spring.law)) {
    return std::nullopt;
  }
  return spring;
}

void read_at_joint(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  for (const char* key : {"from", "to", "rest_length"}) {
    map.refuse(key, "the spring is at a joint, whose 'rest_position' is its own");
  }
  const auto joint =
      read_free_joint(scenario, map, {"stiffness", "spring", "damping", "rest_position"});
  if (!joint) return;
  const bool turns = scenario.model->joint(*joint).type == JointType::revolute;
  const Stretched& of = turns ? kTurn : kLine;
  const double rest = map.number("rest_position", of.stretch, 0.0);
  const auto spring = read_spring(map, of);
  if (!spring) return;
  SpringLaw law;
  if (spring->law) {
    law = *spring->law;
  } else if (spring->stiffness > 0.0) {
    law = SpringLaw::polynomial({spring->stiffness});
  }
  scenario.add_force(std::make_shared<JointSpring>(
      name, JointSpring::Settings{*joint, law, spring->damping, rest}));
}

void read_between_points(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  map.refuse("rest_position", "only a spring at a joint has one");
  const auto pair = read_pair(scenario, map);
  SpringDamper::Settings settings;
  const std::size_t errors_before = map.problems().error_count();
  settings.rest_length =
      map.number("rest_length", quantity::kLength.within(Range::not_negative), 0.0);
  const auto spring = read_spring(map, kLine);
  if (!spring || !pair || map.problems().error_count() > errors_before) return;
  settings.from = pair->first;
  settings.to = pair->second;
  settings.stiffness = spring->stiffness;
  settings.damping = spring->damping;
  settings.spring = spring->law;
  const LinkFrames frames = start_frames(scenario);
  const double distance =
      (frame_position(frames, pair->second) - frame_position(frames, pair->first)).norm();
  if (!map.has("rest_length")) settings.rest_length = distance;
  const bool pulls = settings.stiffness > 0.0 || settings.spring;
  if (distance == 0.0 && settings.rest_length > 0.0 && pulls) {
    map.error_at("rest_length",
                 "expected 0 between points that coincide at the start: a spring that is "
                 "compressed there has no direction, " +
                     quote(pair->first.name) + " and " + quote(pair->second.name) +
                     " are at one place");
    return;
  }
  scenario.add_force(std::make_shared<SpringDamper>(name, settings));
}

void read_spring_damper(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  (map.has("joint") ? read_at_joint : read_between_points)(scenario, map, name);
}

MappingSchema spring_damper_schema() {
  MappingSchema law("A spring that is no straight line");
  law.allow("polynomial", series_schema(number_schema({quantity::kNumber}), 1,
                                        "c_1, c_2, … of F = c_1 s + c_2 s² + …, SI"))
      .allow("stretch", series_schema(number_schema({kLine.stretch, kTurn.stretch}), 2))
      .allow("force", series_schema(number_schema({kLine.force, kTurn.force}), 2))
      .add_rule(one_of_rule({'{' + required_rule({"polynomial"}) + '}',
                             '{' + required_rule({"stretch", "force"}) + '}'}));
  MappingSchema schema("A spring and a damper along the line of two points, or at a joint");
  schema.allow("from", text_schema("A frame, a link or <link>.com"))
      .allow("to", text_schema("A frame, a link or <link>.com of another body"))
      .allow("joint", text_schema("In place of both points"))
      .allow("stiffness",
             number_schema({kLine.stiffness, kTurn.stiffness}, "Stiffness, N/m or N m/rad"))
      .allow("spring", law.text())
      .allow("damping", number_schema({kLine.damping}, "Damping, N s/m or N m s/rad, default 0"))
      .allow("rest_length", number_schema({quantity::kLength.within(Range::not_negative)},
                                          "Length without force, m, default that of the start"))
      .allow("rest_position", number_schema({quantity::kAngle, quantity::kLength},
                                            "Of the joint, without force, default 0"))
      .add_rule(one_of_rule(
          {'{' + required_rule({"joint"}) + '}', '{' + required_rule({"from", "to"}) + '}'}))
      .add_rule(some_key_rule({"stiffness", "spring"}));
  return schema;
}

}  // namespace

extern const ForceType kSpringDamperType{"spring_damper", read_spring_damper, spring_damper_schema};

}  // namespace spacedyn::loading
