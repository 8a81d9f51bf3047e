/// @file
/// Changes of single values before a file is interpreted.
#pragma once

#include <string>
#include <vector>

#include "loading/keys/session.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::loading {

/// A value to be set, and where.
struct ParsedOverride {
  std::vector<std::string> path;  ///< keys, list positions and names below `scenario:`
  NodePtr value;
  Mark mark;
};

/// Splits the key paths and composes the values; what is wrong is reported, named as typed.
std::vector<ParsedOverride> parse_overrides(const std::vector<Override>& overrides,
                                            Session& session);

/// A tree with a value set; shares everything else with the old one, which does not change.
/// @param first  keys of the path before this position lead to the root
/// @param path   key path of the root, for messages
NodePtr apply_override(const NodePtr& root, const ParsedOverride& change, std::size_t first,
                       const std::string& path, ProblemList& problems);

/// A document whose method of integration overrides have changed, without those keys of its file
/// that belong to another kind of method; a note tells of each. Keys of overrides stay.
/// @param before, after  the document without and with the overrides
NodePtr leave_out_misfits(const NodePtr& before, const NodePtr& after, ProblemList& problems);

}  // namespace spacedyn::loading
