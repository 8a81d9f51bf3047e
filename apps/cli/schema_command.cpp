#include "commands.hpp"
#include "failure.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/optimization/optimize.hpp"
#include "spacedyn/study/sweep.hpp"
#include "suggestions.hpp"

namespace spacedyn::cli {

ExitCode run_schema(const SchemaOptions& options, Console& console) {
  const std::vector<std::pair<std::string, std::string (*)()>> schemas{
      {"model", model_schema},
      {"scenario", scenario_schema},
      {"sweep", sweep_schema},
      {"fit", fit_schema},
      {"optimize", optimization_schema}};
  std::vector<std::string> kinds;
  std::string text;
  for (const auto& [kind, schema] : schemas) {
    kinds.push_back(kind);
    if (kind == options.kind) text = schema();
  }
  if (text.empty()) {
    throw Failure(ExitCode::wrong_command_line,
                  "there is no schema of '" + options.kind +
                      "'; give model, scenario, sweep, fit or optimize",
                  did_you_mean(options.kind, kinds));
  }
  if (text.back() != '\n') text += '\n';
  console.print_exactly(text);
  return ExitCode::done;
}

}  // namespace spacedyn::cli
