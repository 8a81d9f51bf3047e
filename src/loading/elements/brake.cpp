#include "loading/elements/force_types.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "loading/yaml/numbers.hpp"
#include "spacedyn/forces/joint_brake.hpp"

namespace spacedyn::loading {
namespace {

using Brake = JointBrake::Settings;

Mapping<Brake> brake_keys() {
  using namespace kind;
  Mapping<Brake> keys("Friction that slows a joint down and then holds it");
  keys.require("joint", &Brake::joint, free_joint());
  keys.require("torque", &Brake::torque,
               joint_number(positive(kJointEffort), "Torque or force while it slides, N*m or N"));
  keys.allow("presliding", &Brake::presliding,
             joint_number(positive(kJointPosition), "Deflection at which it yields, rad or m"));
  keys.allow("from", &Brake::from, number(kTime, "Time at which it closes, s, default 0"));
  keys.allow("until", &Brake::until, number(kTime.or_infinite(), "Time at which it opens, s"));
  keys.allow("start", &Brake::event, event());
  keys.check([](Brake& brake, Reading& reading) {
    if (brake.from < brake.until) return;
    reading.map.error_at("until",
                         "expected a time after 'from', " + format_number(brake.from) + " s");
  });
  return keys;
}

void add_brake(Reading& reading, const std::string& name, Brake& brake) {
  reading.scenario->add_force(std::make_shared<JointBrake>(name, brake));
}

}  // namespace

extern const ForceType kBrakeType = force_type<brake_keys>("brake", add_brake);

}  // namespace spacedyn::loading
