#include "loading/elements/force_types.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "loading/yaml/numbers.hpp"
#include "spacedyn/forces/joint_brake.hpp"

namespace spacedyn::loading {
namespace {

void read_brake(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  const auto joint = read_free_joint(scenario, map, {"torque", "presliding"});
  JointBrake::Settings settings;
  settings.from = map.number("from", quantity::kTime, 0.0);
  settings.until = map.number("until", quantity::kTime.or_infinite(), settings.until);
  if (!joint) return;
  const JointType type = scenario.model->joint(*joint).type;
  settings.joint = *joint;
  settings.torque = map.required_number("torque", effort_quantity(type).within(Range::positive));
  settings.presliding = map.number("presliding", position_quantity(type).within(Range::positive),
                                   settings.presliding);
  if (settings.from >= settings.until) {
    map.error_at("until", "expected a time after 'from', " + format_number(settings.from) + " s");
    return;
  }
  if (!(settings.torque > 0.0)) return;
  scenario.add_force(std::make_shared<JointBrake>(name, settings));
}

MappingSchema brake_schema() {
  const auto positive = [](Dimension dimension) { return Quantity{dimension, Range::positive}; };
  MappingSchema schema("Friction that slows a joint down and then holds it");
  schema.require("joint", text_schema())
      .require("torque", number_schema({positive(Dimension::torque), positive(Dimension::force)},
                                       "Torque or force while it slides, N*m or N"))
      .allow("presliding", number_schema({positive(Dimension::angle), positive(Dimension::length)},
                                         "Deflection at which it yields, rad or m"))
      .allow("from", number_schema({quantity::kTime}, "Time at which it closes, s, default 0"))
      .allow("until", number_schema({quantity::kTime}, "Time at which it opens, s"));
  return schema;
}

}  // namespace

extern const ForceType kBrakeType{"brake", read_brake, brake_schema};

}  // namespace spacedyn::loading
