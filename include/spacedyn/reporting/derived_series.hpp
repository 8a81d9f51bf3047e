/// @file
/// Series that follow from the columns of a result.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/reporting/report_data.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {

/// Roll, pitch and yaw of each base, without jumps by whole turns; angular velocities of bases and
/// frames in their own axes; energy − work + dissipation since the start, which is zero for a
/// perfect integration. What lacks a column is left out; a result without rows gives empty series.
SPACEDYN_EXPORT std::vector<ReportSeries> derived_series(const ResultTable& result);

}  // namespace spacedyn
