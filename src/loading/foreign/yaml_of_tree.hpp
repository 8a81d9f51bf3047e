/// @file
/// A tree as the text of a YAML file, for people to read and edit.
#pragma once

#include <string>

#include "loading/yaml/node.hpp"

namespace spacedyn::loading::foreign {

/// Block style, with what fits on a line on one line.
std::string yaml_of(const Node& document);

}  // namespace spacedyn::loading::foreign
