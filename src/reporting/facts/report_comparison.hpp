/// @file
/// Results side by side: their titles, and how far they lie apart.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/reporting/report_data.hpp"

namespace spacedyn {

/// One title for each result. Among results of one scenario it states the `--set` values that
/// differ, `arm: stiffness = 300`, or `arm: as written` where there are none; results that do not
/// differ so carry their paths.
std::vector<std::string> titles_of(const std::vector<ReportData>& reports);

/// The title of the page: a scenario that all have in common stands once.
std::string page_title(const std::vector<ReportData>& reports);

/// Difference of a series that two results share.
struct SeriesDifference {
  std::string group, label, unit;
  double greatest = 0.0;  ///< max |b − a|
  double time = 0.0;      ///< when, s
  double rms = 0.0;       ///< root of the mean of (b − a)² over the common times
};

/// Differences of all shared series, at the times of @p a that lie inside those of @p b, which is
/// interpolated linearly. Series without a common finite value are left out.
std::vector<SeriesDifference> compare(const ReportData& a, const ReportData& b);

}  // namespace spacedyn
