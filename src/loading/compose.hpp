/// @file
/// From text to a tree of nodes; the only place that knows the YAML parser.
#pragma once

#include <cstddef>

#include "loading/node.hpp"
#include "loading/problem_list.hpp"

namespace spacedyn::loading {

/// Deepest nesting of lists and mappings.
inline constexpr int kMaxDepth = 64;
/// Most nodes that aliases may repeat.
inline constexpr std::size_t kMaxAliasNodes = 1000000;

/// The single document of a source, or nothing where it is too broken to go on.
///
/// Reports what is not YAML, and what YAML allows but this format does not: duplicate keys, merge
/// keys, keys that are no text, tags, several documents, anchors inside of themselves, aliases that
/// repeat too much, deep nesting.
NodePtr compose(const Source& source, ProblemList& problems);

}  // namespace spacedyn::loading
