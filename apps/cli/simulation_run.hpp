/// @file
/// One run of a scenario on behalf of a command.
#pragma once

#include "commands.hpp"
#include "console.hpp"
#include "failure.hpp"
#include "spacedyn/scenario/scenario_run.hpp"

namespace spacedyn::cli {

/// Creates the directory of a run. @param force  of `--force` @throws Failure (6)
OutputDirectory create_directory(const Scenario& scenario, const std::string& requested,
                                 bool force);

/// What to say of a directory that cannot be used (6).
Failure directory_failure(const OutputDirectoryError& error);

/// How a command watches a run.
struct RunControl {
  bool show_progress = false;
  double checkpoint_interval = 10.0;        ///< s of elapsed time
  SimulationObserver* companion = nullptr;  ///< sees the run, too, and may stop it
  const CheckpointFile* earlier = nullptr;  ///< where to go on; none: from the start
};

/// run_scenario() that shows its progress and ends on an interrupt.
/// @throws Failure (3) if the scenario cannot be run, (4) if its integration failed, (6) if a file
/// could not be written
void run_command(const Scenario& scenario, const OutputDirectory& directory,
                 const RunControl& control, RunRecord& record);

/// Writes the page of a run. @throws Failure (6)
void write_page(const OutputDirectory& directory, RunRecord& record, Console& console);

/// The same of a run that was stopped, which matters more than that its page cannot be written.
/// @return false if it cannot
bool write_partial_page(const OutputDirectory& directory, RunRecord& record, Console& console);

/// The changes that `--set KEY.PATH=VALUE` asks for. @throws Failure (2)
std::vector<Override> parse_overrides(const std::vector<std::string>& texts);

/// The same, and what is short for it. @throws Failure (2)
std::vector<Override> all_overrides(const SimulateOptions& options);

/// Prints the summary of a finished run, as JSON if that was asked for.
/// @param look  where to see the run, a line of its own
void print_run_summary(const RunRecord& record, const std::string& look, Console& console);

}  // namespace spacedyn::cli
