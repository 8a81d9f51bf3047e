#include "loading/elements/force_types.hpp"
#include "loading/keys/schedule.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/forces/applied_loads.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kWrenchAxes = {"inertial", "body"};

const std::vector<Quantity> kForceComponents(3, quantity::kForce);
const std::vector<Quantity> kTorqueComponents(3, quantity::kTorque);

void read_wrench(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  const auto at = read_point(scenario, map);
  std::optional<std::size_t> axes = 0;
  if (const auto frame = map.find("frame")) {
    axes = read_choice(*frame, kWrenchAxes, map.problems());
  }
  auto schedule = read_schedule(map, {"force", "torque"}, {kForceComponents, kTorqueComponents});
  if (schedule) warn_if_idle(scenario, map, *schedule);
  if (!at || !axes || !schedule) return;
  scenario.add_force(std::make_shared<AppliedWrench>(name, *at, static_cast<WrenchAxes>(*axes),
                                                     std::move(*schedule)));
}

MappingSchema wrench_schema() {
  MappingSchema schema("A force and a torque on a point: constant for a while, or a table");
  schema.require("at", text_schema("A frame, a link or <link>.com"))
      .allow("frame", choice_schema(kWrenchAxes,
                                    "Axes of force and torque: inertial (default) or "
                                    "those of the point"));
  describe_schedule({{"force", list_schema(number_schema({quantity::kForce}), 3, "Force, N")},
                     {"torque", list_schema(number_schema({quantity::kTorque}), 3, "Torque, N*m")}},
                    schema);
  return schema;
}

}  // namespace

extern const ForceType kWrenchType{"wrench", read_wrench, wrench_schema};

}  // namespace spacedyn::loading
