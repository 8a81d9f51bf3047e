#include <algorithm>

#include <fmt/format.h>

#include "loading/keys/time_series.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"

namespace spacedyn::loading {
namespace {

void refuse_motion(ScenarioContext& scenario, const Starts& starts) {
  const auto refuse = [&](const std::optional<Value>& given, const char* what) {
    if (!given) return;
    scenario.problems().error(
        *given, std::string("expected no ") + what + " here, got one: an equilibrium is at rest");
  };
  refuse(starts.base.velocity, "velocity");
  refuse(starts.base.angular_velocity, "angular velocity");
  for (const auto& [joint, start] : starts.joints) refuse(start.velocity, "velocity");
  if (starts.momentum) refuse(starts.momentum->place, "momentum");
}

}  // namespace

void read_equilibrium(ScenarioContext& scenario, MapReader& map) {
  const auto place = map.find("equilibrium");
  if (!place) return;
  if (scenario.is_robot) {
    map.error_at("equilibrium",
                 "expected no key here, got one: with several robots it stands in the scenario's "
                 "own 'initial'");
    return;
  }
  if (!map.boolean("equilibrium", false)) return;
  scenario.starts.equilibrium = *place;
  if (map.boolean("assemble", false)) {
    map.error_at("assemble", "expected false, got true: an equilibrium begins on the loops");
  }
}

void start_in_equilibrium(ScenarioContext& scenario) {
  if (!scenario.starts.equilibrium || !scenario.model) return;
  refuse_motion(scenario, scenario.starts);
  for (const RobotStart& robot : scenario.robots) refuse_motion(scenario, robot.starts);
  if (scenario.problems().has_errors()) return;
  const Value& place = *scenario.starts.equilibrium;
  const std::vector<int> held = scenario.starts.assembly.held.value_or(std::vector<int>());
  guard(place, scenario.problems(), [&] {
    Equilibrium found = find_equilibrium(scenario.setup(), scenario.initial(), held);
    if (!found.found) {
      scenario.problems().error(
          place,
          fmt::format("expected a place where nothing accelerates, got none: {} is out of balance "
                      "by {:.6g} N or N m",
                      found.unbalanced, found.residual));
      return;
    }
    const VectorX z = scenario.initial().z;
    scenario.initial() = found.state;
    scenario.initial().z = z;  // elements set theirs at the start of a run
    scenario.result.equilibrium = std::move(found);
  });
}

}  // namespace spacedyn::loading
