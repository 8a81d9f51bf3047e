#include "spacedyn/forces/joint_stop.hpp"
#include "loading/elements/force_types.hpp"
#include "loading/scenario/shared_keys.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kStopStiffness{Dimension::linear_stiffness, Range::positive};
constexpr Quantity kStopTorsion{Dimension::angular_stiffness, Range::positive};
constexpr Quantity kStopDamping{Dimension::none, Range::not_negative};

void read_joint_stop(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  const auto joint = read_free_joint(scenario, map, {"stiffness", "damping", "limits"});
  if (!joint) return;
  const bool turns = scenario.model->joint(*joint).type == JointType::revolute;
  JointStop::Settings settings;
  settings.joint = *joint;
  settings.stiffness = map.required_number("stiffness", turns ? kStopTorsion : kStopStiffness);
  settings.damping = map.number("damping", kStopDamping, 0.0);
  const auto limits = read_limits(scenario, map, *joint);
  if (!limits || !(settings.stiffness > 0.0)) return;
  settings.lower = limits->first;
  settings.upper = limits->second;
  scenario.add_force(std::make_shared<JointStop>(name, settings));
}

MappingSchema joint_stop_schema() {
  MappingSchema schema("A spring and a damper beyond the limits of a joint");
  schema.require("joint", text_schema())
      .allow("limits", reference_schema("limits"))
      .require("stiffness",
               number_schema({kStopTorsion, kStopStiffness}, "Stiffness, N*m/rad or N/m"))
      .allow("damping", number_schema({kStopDamping}, "Damping, N m s/rad or N s/m, default 0"));
  return schema;
}

}  // namespace

extern const ForceType kJointStopType{"joint_stop", read_joint_stop, joint_stop_schema};

}  // namespace spacedyn::loading
