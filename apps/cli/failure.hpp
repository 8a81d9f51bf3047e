/// @file
/// The one exception by which commands end early.
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "exit_codes.hpp"
#include "spacedyn/diagnostics.hpp"

namespace spacedyn::cli {

/// Ends the program with an exit code after its diagnostics have been shown.
class Failure : public std::exception {
 public:
  Failure(ExitCode exit_code, std::vector<Diagnostic> diagnostics)
      : exit_code_(exit_code), diagnostics_(std::move(diagnostics)) {}
  Failure(ExitCode exit_code, const std::string& message, const std::string& hint = {})
      : exit_code_(exit_code) {
    Diagnostic diagnostic;
    diagnostic.message = message;
    diagnostic.hint = hint;
    diagnostics_.push_back(std::move(diagnostic));
  }

  ExitCode exit_code() const { return exit_code_; }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  const char* what() const noexcept override { return "the command failed"; }

 private:
  ExitCode exit_code_;
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace spacedyn::cli
