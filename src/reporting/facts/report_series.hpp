/// @file
/// The columns of a result as series for people, and what follows from them.
#pragma once

#include <vector>

#include "spacedyn/reporting/report_data.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {

/// All columns but the time, then what derived_series() makes of them.
std::vector<ReportSeries> report_series(const ResultTable& result);

}  // namespace spacedyn
