/// @file
/// Whether bytes are a text at all.
#pragma once

#include "loading/yaml/problem_list.hpp"
#include "loading/yaml/source.hpp"

namespace spacedyn::loading {

/// Reports a text that is empty, too large, binary or not UTF-8; true if it can be parsed.
bool check_text(const Source& source, ProblemList& problems);

}  // namespace spacedyn::loading
