/// @file
/// The columns of a result as series for people, and what follows from them.
#pragma once

#include <vector>

#include "spacedyn/reporting/report_data.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {

/// The group of the derived series Aᵀ ω of the base.
inline constexpr const char* kBaseRatesInBodyAxes = "Base angular velocity in body axes";

/// All columns but the time, then the attitude angles of the base, angular velocities in body axes
/// and the energy balance where their columns are there.
std::vector<ReportSeries> report_series(const ResultTable& result);

}  // namespace spacedyn
