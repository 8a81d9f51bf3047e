/// @file
/// The data of a page: JSON with arrays of numbers in base64.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/reporting/report_data.hpp"

namespace spacedyn {

/// Data for the page of some results, safe inside a script element: it holds no `<`.
std::string report_json(const std::vector<ReportData>& reports);

}  // namespace spacedyn
