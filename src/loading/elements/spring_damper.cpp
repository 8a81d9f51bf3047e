#include "spacedyn/forces/spring_damper.hpp"
#include "loading/elements/force_types.hpp"
#include "loading/keys/fields.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn::loading {
namespace {

using Line = SpringDamper::Settings;

const Fields<Line>& line_fields() {
  static const Fields<Line> kFields = {
      {"stiffness",
       "Stiffness, N/m",
       {Dimension::linear_stiffness, Range::not_negative},
       [](Line& line) -> double& { return line.stiffness; },
       Presence::required},
      {"damping",
       "Damping, N s/m, default 0",
       {Dimension::none, Range::not_negative, false, "N s/m"},
       [](Line& line) -> double& { return line.damping; }},
      {"rest_length", "Length without force, m, default that of the start",
       quantity::kLength.within(Range::not_negative),
       [](Line& line) -> double& { return line.rest_length; }}};
  return kFields;
}

void read_spring_damper(ScenarioReader& scenario, MapReader& map, const std::string& name) {
  const auto pair = scenario.read_pair(map);
  Line settings;
  if (!read_fields(map, line_fields(), settings) || !pair) return;
  if (settings.stiffness == 0.0 && settings.damping == 0.0) {
    map.error_at("stiffness", "expected a stiffness or a damping that is not zero, got zeros");
    return;
  }
  LinkFrames frames(*scenario.model());
  compute_link_frames(*scenario.model(), scenario.initial(), frames);
  const double distance =
      (frame_position(frames, pair->second) - frame_position(frames, pair->first)).norm();
  settings.from = pair->first;
  settings.to = pair->second;
  if (!map.has("rest_length")) settings.rest_length = distance;
  if (distance == 0.0 && settings.rest_length > 0.0 && settings.stiffness > 0.0) {
    map.error_at("rest_length",
                 "expected 0 between points that coincide at the start: a spring "
                 "that is compressed there has no direction, " +
                     quote(pair->first.name) + " and " + quote(pair->second.name) +
                     " are at one place");
    return;
  }
  scenario.add_force(std::make_shared<SpringDamper>(name, settings));
}

MappingSchema spring_damper_schema() {
  MappingSchema schema("A spring and a damper along the line of two points");
  schema.require("from", text_schema("A frame, a link or <link>.com"))
      .require("to", text_schema("A frame, a link or <link>.com of another body"));
  describe_fields(line_fields(), schema);
  return schema;
}

}  // namespace

extern const ForceType kSpringDamperType{"spring_damper", read_spring_damper, spring_damper_schema};

}  // namespace spacedyn::loading
