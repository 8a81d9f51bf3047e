#include "loading/elements/force_types.hpp"
#include "loading/keys/schedule.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/forces/applied_loads.hpp"

namespace spacedyn::loading {
namespace {

struct JointTorque {
  int joint = 0;
  std::optional<TimeTable> schedule;
};

Mapping<JointTorque> joint_torque_keys() {
  Mapping<JointTorque> keys("A torque or force on a joint: constant for a while, or a table");
  keys.require("joint", &JointTorque::joint, kind::free_joint(Spherical::allowed));
  keys.group(
      &JointTorque::schedule,
      schedule_keys({{"torque", quantity::kJointEffort, "Torque or force, N*m or N", {}, true}}));
  return keys;
}

void add_joint_torque(Reading& reading, const std::string& name, JointTorque& torque) {
  warn_if_idle(*reading.scenario, reading.map, *torque.schedule);
  reading.scenario->add_force(
      std::make_shared<AppliedJointTorque>(name, torque.joint, *torque.schedule));
}

}  // namespace

extern const ForceType kJointTorqueType =
    force_type<joint_torque_keys>("joint_torque", add_joint_torque);

}  // namespace spacedyn::loading
