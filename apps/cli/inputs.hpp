/// @file
/// Reading input files on behalf of a command: every problem ends in the right exit code.
#pragma once

#include <string>
#include <vector>

#include "console.hpp"
#include "failure.hpp"
#include "spacedyn/loading/evaluation_input.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::cli {

/// The diagnostics of whatever the library throws about this input file.
std::vector<Diagnostic> diagnostics_of(const Error& error, const std::string& path);

/// Calls a function that reads @p path. @throws Failure (3), or (2) for a wrong override
template <typename Read>
auto reading(const std::string& path, const Read& read) {
  try {
    return read();
  } catch (const OverrideError& error) {
    throw Failure(ExitCode::wrong_command_line, error.diagnostics());
  } catch (const Error& error) {
    throw Failure(ExitCode::bad_input, diagnostics_of(error, path));
  }
}

/// With @p strict, makes errors of warnings. @throws Failure (3) if there are any then
void judge_warnings(std::vector<Diagnostic> warnings, bool strict);

/// The path that stands for standard input, and its name in messages.
constexpr const char* kDash = "-";
constexpr const char* kStandardInput = "<stdin>";

/// Text of standard input, up to just above what a file may have; it is read once.
const std::string& standard_input();

/// @throws Failure (2) if standard input is to be several of these files
void refuse_two_inputs(const std::vector<std::string>& files);

/// Whether a file, or standard input for `-`, is a model or a scenario. @throws Failure (3)
FileKind kind_of(const std::string& path);

/// Reads a scenario, from standard input for `-`, and nothing else: warnings are the caller's.
Scenario open_input(const std::string& path, const std::vector<Override>& overrides);

/// Reads a model, from standard input for `-`, judges its warnings and shows them.
LoadedModel read_model(const std::string& path, bool strict, Console& console);

/// The same for a scenario.
Scenario read_scenario(const std::string& path, const std::vector<Override>& overrides, bool strict,
                       Console& console);

/// Reads states of a model from a file, or from standard input for `-`.
EvaluationInputs read_states(const std::string& path, const Model& model);

/// The one state that a command takes; everything zero if the path is empty.
EvaluationInput read_state(const std::string& path, const Model& model);

}  // namespace spacedyn::cli
