#include "commands.hpp"
#include "evaluation_json.hpp"
#include "inputs.hpp"

namespace spacedyn::cli {
ExitCode run_evaluate(const EvaluateOptions& options, Console& console) {
  refuse_two_inputs({options.model, options.state});
  const LoadedModel loaded = read_model(options.model, options.strict, console);
  const Model& model = *loaded.model;
  const std::string& path = options.state;
  const EvaluationInputs inputs = read_states(path, model);

  const auto answer = [&](const EvaluationInput& input) {
    return reading(options.model, [&] { return evaluation_json(model, input); });
  };
  if (!inputs.is_list) {
    console.print(json_text(answer(inputs.states.front())));
    return ExitCode::done;
  }
  // one by one, for an answer is a hundred times as long as its state
  console.print("[");
  const char* separator = "\n";
  for (const EvaluationInput& input : inputs.states) {
    console.print(separator + json_item_text(answer(input)));
    separator = ",\n";
  }
  console.print("\n]\n");
  return ExitCode::done;
}

}  // namespace spacedyn::cli
