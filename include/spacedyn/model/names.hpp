/// @file
/// Suggestions for misspelt names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spacedyn/export.hpp"

namespace spacedyn {

/// Levenshtein distance: insertions, deletions and replacements between two texts.
SPACEDYN_EXPORT std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name nearest to a misspelt one by insertions, deletions and replacements of letters,
/// or an empty text when none is near or the name is too long to be a misspelling.
SPACEDYN_EXPORT std::string nearest_name(std::string_view name,
                                         const std::vector<std::string>& known);

/// `, did you mean 'x'?` with the nearest name, or an empty text.
SPACEDYN_EXPORT std::string did_you_mean(std::string_view name,
                                         const std::vector<std::string>& known);

}  // namespace spacedyn
