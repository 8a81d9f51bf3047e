#include "spacedyn/diagnostics.hpp"

#include <utility>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

const char* label(Severity severity) {
  if (severity == Severity::error) return "error";
  return severity == Severity::warning ? "warning" : "note";
}

std::string join_errors(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (problem.severity != Severity::error) continue;
    if (!text.empty()) text += '\n';
    text += problem.path.empty() ? problem.message : problem.path + ": " + problem.message;
  }
  return text;
}

std::string join_errors(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity != Severity::error) continue;
    if (!text.empty()) text += '\n';
    text += to_string(diagnostic);
  }
  return text;
}

}  // namespace

ModelError::ModelError(std::vector<Problem> problems)
    : Error(join_errors(problems)), problems_(std::move(problems)) {}
ModelError::~ModelError() = default;

ParseError::ParseError(std::vector<Diagnostic> diagnostics)
    : Error(join_errors(diagnostics)), diagnostics_(std::move(diagnostics)) {}
ParseError::~ParseError() = default;

std::string to_string(const Diagnostic& diagnostic) {
  std::string text = diagnostic.file;
  if (diagnostic.line > 0) {
    text += ':' + std::to_string(diagnostic.line) + ':' + std::to_string(diagnostic.column);
  }
  if (!text.empty()) text += ": ";
  text += label(diagnostic.severity);
  text += ": ";
  if (!diagnostic.path.empty()) text += diagnostic.path + ": ";
  return text + diagnostic.message;
}

// Destructors are defined here so that type information lives in this library alone.
Error::~Error() = default;
DimensionError::~DimensionError() = default;
DomainError::~DomainError() = default;
IoError::~IoError() = default;
NumericalError::~NumericalError() = default;

NumericalError::NumericalError(const std::string& what, double time, long step,
                               std::string quantity)
    : Error(what), time_(time), step_(step), quantity_(std::move(quantity)) {}

}  // namespace spacedyn
