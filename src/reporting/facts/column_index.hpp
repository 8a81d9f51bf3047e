/// @file
/// Columns by their names, for results that have thousands. Private.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {

/// Finds what ResultTable::find() finds, each in constant time, as long as the columns stay where
/// they are.
class ColumnIndex {
 public:
  explicit ColumnIndex(const std::vector<Column>& columns) {
    places_.reserve(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      places_.emplace(columns[i].name, static_cast<int>(i));  // the first of a name counts
    }
  }

  /// @return −1 if there is none of that name
  int find(const std::string& name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? -1 : found->second;
  }

 private:
  std::unordered_map<std::string_view, int> places_;
};

}  // namespace spacedyn
