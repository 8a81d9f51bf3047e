/// @file
/// What the YAML parser complains about, in terms of the file.
#pragma once

#include <yaml-cpp/exceptions.h>

#include "loading/yaml/problem_list.hpp"
#include "loading/yaml/source.hpp"

namespace spacedyn::loading {

/// Reports a text that is not YAML.
void report_syntax_error(const YAML::Exception& error, const Source& source, ProblemList& problems);

}  // namespace spacedyn::loading
