/// @file
/// One run of a scenario with its files, from the first row to the last word about it.
#pragma once

#include "console.hpp"
#include "output_directory.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/reporting/checkpoint_file.hpp"
#include "spacedyn/reporting/run_record.hpp"

namespace spacedyn::cli {

/// How a run is watched, and where it begins.
struct RunControl {
  bool show_progress = false;
  double checkpoint_interval = 10.0;        ///< s of elapsed time
  SimulationObserver* companion = nullptr;  ///< sees the run, too, and may stop it
  const CheckpointFile* earlier = nullptr;  ///< where to go on; none: from the start
};

/// What is known of a run before it starts.
RunRecord start_record(const Scenario& scenario, const std::vector<Override>& overrides,
                       const OutputDirectory& directory);

/// Runs a scenario; rows and metadata go to the directory, the outcome to the record.
///
/// An interrupt ends the run early and is no failure. Whatever happens, the rows so far are kept,
/// the metadata says how the run ended, and unless it is complete a checkpoint tells how to go on.
/// @throws Failure (3) if the scenario cannot be run, (4) if its integration failed, (6) if a file
/// could not be written
void run_scenario(const Scenario& scenario, const OutputDirectory& directory,
                  const RunControl& control, RunRecord& record);

/// Writes the page beside the result it is made from, and names it in the record.
/// @throws Failure (6)
void write_run_report(const OutputDirectory& directory, RunRecord& record, Console& console);

/// The changes that `--set KEY.PATH=VALUE` asks for. @throws Failure (2)
std::vector<Override> parse_overrides(const std::vector<std::string>& texts);

/// Prints the summary of a finished run, as JSON if that was asked for.
/// @param look  where to see the run, a line of its own
void print_run_summary(const RunRecord& record, const std::string& look, Console& console);

}  // namespace spacedyn::cli
