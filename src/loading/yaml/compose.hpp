/// @file
/// From text to a tree of nodes; the only place that knows the YAML parser.
#pragma once

#include <cstddef>

#include "loading/yaml/node.hpp"

namespace spacedyn::loading {

/// Deepest nesting of lists and mappings.
inline constexpr int kMaxDepth = 64;
/// Longest single text or collection in brackets, bytes: the YAML parser keeps it whole, at up to a
/// thousand times its size.
inline constexpr std::size_t kMaxValueSize = std::size_t{2} * 1024 * 1024;
/// Most nodes that aliases may repeat.
inline constexpr std::size_t kMaxAliasNodes = 1000000;

/// The single document of a source, or nothing where it is too broken to go on.
///
/// The merge key `<<` adds the keys of another mapping that a mapping has not itself. Reports what
/// is not YAML, and what YAML allows but this format does not: duplicate keys, keys that are no
/// text, tags, several documents, anchors inside of themselves, aliases that repeat too much, deep
/// nesting, values of excessive length.
NodePtr compose(const Source& source, ProblemList& problems);

}  // namespace spacedyn::loading
