#include "commands.hpp"
#include "evaluation_json.hpp"
#include "inputs.hpp"

namespace spacedyn::cli {
ExitCode run_evaluate(const EvaluateOptions& options, Console& console) {
  const LoadedModel loaded = read_model(options.model, options.strict, console);
  const Model& model = *loaded.model;
  const std::string& path = options.state;
  const EvaluationInputs inputs = read_states(path, model);

  Json answers = Json::array();
  for (const EvaluationInput& input : inputs.states) {
    answers.push_back(reading(options.model, [&] { return evaluation_json(model, input); }));
  }
  console.print(json_text(inputs.is_list ? answers : answers.front()));
  return ExitCode::done;
}

}  // namespace spacedyn::cli
