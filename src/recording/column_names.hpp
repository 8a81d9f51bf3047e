/// @file
/// Column names: identifiers that end in their unit, unique whatever a robot's parts are called.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "spacedyn/recording/channels.hpp"

namespace spacedyn {

/// The end of a column name and the unit it stands for, for instance `_rad_s` and `rad/s`.
using Suffix = std::pair<std::string, std::string>;

/// A name with each character of ASCII that an identifier cannot hold replaced by an underscore.
std::string sanitize(std::string_view name);

/// Columns with a common stem.
/// @param first, count  of the suffixes: all unless given
std::vector<Column> columns_of(const std::string& stem, const std::vector<Suffix>& suffixes,
                               std::size_t first = 0, std::size_t count = std::string::npos);

/// HDF5 group of a stem that ColumnNames has handed out: `/wheels/left` of `wheels_left`.
std::string group_of(std::string_view prefix, const std::string& stem);

/// Hands out the column names of joints and frames, each group of columns with a common stem.
class ColumnNames {
 public:
  /// The stem `prefix_name`, or `prefix_name_2`, … where a column would exist already; reserves it
  /// with all the suffixes, so that what a joint is called does not depend on the chosen channels.
  std::string reserve(std::string_view prefix, std::string_view name,
                      const std::vector<Suffix>& suffixes);

 private:
  std::unordered_set<std::string> taken_;
};

}  // namespace spacedyn
