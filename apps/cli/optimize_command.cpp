#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "commands.hpp"
#include "interrupt.hpp"
#include "search_watcher.hpp"
#include "simulation_run.hpp"
#include "spacedyn/optimization/optimize.hpp"

namespace spacedyn::cli {
namespace {

std::string optimization_text(const Optimization& optimization, const OptimizationResult& result) {
  const OptimizationSettings& settings = optimization.settings();
  std::string text =
      fmt::format("{}: objective {:.8g} after {} evaluations, {} flights, {:.3g} s; {}\n",
                  settings.name, result.best.objective, result.evaluations.size(),
                  result.progress.flights, result.progress.wall_seconds, result.message);
  std::size_t width = 0;
  for (const ScenarioVariable& own : settings.variables) width = std::max(width, own.key.size());
  for (std::size_t j = 0; j < settings.variables.size(); ++j) {
    const ScenarioVariable& own = settings.variables[j];
    text += fmt::format("  {:<{}}  {:>14.8g} {}\n", own.key, width,
                        result.best.variables(static_cast<Eigen::Index>(j)), own.unit);
  }
  for (std::size_t i = 0; i < settings.constraints.size(); ++i) {
    const OptimizationConstraint& own = settings.constraints[i];
    const double value = result.best.constraints(static_cast<Eigen::Index>(i));
    text += fmt::format("  constraint {}: {:.8g}, violated by {:.2g}\n", own.label(), value,
                        own.violation(value));
  }
  const bool has_gradients =
      settings.method == OptimizationMethod::slsqp || settings.method == OptimizationMethod::mma;
  return has_gradients ? text + "derivatives are " + result.derivatives + '\n' : text;
}

}  // namespace

ExitCode run_optimize_command(const SearchCommandOptions& options, Console& console) {
  const std::vector<Override> overrides = parse_overrides(options.overrides);
  const Optimization optimization =
      reading(options.file, [&] { return Optimization::load(options.file, overrides); });
  judge_warnings(optimization.warnings(), options.strict);
  console.show(optimization.warnings(), ExitCode::bad_input);
  SearchFolder folder(options, optimization.settings().name);
  SearchWatcher watcher(console, options, "objective");
  catch_interrupts();
  const OptimizationResult result = searching(options, [&] {
    std::vector<OptimizationPoint> known;
    if (options.resume) known = read_trials(folder.path(), optimization);
    return run_optimization(optimization, {options.threads, &watcher}, known);
  });
  watcher.clear();
  const std::vector<std::string> files = folder.take(
      [&](const std::string& path) { return write_optimization(path, optimization, result); });
  if (console.options().json) {
    console.print(optimization_summary(optimization, result, files));
  } else if (!console.options().quiet) {
    console.print(optimization_text(optimization, result) + written_text(options, files, files[3]));
  }
  return exit_code_of(result);
}

}  // namespace spacedyn::cli
