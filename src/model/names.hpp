/// @file
/// Suggestions for misspelt names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spacedyn {

/// The known name nearest to a misspelt one, or nothing when none is near.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

/// `, did you mean 'x'?` with the nearest name, or an empty text.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace spacedyn
