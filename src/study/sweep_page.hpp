/// @file
/// The page of a sweep without its data. Private.
#pragma once

#include <string_view>

namespace spacedyn {

/// Where the data go; it occurs once.
inline constexpr std::string_view kSweepDataMarker = "@@sweep-data@@";

std::string_view sweep_page_template();

}  // namespace spacedyn
