#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "commands.hpp"
#include "interrupt.hpp"
#include "search_watcher.hpp"
#include "simulation_run.hpp"
#include "spacedyn/optimization/fit.hpp"

namespace spacedyn::cli {
namespace {

/// Warns of parameters that the data do not determine.
std::vector<Diagnostic> warnings_of(const Fit& fit, const FitResult& result) {
  std::string names;
  for (const std::size_t j : result.undetermined) {
    names += (names.empty() ? "" : ", ") + fit.settings().parameters[j].key;
  }
  if (names.empty()) return {};
  Diagnostic warning;
  warning.severity = Severity::warning;
  warning.message = "the data do not determine " + names +
                    ": changes of them together leave all samples as they are";
  warning.hint = "give a prior, other data, or leave one of them out";
  return {warning};
}

std::string fit_text(const Fit& fit, const FitResult& result) {
  std::string text =
      fmt::format("{}: cost {:.6g} after {} iterations, {} flights, {:.3g} s; {}\n",
                  fit.settings().name, result.cost, result.progress.iterations,
                  result.progress.flights, result.progress.wall_seconds, result.message);
  std::size_t width = 0;
  for (const ScenarioVariable& own : fit.settings().parameters) {
    width = std::max(width, own.key.size());
  }
  for (std::size_t j = 0; j < fit.settings().parameters.size(); ++j) {
    const ScenarioVariable& own = fit.settings().parameters[j];
    const auto at = static_cast<Eigen::Index>(j);
    const double deviation = result.standard_deviations(at);
    text += fmt::format("  {:<{}}  {:>14.8g}  {}  {}\n", own.key, width, result.values(at),
                        std::isfinite(deviation) ? fmt::format("± {:<10.3g}", deviation)
                        : std::isinf(deviation)  ? "not determined"
                                                 : "± unknown   ",
                        own.unit);
  }
  for (std::size_t k = 0; k < fit.settings().columns.size(); ++k) {
    const FitColumn& column = fit.settings().columns[k];
    const VectorX data = Eigen::Map<const VectorX>(column.values.data(), result.model[k].size());
    text += fmt::format("  rms of {}: {:.4g} {} in {} samples\n", column.name,
                        std::sqrt((result.model[k] - data).squaredNorm() /
                                  static_cast<double>(column.values.size())),
                        column.unit, column.values.size());
  }
  text += "derivatives are " + result.derivatives + '\n';
  return text;
}

}  // namespace

ExitCode run_fit_command(const SearchCommandOptions& options, Console& console) {
  const std::vector<Override> overrides = parse_overrides(options.overrides);
  const Fit fit = reading(options.file, [&] { return Fit::load(options.file, overrides); });
  judge_warnings(fit.warnings(), options.strict);
  console.show(fit.warnings(), ExitCode::bad_input);
  SearchFolder folder(options, fit.settings().name);
  SearchWatcher watcher(console, options, "cost");
  catch_interrupts();
  const FitResult result = searching(options, [&] {
    return run_fit(fit, {options.threads, &watcher});
  });
  watcher.clear();
  const std::vector<Diagnostic> warnings = warnings_of(fit, result);
  judge_warnings(warnings, options.strict);
  console.show(warnings, ExitCode::bad_input);
  const std::vector<std::string> files =
      folder.take([&](const std::string& path) { return write_fit(path, fit, result); });
  if (console.options().json) {
    console.print(fit_summary(fit, result, files));
  } else if (!console.options().quiet) {
    console.print(fit_text(fit, result) + written_text(options, files, files[3]));
  }
  return exit_code_of(result);
}

}  // namespace spacedyn::cli
