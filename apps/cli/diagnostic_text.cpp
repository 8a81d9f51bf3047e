#include "diagnostic_text.hpp"

#include <algorithm>
#include <string_view>

#include "json.hpp"
#include "safe_text.hpp"

namespace spacedyn::cli {
namespace {

constexpr std::size_t kMaxWidth = 160;  // longer lines are cut to the part around the column

/// So many diagnostics that say the same are shown as one, with the lines of the others.
constexpr std::size_t kFewestAlike = 3;
constexpr std::size_t kMostLines = 10;

constexpr const char* kBold = "\x1b[1m";
constexpr const char* kRed = "\x1b[1;31m";
constexpr const char* kYellow = "\x1b[1;35m";
constexpr const char* kGreen = "\x1b[1;32m";
constexpr const char* kPlain = "\x1b[0m";

std::string paint(const std::string& text, const char* code, bool color) {
  return color ? code + text + kPlain : text;
}

/// Safe for a terminal and on one line; tabs become one space.
std::string printable(std::string_view text) {
  std::string result(text);
  std::replace(result.begin(), result.end(), '\t', ' ');
  std::replace(result.begin(), result.end(), '\n', ' ');
  return safe_text(result);
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Where the character of a number, from 0, begins.
std::size_t byte_of_character(std::string_view line, int number) {
  std::size_t i = 0;
  for (; i < line.size(); ++i) {
    if (!is_continuation(line[i]) && number-- == 0) break;
  }
  return i;
}

/// The source line and, below it, a caret; empty where either is unknown.
std::string excerpt(const Diagnostic& diagnostic, bool color) {
  if (diagnostic.source_line.empty() || diagnostic.column < 1) return {};
  std::string line = diagnostic.source_line;
  std::size_t place = byte_of_character(line, diagnostic.column - 1);
  if (line.size() > kMaxWidth) {
    std::size_t from = place > kMaxWidth / 2 ? place - kMaxWidth / 2 : 0;
    while (from > 0 && is_continuation(line[from])) --from;
    std::size_t to = std::min(from + kMaxWidth, line.size());
    while (to < line.size() && is_continuation(line[to])) ++to;
    line = line.substr(from, to - from);
    place -= from;
  }
  // what is escaped is wider than what it stands for
  const std::string before = printable(line.substr(0, place));
  const auto width =
      std::count_if(before.begin(), before.end(), [](char c) { return !is_continuation(c); });
  return "  " + before + printable(line.substr(place)) + "\n  " +
         std::string(static_cast<std::size_t>(width), ' ') + paint("^", kGreen, color) + '\n';
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

const char* label(Severity severity) {
  if (severity == Severity::error) return "error";
  return severity == Severity::warning ? "warning" : "note";
}

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
    case ExitCode::out_of_memory:
      return "memory";
    case ExitCode::interrupted:
      return "interrupted";
  }
  return "";
}

bool says_the_same(const Diagnostic& a, const Diagnostic& b) {
  return a.severity == b.severity && a.file == b.file && a.message == b.message &&
         a.hint == b.hint && a.line > 0 && b.line > 0;
}

/// Where a diagnostic stands besides.
std::string other_lines(const std::vector<int>& lines) {
  std::string text = "  the same at line";
  text += lines.size() == 1 ? " " : "s ";
  const std::size_t shown = std::min(lines.size(), kMostLines);
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + std::to_string(lines[i]);
  if (lines.size() > shown) text += " and at " + std::to_string(lines.size() - shown) + " others";
  return text + '\n';
}

}  // namespace

std::string diagnostics_text(const std::vector<Diagnostic>& diagnostics, bool color) {
  std::string text;
  std::vector<bool> told(diagnostics.size(), false);
  for (std::size_t i = 0; i < diagnostics.size(); ++i) {
    if (told[i]) continue;
    text += diagnostic_text(diagnostics[i], color);
    std::vector<std::size_t> others;
    for (std::size_t k = i + 1; k < diagnostics.size(); ++k) {
      if (says_the_same(diagnostics[i], diagnostics[k])) others.push_back(k);
    }
    if (others.size() + 1 < kFewestAlike) continue;
    std::vector<int> lines;
    for (const std::size_t k : others) {
      told[k] = true;
      if (lines.empty() || lines.back() != diagnostics[k].line)
        lines.push_back(diagnostics[k].line);
    }
    text += other_lines(lines);
  }
  return text;
}

std::string diagnostic_text(const Diagnostic& diagnostic, bool color) {
  const char* paint_of_label = diagnostic.severity == Severity::error     ? kRed
                               : diagnostic.severity == Severity::warning ? kYellow
                                                                          : kGreen;
  std::string text = paint(printable(place(diagnostic)), kBold, color);
  text += paint(std::string(label(diagnostic.severity)) + ": ", paint_of_label, color);
  text += printable(message(diagnostic)) + '\n' + excerpt(diagnostic, color);
  if (!diagnostic.hint.empty()) {
    text += paint("hint: ", kBold, color) + printable(diagnostic.hint) + '\n';
  }
  return text;
}

std::string diagnostics_json(const std::vector<CodedDiagnostic>& diagnostics) {
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
