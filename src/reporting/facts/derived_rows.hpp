/// @file
/// Columns by name, and series that follow from them, one row after the other. Private.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "spacedyn/reporting/report_data.hpp"
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

/// derived_series() of a result whose rows pass.
class DerivedRows {
 public:
  explicit DerivedRows(const std::vector<Column>& columns);

  /// What each of them is, without values.
  const std::vector<ReportSeries>& series() const { return series_; }
  /// Computes the values of the next row. @param row  a number for each column
  void next(const double* row, double* values);

 private:
  /// Roll, pitch and yaw without jumps.
  struct Attitude {
    std::array<int, 4> quaternion;
    std::optional<Vector3> last;
  };
  /// Aᵀ ω of a body or frame.
  struct OwnRates {
    std::array<int, 4> quaternion;
    std::array<int, 3> rates;
  };
  /// Of energy, work and dissipated energy since the start.
  struct Balance {
    std::array<int, 3> columns;
    std::optional<Vector3> first;
  };
  /// What a name begins with, how its series are called, their group.
  struct Origin {
    std::string start, channel, group;
  };

  void add_attitude(const ColumnIndex& index, const Origin& origin);
  void add_rates(const ColumnIndex& index, const Origin& origin);
  void add_triple(const Origin& origin, const char* unit, const std::array<const char*, 3>& labels);

  std::vector<ReportSeries> series_;
  std::vector<Attitude> attitudes_;
  std::vector<OwnRates> rates_;
  std::optional<Balance> balance_;
};

/// A result in memory for what is drawn of it.
struct DrawnResult {
  ResultTable shown;            ///< the rows of the animation alone
  long rows = 0;                ///< of the result
  VectorX times;                ///< of the points
  std::vector<VectorX> points;  ///< of each series of report_series()
  bool is_thinned = false;

  /// Puts the series of all rows in the place of those of the rows of the animation.
  /// @param report  of @ref shown
  void complete(ReportData& report);
};

/// Reads a result once, twice where the file does not say how many rows it holds.
/// @throws IoError as open_result()
DrawnResult draw_result(const std::string& path, const ReadLimits& limits, ReportDetail detail);

}  // namespace spacedyn
