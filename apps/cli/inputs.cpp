#include "inputs.hpp"

#include <sstream>
#include <utility>

namespace spacedyn::cli {

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

std::vector<Diagnostic> override_diagnostics(const OverrideError& error) {
  const std::string mark = ": error: ";
  std::vector<Diagnostic> diagnostics;
  std::istringstream lines(error.what());
  for (std::string line; std::getline(lines, line);) {
    Diagnostic diagnostic;
    const std::size_t place = line.find(mark);
    if (place != std::string::npos) {
      diagnostic.file = line.substr(0, place);
      line.erase(0, place + mark.size());
    }
    diagnostic.message = line;
    diagnostics.push_back(std::move(diagnostic));
  }
  return diagnostics;
}

void judge_warnings(std::vector<Diagnostic> warnings, bool strict) {
  if (!strict || warnings.empty()) return;
  for (Diagnostic& warning : warnings) warning.severity = Severity::error;
  throw Failure(ExitCode::bad_input, std::move(warnings));
}

LoadedModel read_model(const std::string& path, bool strict, Console& console) {
  LoadedModel loaded = reading(path, [&] { return load_model(path); });
  judge_warnings(loaded.warnings, strict);
  console.show(loaded.warnings, ExitCode::bad_input);
  return loaded;
}

}  // namespace spacedyn::cli
