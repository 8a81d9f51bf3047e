/// @file
/// The data of a page: JSON with arrays of numbers in base64.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/reporting/report_data.hpp"

namespace spacedyn {

/// Data for the page of some results, safe inside a script element: it holds no `<`.
/// @param live  further members of the data, as JSON; empty for a page that is complete
std::string report_json(const std::vector<ReportData>& reports, const std::string& live = {});

/// Motion and series of a report alone, as JSON.
std::string report_rows_json(const ReportData& report);

/// What a run leaves behind beside its rows, as JSON: facts, audit, events, warnings, inputs.
std::string report_texts_json(const ReportData& report);

}  // namespace spacedyn
