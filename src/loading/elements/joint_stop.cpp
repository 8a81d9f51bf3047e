#include "spacedyn/forces/joint_stop.hpp"
#include "loading/elements/force_types.hpp"
#include "loading/scenario/shared_keys.hpp"

namespace spacedyn::loading {
namespace {

struct Stop : JointStop::Settings {
  std::pair<double, double> limits;
};

Mapping<Stop> stop_keys() {
  using namespace kind;
  Mapping<Stop> keys("A spring and a damper beyond the limits of a joint");
  keys.require("joint", &Stop::joint, free_joint());
  keys.require("stiffness", &Stop::stiffness,
               joint_number(positive(kJointStiffness), "Stiffness, N*m/rad or N/m"));
  keys.allow("damping", &Stop::damping,
             number(not_negative(kNumber), "Damping, N m s/rad or N s/m, default 0"));
  keys.group(&Stop::limits, limits_key());
  return keys;
}

void add_stop(Reading& reading, const std::string& name, Stop& stop) {
  std::tie(stop.lower, stop.upper) = stop.limits;
  reading.scenario->add_force(std::make_shared<JointStop>(name, stop));
}

}  // namespace

extern const ForceType kJointStopType = force_type<stop_keys>("joint_stop", add_stop);

}  // namespace spacedyn::loading
