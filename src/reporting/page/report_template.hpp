/// @file
/// The page of a report without its data, bundled from apps/viewer.
#pragma once

#include <string>
#include <string_view>

namespace spacedyn {

/// @name Where what the page may connect to, the title and the data go; each occurs once, in this
/// order
/// @{
inline constexpr std::string_view kConnectMarker = "@@spacedyn-connect@@";
inline constexpr std::string_view kTitleMarker = "@@spacedyn-title@@";
inline constexpr std::string_view kDataMarker = "@@spacedyn-data@@";
/// @}

std::string_view report_template();

/// The page with everything in its place.
/// @param connect  source list of its policy, for instance 'none'
std::string filled_template(std::string_view connect, const std::string& title,
                            const std::string& data);

}  // namespace spacedyn
