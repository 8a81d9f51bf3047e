/// @file
/// Everything the program says: results on standard output, all else on standard error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exit_codes.hpp"
#include "spacedyn/diagnostics.hpp"

namespace spacedyn::cli {

enum class ColorMode { automatic, always, never };

/// A problem and the kind of failure it belongs to.
struct CodedDiagnostic {
  Diagnostic diagnostic;
  ExitCode exit_code = ExitCode::bad_input;
};

/// How much to say and in which form.
struct ConsoleOptions {
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  ColorMode color = ColorMode::automatic;
};

/// The two output streams of the program.
class Console {
 public:
  explicit Console(ConsoleOptions options = {});

  const ConsoleOptions& options() const { return options_; }

  /// Writes a result to standard output at once, names in it made safe for a terminal.
  /// @throws Failure (6) if it cannot be written
  void print(std::string_view text) const;
  /// The same for what is meant for a file: not a byte is changed.
  void print_exactly(std::string_view text) const;
  /// A remark on standard error, left out by `--quiet` and `--json`.
  void note(const std::string& text) const;
  /// A remark on standard error that only `--verbose` asks for.
  void detail(const std::string& text) const;

  /// Problems on standard error as text with carets; with `--json` they are kept for finish().
  void show(const std::vector<Diagnostic>& diagnostics, ExitCode exit_code);
  /// What a program that is ended in the middle of its work writes to standard error; with `--json`
  /// all problems so far, too.
  std::string last_words(const std::string& message) const;
  /// With `--json`, writes all problems to standard error as one array; nothing if there are none.
  void finish() const;

 private:
  ConsoleOptions options_;
  bool color_ = false;  // on standard error
  std::vector<CodedDiagnostic> kept_;
};

/// Whether standard error is a terminal.
bool error_is_terminal();

}  // namespace spacedyn::cli
