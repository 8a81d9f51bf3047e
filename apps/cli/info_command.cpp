#include "commands.hpp"
#include "info.hpp"
#include "inputs.hpp"
#include "json.hpp"
#include "result_report.hpp"

namespace spacedyn::cli {

ExitCode run_info(const InfoOptions& options, Console& console) {
  if (is_result(options.model)) {
    if (console.options().json || options.paper_notation || options.matrices) {
      throw Failure(ExitCode::wrong_command_line,
                    "options '--json', '--spacedyn' and '--matrices' are for models, and '" +
                        options.model + "' is a result");
    }
    console.print(result_text(options.model));
    return ExitCode::done;
  }
  const LoadedModel loaded = read_model(options.model, options.strict, console);
  const Model& model = *loaded.model;
  if (console.options().json) {
    console.print(json_text(info_json(model)));
  } else if (options.paper_notation) {
    console.print(info_paper(model));
  } else {
    console.print(info_text(model, options.matrices));
  }
  return ExitCode::done;
}

}  // namespace spacedyn::cli
