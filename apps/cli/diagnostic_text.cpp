#include "diagnostic_text.hpp"

#include <algorithm>
#include <string_view>

#include <nlohmann/json.hpp>

namespace spacedyn::cli {
namespace {

constexpr std::size_t kMaxWidth = 160;  // longer lines are cut to the part around the column

constexpr const char* kBold = "\x1b[1m";
constexpr const char* kRed = "\x1b[1;31m";
constexpr const char* kYellow = "\x1b[1;35m";
constexpr const char* kGreen = "\x1b[1;32m";
constexpr const char* kPlain = "\x1b[0m";

std::string paint(const std::string& text, const char* code, bool color) {
  return color ? code + text + kPlain : text;
}

/// Without control characters, which could do harm in a terminal; tabs become one space.
std::string printable(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c == '\t') c = ' ';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return result;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// The source line and, below it, a caret; empty where either is unknown.
std::string excerpt(const Diagnostic& diagnostic, bool color) {
  if (diagnostic.source_line.empty() || diagnostic.column < 1) return {};
  std::string line = printable(diagnostic.source_line);
  std::size_t column = std::min(static_cast<std::size_t>(diagnostic.column - 1), line.size());
  if (line.size() > kMaxWidth) {
    std::size_t from = column > kMaxWidth / 2 ? column - kMaxWidth / 2 : 0;
    while (from > 0 && is_continuation(line[from])) --from;
    line = line.substr(from, kMaxWidth);
    column -= from;
  }
  // characters, not bytes, decide where the caret stands
  const auto end = line.begin() + static_cast<std::ptrdiff_t>(column);
  const auto width = std::count_if(line.begin(), end, [](char c) { return !is_continuation(c); });
  return "  " + line + "\n  " + std::string(static_cast<std::size_t>(width), ' ') +
         paint("^", kGreen, color) + '\n';
}

std::string place(const Diagnostic& diagnostic) {
  if (diagnostic.file.empty()) return "spacedyn: ";
  std::string text = diagnostic.file + ':';
  if (diagnostic.line > 0) {
    text += std::to_string(diagnostic.line) + ':' + std::to_string(diagnostic.column) + ':';
  }
  return text + ' ';
}

std::string message(const Diagnostic& diagnostic) {
  return diagnostic.path.empty() ? diagnostic.message : diagnostic.path + ": " + diagnostic.message;
}

const char* label(Severity severity) { return severity == Severity::error ? "error" : "warning"; }

const char* code(ExitCode exit_code) {
  switch (exit_code) {
    case ExitCode::done:
      return "input";
    case ExitCode::internal_error:
      return "internal";
    case ExitCode::wrong_command_line:
      return "command_line";
    case ExitCode::bad_input:
      return "input";
    case ExitCode::integration_failed:
      return "integration";
    case ExitCode::check_failed:
      return "check";
    case ExitCode::output_failed:
      return "output";
    case ExitCode::interrupted:
      return "interrupted";
  }
  return "";
}

}  // namespace

std::string diagnostic_text(const Diagnostic& diagnostic, bool color) {
  const bool is_error = diagnostic.severity == Severity::error;
  std::string text = paint(printable(place(diagnostic)), kBold, color);
  text += paint(std::string(label(diagnostic.severity)) + ": ", is_error ? kRed : kYellow, color);
  text += printable(message(diagnostic)) + '\n' + excerpt(diagnostic, color);
  if (!diagnostic.hint.empty()) {
    text += paint("hint: ", kBold, color) + printable(diagnostic.hint) + '\n';
  }
  return text;
}

std::string diagnostics_json(const std::vector<CodedDiagnostic>& diagnostics) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const auto& [diagnostic, exit_code] : diagnostics) {
    list.push_back({{"file", diagnostic.file},
                    {"line", diagnostic.line},
                    {"col", diagnostic.column},
                    {"severity", label(diagnostic.severity)},
                    {"code", code(exit_code)},
                    {"message", message(diagnostic)},
                    {"hint", diagnostic.hint}});
  }
  return list.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace spacedyn::cli
