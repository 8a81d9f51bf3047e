/// @file
/// One run of a scenario with its files, from the first row to the last word about it.
#pragma once

#include "console.hpp"
#include "output_directory.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/reporting/run_record.hpp"

namespace spacedyn::cli {

/// What is known of a run before it starts.
RunRecord start_record(const Scenario& scenario, const std::vector<Override>& overrides,
                       const OutputDirectory& directory);

/// Runs a scenario; rows and metadata go to the directory, the outcome to the record.
///
/// An interrupt ends the run early and is no failure. Whatever happens, the rows so far are kept,
/// and the metadata says how the run ended.
/// @throws Failure (3) if the scenario cannot be run, (4) if its integration failed, (6) if a file
/// could not be written
void run_scenario(const Scenario& scenario, const OutputDirectory& directory, bool show_progress,
                  RunRecord& record);

}  // namespace spacedyn::cli
