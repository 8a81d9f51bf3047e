#include "loading/elements/force_types.hpp"
#include "loading/keys/schedule.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/forces/applied_loads.hpp"

namespace spacedyn::loading {
namespace {

void read_joint_torque(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  const auto joint =
      read_free_joint(scenario, map, {"torque", "from", "until", "table"}, Spherical::allowed);
  if (!joint) return;
  auto schedule =
      read_schedule(map, {"torque"}, {{effort_quantity(scenario.model->joint(*joint).type)}});
  if (!schedule) return;
  warn_if_idle(scenario, map, *schedule);
  scenario.add_force(std::make_shared<AppliedJointTorque>(name, *joint, std::move(*schedule)));
}

MappingSchema joint_torque_schema() {
  MappingSchema schema("A torque or force on a joint: constant for a while, or a table");
  schema.require("joint", text_schema());
  const std::string effort = number_schema(quantity::kJointEffort, "Torque or force, N*m or N");
  describe_schedule({{"torque", one_or_list_schema(effort)}}, schema);
  return schema;
}

}  // namespace

extern const ForceType kJointTorqueType{"joint_torque", read_joint_torque, joint_torque_schema};

}  // namespace spacedyn::loading
