/// @file
/// How far two results lie apart.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/reporting/report_data.hpp"

namespace spacedyn {

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
