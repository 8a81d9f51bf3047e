#include "scenario/outcome_warnings.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace spacedyn {
namespace {

/// Momentum and energy of adaptive methods at their default tolerances are kept far better; those
/// of methods with a fixed step fall with a power of the step.
constexpr double kKept = 1e-6, kKeptByFixedSteps = 1e-3;
/// rad or m, by which a joint that a stop holds may be off its limit.
constexpr double kAtLimit = 1e-9;

std::string remedy(bool adaptive) {
  return adaptive ? "smaller tolerances (integrator.relative_tolerance, "
                    "absolute_tolerance) show how much of the motion depends on it"
                  : "half the step (integrator.step) shows how much of the motion "
                    "depends on it";
}

void add_drift(double drift, const std::string& what, bool adaptive,
               std::vector<std::string>& warnings) {
  const double most = adaptive ? kKept : kKeptByFixedSteps;
  // written so that NaN is shown
  if (drift <= most) return;
  warnings.push_back(
      fmt::format("{} is {:.2g}, more than {:g}: {}", what, drift, most, remedy(adaptive)));
}

}  // namespace

std::vector<std::string> outcome_warnings(const Scenario& scenario,
                                          const SimulationResult& result) {
  std::vector<std::string> warnings;
  if (result.limited_by_stability) {
    warnings.push_back("most steps of " +
                       std::string(method_traits(scenario.setup.integrator).name) +
                       " were as short as stability demands, shorter than the tolerance needs: the "
                       "system is stiff; to tolerances of 1e-6 or more rodas is often faster "
                       "(integrator.method)");
  }
  const bool adaptive = is_adaptive(scenario.setup.integrator);
  add_drift(result.audit.momentum_drift(), "the drift of momentum", adaptive, warnings);
  add_drift(result.audit.energy_residual(), "the residual of energy", adaptive, warnings);
  const Model& model = *scenario.setup.model;
  for (int i = 1; i <= model.joint_count(); ++i) {
    const Joint& joint = model.joint(i);
    const double q = result.state.q(i - 1);
    const bool is_upper = q >= joint.position_upper - kAtLimit;
    if (!is_upper && q > joint.position_lower + kAtLimit) continue;
    warnings.push_back(fmt::format("joint '{}' is at or beyond its {} limit at the end", joint.name,
                                   is_upper ? "upper" : "lower"));
  }
  return warnings;
}

}  // namespace spacedyn
