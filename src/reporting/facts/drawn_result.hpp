/// @file
/// What reports show of a result, taken while its rows pass. Private.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/reporting/report_data.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {

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
