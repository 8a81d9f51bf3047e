#include "loading/elements/force_types.hpp"

#include <algorithm>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/bushing.hpp"
#include "spacedyn/forces/spring_damper.hpp"
#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn::loading {
namespace {

/// Along x, y and z, then about them.
Kind<Vector6> gains(const Quantity& along, const Quantity& about, const char* title) {
  return kind::numbers<Vector6>({along, along, along, about, about, about}, title,
                                "a list of 6 stiffnesses: along x, y, z, then about them");
}

Kind<Vector6> bushing_stiffness() {
  using namespace quantity;
  return gains(not_negative(kLinearStiffness), not_negative(kAngularStiffness),
               "N/m along x, y, z, then N*m/rad about them, in the axes of `from`");
}

Kind<Vector6> bushing_damping() {
  using namespace quantity;
  return gains(not_negative(in("N s/m")), not_negative(in("N m s/rad")),
               "N s/m along x, y, z, then N m s/rad about them, in the axes of `from`");
}

Mapping<Bushing::Settings> bushing_keys() {
  using Settings = Bushing::Settings;
  Mapping<Settings> keys("Springs and dampers in all directions between two frames");
  add_pair(keys);
  keys.require("stiffness", &Settings::stiffness, bushing_stiffness());
  keys.allow("damping", &Settings::damping, bushing_damping());
  keys.check([](Settings& bushing, Reading& reading) {
    if (!bushing.stiffness.isZero(0.0) || !bushing.damping.isZero(0.0)) return;
    reading.map.error_at("stiffness",
                         "expected a stiffness or a damping that is not zero, got zeros");
  });
  return keys;
}

/// What is stretched: angles and lengths of joints, or lengths alone.
struct Stretched {
  std::vector<Quantity> stretch, force, stiffness, damping;
};

/// `spring: {polynomial: [c_1, …]}` or `spring: {stretch: […], force: […]}`.
struct LawKeys {
  std::vector<double> polynomial, stretch, force;
  SpringLaw law;
};

/// The spring of a force: a stiffness, or a law in its place.
struct Spring {
  double stiffness = 0.0, damping = 0.0;
  std::optional<LawKeys> law;
};

struct LineSpring : SpringDamper::Settings {
  Spring force;
};

struct TurnSpring : JointSpring::Settings {
  Spring force;
};

void finish_law(LawKeys& keys, Reading& reading) {
  try {
    keys.law = keys.stretch.empty() ? SpringLaw::polynomial(keys.polynomial)
                                    : SpringLaw::table(keys.stretch, keys.force);
  } catch (const Error& error) {
    reading.map.error(error.what());
  }
}

Mapping<LawKeys> law_keys(const Stretched& of) {
  using namespace kind;
  const auto series = [](std::vector<Quantity> quantities, int least, const char* title = "") {
    for (Quantity& each : quantities) each = each.of_series();
    return list(joint_number(quantities, ""), "a list", least, title);
  };
  Mapping<LawKeys> keys("A spring that is no straight line");
  keys.allow("polynomial", &LawKeys::polynomial,
             series({kNumber}, 1, "c_1, c_2, … of F = c_1 s + c_2 s² + …, SI"));
  keys.allow("stretch", &LawKeys::stretch, series(of.stretch, 2));
  keys.allow("force", &LawKeys::force, series(of.force, 2));
  keys.check_keys(
      one_of_schema({required_rule({"polynomial"}), required_rule({"stretch", "force"})}),
      [](MapReader& map) {
        const bool is_table = map.has("stretch") && map.has("force");
        const bool is_mixed = map.has("stretch") != map.has("force");
        if (is_table != map.has("polynomial") && !is_mixed) return;
        map.error(
            "expected either a 'polynomial' or both 'stretch' and 'force', got a "
            "mapping");
      });
  keys.check(finish_law);
  return keys;
}

Mapping<Spring> spring_keys(const Stretched& of) {
  using namespace kind;
  Mapping<Spring> keys;
  keys.allow("damping", &Spring::damping,
             joint_number(of.damping, "Damping, N s/m or N m s/rad, default 0"));
  keys.allow("spring", &Spring::law, optional(mapping(law_keys(of))));
  keys.require("stiffness", &Spring::stiffness,
               joint_number(of.stiffness, "Stiffness, N/m or N m/rad"))
      .unless("spring", "'spring' stands in its place");
  keys.check([](Spring& spring, Reading& reading) {
    if (spring.law || spring.stiffness != 0.0 || spring.damping != 0.0) return;
    reading.map.error_at("stiffness",
                         "expected a stiffness or a damping that is not zero, got zeros");
  });
  return keys;
}

Mapping<TurnSpring> joint_spring_keys() {
  using namespace kind;
  Mapping<TurnSpring> keys("A spring and a damper at a joint");
  keys.require("joint", &TurnSpring::joint, free_joint());
  keys.allow("rest_position", &TurnSpring::rest_position,
             joint_number(kJointPosition, "Of the joint, without force, default 0"));
  keys.merge(&TurnSpring::force,
             spring_keys({kJointPosition,
                          kJointEffort,
                          {not_negative(kAngularStiffness), not_negative(kLinearStiffness)},
                          {not_negative(in("N m s/rad")), not_negative(in("N s/m"))}}));
  for (const char* key : {"from", "to", "rest_length"}) {
    keys.refuse(key, "the spring is at a joint, whose 'rest_position' is its own");
  }
  return keys;
}

Mapping<LineSpring> line_spring_keys() {
  using namespace kind;
  Mapping<LineSpring> keys("A spring and a damper along the line of two points");
  add_pair(keys);
  keys.allow("rest_length", &LineSpring::rest_length, not_negative(kLength),
             "Length without force, m, default that of the start");
  keys.merge(
      &LineSpring::force,
      spring_keys(
          {{kLength}, {kForce}, {not_negative(kLinearStiffness)}, {not_negative(in("N s/m"))}}));
  keys.refuse("rest_position", "only a spring at a joint has one");
  return keys;
}

void add_joint_spring(Reading& reading, const std::string& name, TurnSpring& spring) {
  spring.damping = spring.force.damping;
  if (spring.force.law) {
    spring.spring = spring.force.law->law;
  } else if (spring.force.stiffness > 0.0) {
    spring.spring = SpringLaw::polynomial({spring.force.stiffness});
  }
  reading.scenario->add_force(std::make_shared<JointSpring>(name, spring));
}

void add_line_spring(Reading& reading, const std::string& name, LineSpring& spring) {
  spring.stiffness = spring.force.stiffness;
  spring.damping = spring.force.damping;
  if (spring.force.law) spring.spring = spring.force.law->law;
  const LinkFrames frames = start_frames(*reading.scenario);
  const double distance =
      (frame_position(frames, spring.to) - frame_position(frames, spring.from)).norm();
  if (!reading.map.has("rest_length")) spring.rest_length = distance;
  const bool pulls = spring.stiffness > 0.0 || spring.spring;
  if (distance == 0.0 && spring.rest_length > 0.0 && pulls) {
    reading.map.error_at("rest_length",
                         "expected 0 between points that coincide at the start: a spring that is "
                         "compressed there has no direction, " +
                             quote(spring.from.name) + " and " + quote(spring.to.name) +
                             " are at one place");
    return;
  }
  reading.scenario->add_force(std::make_shared<SpringDamper>(name, spring));
}

ForceType make_spring_damper() {
  const ForceType line = force_type<line_spring_keys>("spring_damper", add_line_spring);
  const ForceType turn = force_type<joint_spring_keys>("spring_damper", add_joint_spring);
  const auto read = [=](ScenarioContext& scenario, MapReader& map, const std::string& name) {
    (map.has("joint") ? turn : line).read(scenario, map, name);
  };
  return {line.name, read, {line.tables[0], turn.tables[0]}};
}

}  // namespace

std::shared_ptr<const Bushing> make_bushing(ScenarioContext& scenario, MapReader& map,
                                            const std::string& name) {
  Bushing::Settings settings;
  Reading reading{map, &scenario};
  if (!once<bushing_keys>().read(reading, settings)) return nullptr;
  return std::make_shared<Bushing>(name, settings);
}

extern const SchemaDefinition kBushingStiffnessDefinition{"bushing_stiffness",
                                                          schema_of<bushing_stiffness>};
extern const SchemaDefinition kBushingDampingDefinition{"bushing_damping",
                                                        [] { return bushing_damping().schema(); }};
extern const ForceType kBushingType =
    force_type<bushing_keys>("bushing", add_element<Bushing, Bushing::Settings>);
extern const ForceType kSpringDamperType = make_spring_damper();

}  // namespace spacedyn::loading
