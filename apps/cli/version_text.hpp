/// @file
/// The answer to `--version`.
#pragma once

#include <string>

namespace spacedyn::cli {

/// Versions of the program, the library and what they were built with, one a line.
std::string version_text();

}  // namespace spacedyn::cli
