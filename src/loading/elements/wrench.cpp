#include "loading/elements/force_types.hpp"
#include "loading/keys/schedule.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/forces/applied_loads.hpp"

namespace spacedyn::loading {
namespace {

struct Wrench {
  Frame at;
  WrenchAxes axes = WrenchAxes::inertial;
  std::optional<TimeTable> schedule;
};

Mapping<Wrench> wrench_keys() {
  using namespace kind;
  Mapping<Wrench> keys("A force and a torque on a point: constant for a while, or a table");
  keys.require("at", &Wrench::at, point());
  keys.allow(
      "frame", &Wrench::axes,
      choice<WrenchAxes>({"inertial", "body"},
                         "Axes of force and torque: inertial (default) or those of the point"));
  keys.group(&Wrench::schedule, schedule_keys({{"force", {3, kForce}, "Force, N"},
                                               {"torque", {3, kTorque}, "Torque, N*m"}}));
  return keys;
}

void add_wrench(Reading& reading, const std::string& name, Wrench& wrench) {
  warn_if_idle(*reading.scenario, reading.map, *wrench.schedule);
  reading.scenario->add_force(
      std::make_shared<AppliedWrench>(name, wrench.at, wrench.axes, *wrench.schedule));
}

}  // namespace

extern const ForceType kWrenchType = force_type<wrench_keys>("wrench", add_wrench);

}  // namespace spacedyn::loading
