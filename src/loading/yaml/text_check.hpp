/// @file
/// Whether bytes are a text at all, and a text YAML.
#pragma once

#include <yaml-cpp/exceptions.h>

#include "loading/yaml/node.hpp"

namespace spacedyn::loading {

/// Reports a text that is empty, too large, binary or not UTF-8; true if it can be parsed.
bool check_text(const Source& source, ProblemList& problems);

/// Reports a text that is not YAML.
void report_syntax_error(const YAML::Exception& error, const Source& source, ProblemList& problems);

}  // namespace spacedyn::loading
