#include "spacedyn/scenario/run_watches.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "scenario/run_outcome.hpp"
#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/recording/run_watches.hpp"

namespace spacedyn {
namespace {

/// Momentum and energy of adaptive methods at their default tolerances are kept far better; those
/// of methods with a fixed step fall with a power of the step.
constexpr double kKept = 1e-6, kKeptByFixedSteps = 1e-3;
/// Part of the energy of a run that a contact may have given without having stored it.
constexpr double kGiven = 1e-3;
/// rad or m, by which a joint that a stop holds may be off its limit.
constexpr double kAtLimit = 1e-9;

std::string remedy(bool adaptive) {
  return adaptive ? "smaller tolerances (integrator.relative_tolerance, "
                    "absolute_tolerance) show how much of the motion depends on it"
                  : "half the step (integrator.step) shows how much of the motion "
                    "depends on it";
}

void add_drift(double drift, const std::string& what, const std::optional<WorstInstant>& worst,
               bool adaptive, std::vector<std::string>& warnings) {
  const double most = adaptive ? kKept : kKeptByFixedSteps;
  // written so that NaN is shown
  if (drift <= most) return;
  const std::string where = worst ? " (" + to_string(*worst) + ')' : std::string();
  warnings.push_back(fmt::format("{} is {:.2g}, more than {:g}{}: {}", what, drift, most, where,
                                 remedy(adaptive)));
}

/// Whether momentum is wrong by more than the tolerance of velocities leaves to the whole mass. Of
/// a robot that stays where it is a drift relative to its momentum is rounding alone.
bool drifts(const Scenario& scenario, const ConservationAudit& audit) {
  const Model& model = *scenario.setup.model;
  const double least =
      model.total_mass() * scenario.setup.integrator.absolute_tolerance.linear_velocity;
  // written so that NaN is shown
  return !(audit.linear_drift() * audit.linear_scale() <= least &&
           audit.angular_drift() * audit.angular_scale() <= least * model_size(model));
}

}  // namespace

std::vector<std::string> outcome_warnings(const Scenario& scenario,
                                          const SimulationResult& result) {
  std::vector<std::string> warnings;
  const bool adaptive = is_adaptive(scenario.setup.integrator);
  const std::string method(method_traits(scenario.setup.integrator).name);
  if (result.limited_by_stability && !adaptive) {
    warnings.push_back(fmt::format(
        "steps of {:g} s are longer than {} can follow, see the events: use a smaller step "
        "(integrator.step), or a method for stiff systems, rodas or time_stepping",
        scenario.setup.integrator.step, method));
  } else if (result.limited_by_stability) {
    warnings.push_back("most steps of " + method +
                       " were as short as stability demands, shorter than the tolerance needs: the "
                       "system is stiff; to tolerances of 1e-6 or more rodas is often faster "
                       "(integrator.method)");
  }
  const ConservationAudit& audit = result.audit;
  if (drifts(scenario, audit)) {
    add_drift(audit.momentum_drift(), "the drift of momentum", audit.worst_momentum(), adaptive,
              warnings);
  }
  add_drift(audit.energy_residual(), "the residual of energy", audit.worst_energy(), adaptive,
            warnings);
  for (const ContactSummary& contact : result.contacts) {
    const auto source =
        std::find_if(result.sources.begin(), result.sources.end(),
                     [&](const SourceBudget& budget) { return budget.name == contact.name; });
    if (contact.is_rigid || source == result.sources.end()) continue;
    const double given = source->start.dissipated - source->end.dissipated;
    const double part = given / audit.energy_scale();
    if (!(part > kGiven)) continue;
    warnings.push_back(
        fmt::format("contact '{}' has given {:.2g} J that it had not stored, {:.2g} of the energy "
                    "of the run: springs of patches depend on the path, with damping or more "
                    "stiffness less so",
                    contact.name, given, part));
  }
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

RunWatches::RunWatches(const Scenario& scenario) : scenario_(scenario) {
  const SimulationSetup& setup = scenario.setup;
  all_.push_back(std::make_unique<ModalRateWatch>(scenario.modal_appendages));
  all_.push_back(std::make_unique<JointRateWatch>(setup.model));
  all_.push_back(std::make_unique<ThrusterWatch>(setup));
  all_.push_back(std::make_unique<ReactionWheelWatch>(setup.model));
  auto events = std::make_unique<EventWatch>(setup);
  auto rotations = std::make_unique<BaseRotationWatch>(setup, scenario.initial);
  events_ = events.get();
  rotations_ = rotations.get();
  all_.push_back(std::move(events));
  all_.push_back(std::move(rotations));
}

void RunWatches::see(const SimulationPoint& point) {
  for (const auto& watch : all_) watch->see(point);
}

std::vector<std::string> RunWatches::warnings(const SimulationResult& result) const {
  std::vector<std::string> texts;
  const auto add = [&](std::vector<std::string> more) {
    std::move(more.begin(), more.end(), std::back_inserter(texts));
  };
  for (const auto& watch : all_) add(watch->warnings());
  add(element_warnings(scenario_.setup, scenario_.initial, result));
  add(outcome_warnings(scenario_, result));
  return texts;
}

std::vector<std::vector<Peak>> RunWatches::peaks() const {
  std::vector<std::vector<Peak>> peaks;
  for (const auto& watch : all_) peaks.push_back(watch->peaks());
  return peaks;
}

void RunWatches::go_on_from(const std::vector<std::vector<Peak>>& earlier) {
  if (earlier.size() != all_.size()) {
    throw DimensionError("the checkpoint holds greatest values of other watches");
  }
  for (std::size_t i = 0; i < all_.size(); ++i) all_[i]->go_on_from(earlier[i]);
}

}  // namespace spacedyn
