#include <filesystem>

#include "commands.hpp"
#include "failure.hpp"
#include "live_run.hpp"
#include "spacedyn/loading/first_flight.hpp"
#include "spacedyn/loading/foreign.hpp"

namespace spacedyn::cli {
namespace {

bool is_scenario(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".yaml" || ending == ".yml" || is_foreign_model(path);
}

/// Options that mean nothing for a result that is there already are refused.
ExitCode view_result(const ViewOptions& options, Console& console) {
  const bool for_runs =
      options.live || !options.run.overrides.empty() || !options.run.duration.empty();
  if (for_runs) {
    throw Failure(ExitCode::wrong_command_line,
                  "a result cannot be run: --live, --duration and --set need a scenario, got '" +
                      options.run.scenario + "'",
                  "scenarios are .yaml files");
  }
  ReportOptions report;
  report.results = {options.run.scenario};
  report.output = options.run.output;
  report.force = options.run.force;
  report.open = !options.no_open;
  return run_report(report, console);
}

}  // namespace

ExitCode run_view(const ViewOptions& options, Console& console) {
  if (!is_scenario(options.run.scenario)) return view_result(options, console);
  if (options.live) return run_live(options, console);
  SimulateOptions run = options.run;
  run.open = !options.no_open;
  return run_simulate(run, console);
}

}  // namespace spacedyn::cli
