/// @file
/// Problems found in user input, collected so that all of them can be shown at once.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/error.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// How bad a problem is: an error refuses the input, a warning does not; a note is no problem.
enum class Severity { error, warning, note };

/// One problem of a model, found without knowledge of the file it may come from.
struct Problem {
  Severity severity = Severity::error;
  std::string path;     ///< key path of the offending value, for instance `links.3.joint.axis`
  std::string message;  ///< what is wrong, and what would be right
  std::string hint;     ///< optional advice
};

/// A model description that breaks a rule; carries every problem found, warnings included.
class SPACEDYN_EXPORT ModelError : public Error {
 public:
  /// Joins the errors among @p problems to the message, one line each.
  explicit ModelError(std::vector<Problem> problems);
  ~ModelError() override;

  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// A problem with its place in a file; lines and columns count from 1, 0 where unknown.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string file;
  int line = 0;
  int column = 0;
  std::string path;  ///< key path in the file, may be empty
  std::string message;
  std::string hint;         ///< optional advice
  std::string source_line;  ///< the text of the line, for a caret below it; may be empty
};

/// A file that does not follow its format; carries every problem found, sorted by place.
class SPACEDYN_EXPORT ParseError : public Error {
 public:
  /// The message is one line `FILE:LINE:COLUMN: error: PATH: MESSAGE` for each error.
  explicit ParseError(std::vector<Diagnostic> diagnostics);
  ~ParseError() override;

  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// `FILE:LINE:COLUMN: error: PATH: MESSAGE`, leaving out what is unknown.
SPACEDYN_EXPORT std::string to_string(const Diagnostic& diagnostic);

}  // namespace spacedyn
