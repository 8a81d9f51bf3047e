/// @file
/// From result files to what reports and pictures show.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/loading/scenario.hpp"
#include "spacedyn/reporting/report.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {

/// Everything known of a result: its model and loads come from the texts in its metadata. Where
/// those are missing or no longer understood, the report says so and shows the numbers alone.
///
/// Rows pass through memory that does not grow with their number, unless all are wanted.
/// @throws IoError if the result cannot be read
SPACEDYN_EXPORT ReportData read_report(const std::string& result, const ReadLimits& limits = {},
                                       ReportDetail detail = ReportDetail::numbers);

/// A text that changes with the bytes of a result file, with its metadata and with the version of
/// this library; empty if the file cannot be read. The page of a result holds it.
SPACEDYN_EXPORT std::string result_identity(const std::string& file);

/// Limits of a scenario for the figures of an audit.
SPACEDYN_EXPORT void add_limits(ReportData& report, const ScenarioChecks& checks);

/// What its author wrote about a scenario, and what its set-up tells of the run.
SPACEDYN_EXPORT void add_scenario(ReportData& report, const Scenario& scenario);

/// Folders of input files, where their meshes are looked for.
SPACEDYN_EXPORT std::vector<std::string> folders_of(
    const std::map<std::string, std::string>& sources);

}  // namespace spacedyn
