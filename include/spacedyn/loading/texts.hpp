/// @file
/// Files that a program has as text; parse_model() and parse_scenario() read them, these say more.
#pragma once

#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/loading/foreign.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn {

/// As file_kind(); @p file names the text in messages. @throws ParseError if it is neither
SPACEDYN_EXPORT FileKind text_kind(const std::string& text, const std::string& file);

/// As import_model(); @p file names the text in messages, relative paths start in its folder.
/// @throws ParseError with every problem found; IoError if a file it names cannot be read
SPACEDYN_EXPORT ImportedModel import_model_text(const std::string& text, const std::string& file,
                                                const std::string& target_folder = "",
                                                const ImportOptions& options = {});

}  // namespace spacedyn
