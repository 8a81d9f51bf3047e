/// @file
/// Examples of bad input and what is reported of them.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "loading/temporary_folder.hpp"
#include "spacedyn/diagnostics.hpp"

namespace spacedyn::testing {

/// One example.
struct ContractCase {
  std::string name;
  std::string text;      ///< the file
  std::string expected;  ///< every message, with its hint on a line of its own
  bool schema_refuses = false;
};

/// How GoogleTest shows an example.
inline void PrintTo(const ContractCase& example, std::ostream* stream) { *stream << example.name; }

/// The examples of `data/<name>.cases`.
std::vector<ContractCase> read_cases(const std::string& name);

/// Puts the files that examples refer to into a folder.
void add_companions(const TemporaryFolder& folder);

/// Messages and hints, line by line, with paths relative to a folder.
std::string report(const std::vector<Diagnostic>& diagnostics, const std::string& folder);

}  // namespace spacedyn::testing
