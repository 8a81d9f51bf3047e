#include "inputs.hpp"
#include "linear_answer.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/function_force.hpp"

namespace spacedyn::cli {
namespace {

/// The loads of a state file as elements: they stay as they are when the state changes.
ForcedSystem system_of(const std::shared_ptr<const Model>& model, const EvaluationInput& input) {
  ForcedSystem system;
  system.model = model;
  system.gravity = input.loads.gravity;
  const Vector6 F_b = input.loads.F_b;
  const VectorX tau = input.loads.tau;
  system.forces.push_back(
      std::make_shared<FunctionForce>("given", [F_b, tau](const EvaluationContext&, Loads& loads) {
        loads.F_b += F_b;
        loads.tau += tau;
      }));
  for (const PointWrench& wrench : input.wrenches) {
    VectorX values(6);
    values << wrench.force, wrench.torque;
    system.forces.push_back(std::make_shared<AppliedWrench>(
        "wrench", wrench.at, WrenchAxes::inertial, TimeTable::constant(values)));
  }
  return system;
}

}  // namespace

LinearAnswer linearize_model(const LinearizeOptions& options, Console& console) {
  if (!options.times.empty() || !options.overrides.empty()) {
    throw Failure(
        ExitCode::wrong_command_line,
        "options '--time' and '--set' are for scenarios, and '" + options.file + "' is a model");
  }
  const LoadedModel loaded = read_model(options.file, options.strict, console);
  const EvaluationInput input = read_state(options.state, *loaded.model);
  const ForcedSystem system = system_of(loaded.model, input);
  const Linearization linear = reading(
      options.file, [&] { return linearize(system, input.state, 0.0, input.acceleration); });
  return {loaded.model->name(), loaded.model, {{input.state, linear}}};
}

}  // namespace spacedyn::cli
