#include "console.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include <unistd.h>

#include "diagnostic_text.hpp"
#include "failure.hpp"
#include "safe_text.hpp"

namespace spacedyn::cli {
namespace {

bool wants_color(ColorMode mode) {
  if (mode != ColorMode::automatic) return mode == ColorMode::always;
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (no_color != nullptr && *no_color != '\0') return false;
  if (terminal != nullptr && std::string_view(terminal) == "dumb") return false;
  return error_is_terminal();
}

void write_error(std::string_view text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));  // nowhere to complain to
}

}  // namespace

bool error_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

Console::Console(ConsoleOptions options) : options_(options), color_(wants_color(options.color)) {}

void Console::print(std::string_view text) const { print_exactly(safe_text(text)); }

void Console::print_exactly(std::string_view text) const {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return;
  throw Failure(ExitCode::output_failed,
                "cannot write to standard output: " + std::generic_category().message(errno));
}

void Console::note(const std::string& text) const {
  if (!options_.quiet && !options_.json) write_error(safe_text(text) + '\n');
}

void Console::detail(const std::string& text) const {
  if (options_.verbose && !options_.json) write_error(safe_text(text) + '\n');
}

void Console::show(const std::vector<Diagnostic>& diagnostics, ExitCode exit_code) {
  std::vector<Diagnostic> shown;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (options_.json) {
      kept_.push_back({diagnostic, exit_code});
      continue;
    }
    if (options_.quiet && diagnostic.severity != Severity::error) continue;
    shown.push_back(diagnostic);
  }
  write_error(diagnostics_text(shown, color_));
}

std::string Console::last_words(const std::string& message) const {
  if (!options_.json) return safe_text(message) + '\n';
  std::vector<CodedDiagnostic> all = kept_;
  Diagnostic last;
  last.message = message;
  all.push_back({last, ExitCode::interrupted});
  return safe_text(diagnostics_json(all));
}

void Console::finish() const {
  if (!kept_.empty()) write_error(safe_text(diagnostics_json(kept_)));
}

}  // namespace spacedyn::cli
