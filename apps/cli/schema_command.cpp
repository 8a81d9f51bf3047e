#include "commands.hpp"
#include "failure.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "suggestions.hpp"

namespace spacedyn::cli {

ExitCode run_schema(const SchemaOptions& options, Console& console) {
  if (options.kind != "model" && options.kind != "scenario") {
    throw Failure(ExitCode::wrong_command_line,
                  "there is no schema of '" + options.kind + "'; give model or scenario",
                  did_you_mean(options.kind, {"model", "scenario"}));
  }
  std::string text = options.kind == "model" ? model_schema() : scenario_schema();
  if (text.empty() || text.back() != '\n') text += '\n';
  console.print_exactly(text);
  return ExitCode::done;
}

}  // namespace spacedyn::cli
