/// @file
/// Titles of results that are compared: what differs between them.
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

}  // namespace spacedyn
