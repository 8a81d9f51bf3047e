#include "commands.hpp"
#include "info.hpp"
#include "inputs.hpp"
#include "json.hpp"

namespace spacedyn::cli {

ExitCode run_info(const InfoOptions& options, Console& console) {
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
