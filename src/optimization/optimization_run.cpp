#include <algorithm>
#include <cmath>

#include "optimization/evaluator.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/singular_values.hpp"

namespace spacedyn {
namespace {

/// Constraints that are nearer to their limit act on the minimum, in units of their tolerance.
constexpr double kActive = 100.0;
constexpr double kAtBound = 1e-9;  // in scaled variables
constexpr double kRankTolerance = 1e-10;

/// Norm of the gradient of the Lagrangian over free variables, with the multipliers for which it
/// is least.
double lagrangian_norm(Evaluator& evaluator, const OptimizationSettings& settings) {
  const VectorX z = evaluator.best_z();
  const OptimizationPoint point = evaluator.best();
  const MatrixX gradients = evaluator.gradients(z);
  const VectorX lower = evaluator.lower(), upper = evaluator.upper();
  VectorX free = VectorX::Ones(z.size());
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    if (z(i) - lower(i) <= kAtBound || upper(i) - z(i) <= kAtBound) free(i) = 0.0;
  }
  std::vector<Eigen::Index> active;
  for (std::size_t i = 0; i < settings.constraints.size(); ++i) {
    const OptimizationConstraint& own = settings.constraints[i];
    const double value = point.constraints(static_cast<Eigen::Index>(i));
    const double margin = std::min(std::abs(own.upper - value), std::abs(value - own.lower));
    if (margin <= kActive * settings.tolerance * std::max(1.0, std::abs(value))) {
      active.push_back(static_cast<Eigen::Index>(i));
    }
  }
  const VectorX gradient = free.cwiseProduct(gradients.row(0).transpose());
  if (active.empty()) return gradient.norm();
  const auto count = static_cast<Eigen::Index>(active.size());
  MatrixX normals(z.size(), count);
  for (Eigen::Index k = 0; k < count; ++k) {
    normals.col(k) =
        free.cwiseProduct(gradients.row(1 + active[static_cast<std::size_t>(k)]).transpose());
  }
  SingularValues decomposition(static_cast<int>(z.size()), static_cast<int>(count));
  decomposition.matrix() = normals;
  decomposition.decompose_relative(kRankTolerance);
  VectorX multipliers(count);
  decomposition.solve(-gradient, 0.0, multipliers);
  return (gradient + normals * multipliers).norm();
}

/// Instants and channels at most of what pages show.
constexpr int kShownInstants = 400;
constexpr std::size_t kMostCurves = 12;

/// Flies the start and the best point again, for the channels of goals and constraints.
std::vector<OptimizationCurve> fly_curves(const Optimization::Implementation& optimization,
                                          const SearchOptions& options, const VectorX& best) {
  const OptimizationSettings& settings = optimization.settings;
  CollectPlan plan(optimization.family->original());
  std::vector<OptimizationCurve> curves;
  const auto add = [&](SweepCollect collect) {
    std::string channel = collect.channel;
    if (collect.component > 0) channel += ' ' + std::to_string(collect.component);
    const bool is_known =
        std::any_of(curves.begin(), curves.end(),
                    [&](const OptimizationCurve& own) { return own.channel == channel; });
    if (channel.empty() || is_known || curves.size() == kMostCurves) return;
    if (plan.add(collect).empty()) curves.push_back({channel, collect.unit, {}, {}});
  };
  for (const OptimizationGoal& goal : settings.goals) add(goal.collect);
  for (const OptimizationConstraint& constraint : settings.constraints) add(constraint.collect);
  if (curves.empty()) return curves;
  const auto fly = [&](const VectorX& point, OptimizationCurve::Flight OptimizationCurve::*flight) {
    const double duration =
        optimization.family->variant(overrides_of(settings.variables, point)).duration;
    std::vector<double> times;
    for (int i = 0; i <= kShownInstants; ++i) times.push_back(duration * i / kShownInstants);
    Trials trials({*optimization.family, plan, times}, settings.variables, options,
                  [] { return std::pair(0, std::nan("")); });
    const SweepRow row = trials.fly({point}).front();
    for (std::size_t k = 0; k < curves.size(); ++k) {
      OptimizationCurve::Flight& own = curves[k].*flight;
      own.times = times;
      own.values = VectorX::Constant(kShownInstants + 1, std::nan(""));
      if (row.has_failed()) continue;
      for (std::size_t i = 0; i < times.size(); ++i) {
        own.values(static_cast<Eigen::Index>(i)) = row.collected[i * curves.size() + k];
      }
    }
  };
  fly(numbers_of(settings.variables, &ScenarioVariable::start), &OptimizationCurve::start);
  fly(best, &OptimizationCurve::best);
  return curves;
}

}  // namespace

OptimizationResult run_optimization(const Optimization& optimization, const SearchOptions& options,
                                    const std::vector<OptimizationPoint>& known) {
  const OptimizationSettings& settings = optimization.settings();
  Evaluator evaluator(optimization.implementation(), options, known);
  OptimizationResult result;
  const bool takes_gradients =
      settings.method != OptimizationMethod::bobyqa && settings.method != OptimizationMethod::cmaes;
  try {
    if (takes_gradients && settings.derivatives != SearchDerivatives::finite_differences) {
      evaluator.gradients(evaluator.start());
    }
    if (!std::isfinite(evaluator.at(evaluator.start()).objective)) refuse_start(evaluator.why());
    const SearchEnd end =
        settings.method == OptimizationMethod::cmaes   ? minimize_with_cmaes(evaluator, settings)
        : settings.method == OptimizationMethod::ipopt ? minimize_with_ipopt(evaluator, settings)
                                                       : minimize_with_nlopt(evaluator, settings);
    result.gradient_norm = lagrangian_norm(evaluator, settings);
    result.curves = fly_curves(optimization.implementation(), options, evaluator.best().variables);
    result.message = end.message;
    result.converged = end.converged && evaluator.best().violation <= settings.tolerance;
    if (end.converged && !result.converged) {
      result.message = "constraints are violated beyond the tolerance at the end";
    }
  } catch (const SearchInterrupted&) {
    result.interrupted = true;
    result.message = kInterrupted;
    result.gradient_norm = std::nan("");
  }
  result.best = evaluator.best();
  if (result.best.variables.size() == 0) {
    result.best.variables = evaluator.unscaled(evaluator.start());
    result.best.constraints =
        VectorX::Constant(static_cast<Eigen::Index>(settings.constraints.size()), std::nan(""));
  }
  result.evaluations = evaluator.history();
  result.derivatives = evaluator.derivatives().text();
  result.progress = evaluator.progress();
  return result;
}

}  // namespace spacedyn
