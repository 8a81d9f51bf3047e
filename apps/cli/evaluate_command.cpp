#include <array>
#include <iostream>

#include "commands.hpp"
#include "evaluation_json.hpp"
#include "inputs.hpp"

namespace spacedyn::cli {
namespace {

constexpr const char* kStandardInput = "<stdin>";

/// Everything that stands on standard input, up to just above what a file may have.
std::string read_standard_input() {
  std::string text;
  std::array<char, 4096> piece{};
  while (text.size() <= kMaxFileSize && std::cin.read(piece.data(), piece.size()).gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(std::cin.gcount()));
  }
  return text;
}

EvaluationInputs read_states(const std::string& path, const Model& model) {
  if (path != "-") return load_evaluation_inputs(path, model);
  return parse_evaluation_inputs(read_standard_input(), kStandardInput, model);
}

}  // namespace

ExitCode run_evaluate(const EvaluateOptions& options, Console& console) {
  const LoadedModel loaded = read_model(options.model, options.strict, console);
  const Model& model = *loaded.model;
  const std::string& path = options.state;
  const EvaluationInputs inputs = reading(path, [&] { return read_states(path, model); });

  Json answers = Json::array();
  for (const EvaluationInput& input : inputs.states) {
    answers.push_back(reading(options.model, [&] { return evaluation_json(model, input); }));
  }
  console.print(json_text(inputs.is_list ? answers : answers.front()));
  return ExitCode::done;
}

}  // namespace spacedyn::cli
