/// @file
/// Runs of scenarios with all their files: result, metadata, checkpoints, page.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/reporting/checkpoint_file.hpp"
#include "spacedyn/reporting/result_table.hpp"
#include "spacedyn/reporting/run_record.hpp"
#include "spacedyn/scenario/output_directory.hpp"

namespace spacedyn {

/// How a run is watched, and where it begins.
struct ScenarioRunOptions {
  double checkpoint_interval = 10.0;        ///< s of elapsed time
  SimulationObserver* observer = nullptr;   ///< sees the run, too, and may stop it
  const CheckpointFile* earlier = nullptr;  ///< where to go on; none: from the start
};

/// What is known of a run before it starts.
/// @param earlier  of the run that goes on; none: a new one
SPACEDYN_EXPORT RunRecord start_record(const Scenario& scenario,
                                       const std::vector<Override>& overrides,
                                       const OutputDirectory& directory,
                                       const CheckpointFile* earlier = nullptr);

/// Runs a scenario; rows and metadata go to the directory, the outcome to the record.
///
/// An observer that stops the run early causes no failure. Whatever happens, the rows so far are
/// kept, the metadata says how the run ended, and unless it is complete a checkpoint tells how to
/// go on. A run that cannot begin leaves no files. Meanwhile no other run writes there.
/// @param record  of start_record(); tells what has been reached even if this throws
/// @throws OutputDirectoryError of kind in_use if another run writes into the directory;
/// NumericalError if the integration failed; IoError if a file cannot be written;
/// ContinuationError if the result is not what the earlier run left; DomainError, DimensionError
/// if the scenario cannot be run
SPACEDYN_EXPORT void run_scenario(const Scenario& scenario, const OutputDirectory& directory,
                                  const ScenarioRunOptions& options, RunRecord& record);

/// The same from a file, in one call: `results/<scenario>` below the working directory, or another
/// directory that is empty or does not exist yet, then holds result, metadata and page.
/// @throws ParseError, OverrideError, OutputDirectoryError, and as above
SPACEDYN_EXPORT RunRecord run_scenario_file(const std::string& path,
                                            const std::vector<Override>& overrides = {},
                                            const std::string& directory = {});

/// Writes the page beside the result it is made from, and names it in the record.
/// @throws IoError
SPACEDYN_EXPORT void write_run_report(const OutputDirectory& directory, RunRecord& record);

/// Overrides of a run, then new ones; a new value takes the place of an earlier one.
SPACEDYN_EXPORT std::vector<Override> merge_overrides(std::vector<Override> earlier,
                                                      const std::vector<Override>& later);

/// What of a scenario differs from that of a checkpoint, integrator and limits of checks apart:
/// a run may go on only if nothing does.
/// @return a key of the scenario, `model`, or nothing
SPACEDYN_EXPORT std::string find_difference(const CheckpointFile& file, const Scenario& scenario);

/// The same of a run that left no checkpoint, by what its metadata say of its files.
/// @return the path of a file that has changed, or nothing
SPACEDYN_EXPORT std::string find_difference(const RunFacts& facts, const Scenario& scenario);

/// What the metadata file of a run say. @throws IoError
SPACEDYN_EXPORT RunFacts facts_of_run(const OutputDirectory& directory);

}  // namespace spacedyn
