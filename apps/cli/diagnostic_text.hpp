/// @file
/// Problems as people and as programs read them.
#pragma once

#include <string>
#include <vector>

#include "console.hpp"

namespace spacedyn::cli {

/// `file:line:column: error: message`, the source line, a caret below the place, and the hint.
std::string diagnostic_text(const Diagnostic& diagnostic, bool color);

/// All of them; of several that say the same the first, and the lines of the others.
std::string diagnostics_text(const std::vector<Diagnostic>& diagnostics, bool color);

/// An array of {file, line, col, severity, code, message, hint}; code names the kind of failure.
std::string diagnostics_json(const std::vector<CodedDiagnostic>& diagnostics);

}  // namespace spacedyn::cli
