#include <fmt/format.h>

#include "commands.hpp"
#include "inputs.hpp"
#include "linear_answer.hpp"
#include "result_report.hpp"
#include "simulation_run.hpp"
#include "spacedyn/model/joint_traits.hpp"

namespace spacedyn::cli {
namespace {

std::string place_text(const Vector3& vector) {
  return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", vector.x(), vector.y(), vector.z());
}

std::string equilibrium_text(const Scenario& scenario, const Equilibrium& found) {
  const Model& model = *scenario.setup.model;
  std::string text =
      fmt::format("{}: in equilibrium after {} steps\n", scenario.name, found.iterations);
  text += fmt::format("  largest unbalanced force  {:.3g} N or N m, {:.1g} of the weight\n",
                      found.residual, found.residual / found.weight);
  if (scenario.setup.base_mode == BaseMode::floating) {
    text += "  base position             " + place_text(found.state.r_0) + " m\n";
  }
  for (const int i : model.coordinates()) {
    text += fmt::format("  {:<25} {:.9g} {}\n", model.joint(i).name, found.state.q(i - 1),
                        coordinate_units(model.joint(i).type).position);
  }
  return text;
}

}  // namespace

ExitCode run_equilibrium(const EquilibriumOptions& options, Console& console) {
  const Scenario scenario =
      read_scenario(options.scenario, parse_overrides(options.overrides), options.strict, console);
  const Equilibrium found = reading(options.scenario, [&] {
    return scenario.equilibrium ? *scenario.equilibrium
                                : find_equilibrium(scenario.setup, scenario.initial);
  });
  if (!found.found) {
    throw Failure(ExitCode::bad_input,
                  fmt::format("'{}' has no equilibrium near its start: {} is out of balance by "
                              "{:.6g} N or N m",
                              scenario.name, found.unbalanced, found.residual));
  }
  if (!console.options().json) {
    console.print(equilibrium_text(scenario, found));
    return ExitCode::done;
  }
  Json json;
  json["scenario"] = scenario.name;
  json["state"] = state_json(*scenario.setup.model, found.state);
  json["state"]["joint_order"] = Json::array();
  for (const int i : scenario.setup.model->coordinates()) {
    json["state"]["joint_order"].push_back(scenario.setup.model->joint(i).name);
  }
  json["residual"] = found.residual;
  json["iterations"] = found.iterations;
  console.print(json_text(json));
  return ExitCode::done;
}

}  // namespace spacedyn::cli
