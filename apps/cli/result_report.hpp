/// @file
/// From result files to what reports and pictures show.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "spacedyn/loading/scenario.hpp"
#include "spacedyn/reporting/report.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn::cli {

/// How far results are trusted: what the environment variables SPACEDYN_MAX_RESULT_BYTES, with K, M
/// or G behind the number, and SPACEDYN_MAX_RESULT_SECONDS say. @throws Failure (2)
ReadLimits read_limits();

/// Everything known of a result: its model and loads come from the texts in its metadata. Where
/// those are missing or no longer understood, the report says so and shows the numbers alone.
/// @throws Failure (3) if the result cannot be read
ReportData read_report(const std::string& result);

/// Limits of a scenario for the figures of an audit.
void add_limits(ReportData& report, const ScenarioChecks& checks);

/// What its author wrote about a scenario, and what its set-up tells of the run.
void add_scenario(ReportData& report, const Scenario& scenario);

/// Folders of input files, where their meshes are looked for.
std::vector<std::string> folders_of(const std::map<std::string, std::string>& sources);

/// A file that does not exist yet: the path itself, or with -002 and so on before its extension.
std::string free_path(const std::string& path);

/// @throws Failure (6) if the file exists and may not be overwritten
void refuse_existing(const std::string& path, bool force);

}  // namespace spacedyn::cli
