/// @file
/// What the columns of a result mean to a reader, and texts that can be shown to one.
#pragma once

#include <string>
#include <string_view>

#include "spacedyn/recording/channels.hpp"

namespace spacedyn {

/// A column as a picture names it.
struct SeriesName {
  std::string group;  ///< series of one group share an axis
  std::string label;
};

/// Whether a text begins with another.
bool starts_with(std::string_view text, std::string_view start);

/// The group and label of a column, from its name and unit; unknown ones form the group `Other`.
SeriesName series_name(const Column& column);

/// The end that a unit gives to a column name, for instance `_rad_s`; empty for pure numbers.
std::string unit_suffix(const std::string& unit);

/// The unit told by the end of a column name, for files without metadata.
std::string unit_from_name(const std::string& column);

/// Whether a text is UTF-8 without control characters and not longer than a limit.
bool is_plain(std::string_view text, std::size_t most_bytes);

}  // namespace spacedyn
