/// @file
/// The page of a report without its data, bundled from apps/viewer.
#pragma once

#include <string_view>

namespace spacedyn {

/// @name Where the title and the data go; each occurs once, in this order
/// @{
inline constexpr std::string_view kTitleMarker = "@@spacedyn-title@@";
inline constexpr std::string_view kDataMarker = "@@spacedyn-data@@";
/// @}

std::string_view report_template();

}  // namespace spacedyn
