#include "inputs.hpp"

#include <algorithm>
#include <array>
#include <iostream>
#include <utility>

#include "spacedyn/loading/foreign.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::cli {
namespace {

std::string read_standard_input() {
  std::string text;
  std::array<char, 4096> piece{};
  while (text.size() <= kMaxFileSize && std::cin.read(piece.data(), piece.size()).gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(std::cin.gcount()));
  }
  return text;
}

LoadedModel load_any_model(const std::string& path) {
  return path == kDash ? parse_model(standard_input(), kStandardInput) : load_model(path);
}

}  // namespace

const std::string& standard_input() {
  static const std::string text = read_standard_input();
  return text;
}

void refuse_two_inputs(const std::vector<std::string>& files) {
  if (std::count(files.begin(), files.end(), kDash) < 2) return;
  throw Failure(ExitCode::wrong_command_line,
                "standard input can be one file, but '-' stands for several of them");
}

FileKind kind_of(const std::string& path) {
  return reading(path, [&] {
    return path == kDash ? text_kind(standard_input(), kStandardInput) : file_kind(path);
  });
}

Scenario open_input(const std::string& path, const std::vector<Override>& overrides) {
  return path == kDash ? parse_scenario(standard_input(), kStandardInput, overrides)
                       : open_scenario(path, overrides);
}

std::vector<Diagnostic> diagnostics_of(const Error& error, const std::string& path) {
  if (const auto* parse_error = dynamic_cast<const ParseError*>(&error)) {
    return parse_error->diagnostics();
  }
  Diagnostic diagnostic;
  diagnostic.message = error.what();
  const std::string prefix = path + ": ";
  if (diagnostic.message.compare(0, prefix.size(), prefix) == 0) {
    diagnostic.message.erase(0, prefix.size());
    diagnostic.file = path;
  } else if (dynamic_cast<const IoError*>(&error) == nullptr) {
    diagnostic.file = path;  // else the message names the file, which may be another one
  }
  return {diagnostic};
}

void judge_warnings(std::vector<Diagnostic> warnings, bool strict) {
  const auto is_note = [](const Diagnostic& found) { return found.severity == Severity::note; };
  warnings.erase(std::remove_if(warnings.begin(), warnings.end(), is_note), warnings.end());
  if (!strict || warnings.empty()) return;
  for (Diagnostic& warning : warnings) warning.severity = Severity::error;
  throw Failure(ExitCode::bad_input, std::move(warnings));
}

LoadedModel read_model(const std::string& path, bool strict, Console& console) {
  LoadedModel loaded = reading(path, [&] { return load_any_model(path); });
  judge_warnings(loaded.warnings, strict);
  console.show(loaded.warnings, ExitCode::bad_input);
  return loaded;
}

Scenario read_scenario(const std::string& path, const std::vector<Override>& overrides, bool strict,
                       Console& console) {
  Scenario scenario = reading(path, [&] { return open_input(path, overrides); });
  judge_warnings(scenario.warnings, strict);
  console.show(scenario.warnings, ExitCode::bad_input);
  console.show(scenario.remarks, ExitCode::done);
  return scenario;
}

EvaluationInputs read_states(const std::string& path, const Model& model) {
  return reading(path, [&] {
    if (path != kDash) return load_evaluation_inputs(path, model);
    return parse_evaluation_inputs(standard_input(), kStandardInput, model);
  });
}

EvaluationInput read_state(const std::string& path, const Model& model) {
  if (path.empty()) return {State(model), VectorX::Zero(model.velocity_size()), Loads(model)};
  const EvaluationInputs inputs = read_states(path, model);
  if (inputs.states.size() == 1) return inputs.states.front();
  throw Failure(
      ExitCode::bad_input,
      "'" + path + "' holds " + std::to_string(inputs.states.size()) + " states, expected one");
}

}  // namespace spacedyn::cli
