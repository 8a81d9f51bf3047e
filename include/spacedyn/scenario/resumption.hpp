/// @file
/// Earlier runs that can go on.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/reporting/checkpoint_file.hpp"
#include "spacedyn/reporting/result_table.hpp"
#include "spacedyn/scenario/output_directory.hpp"

namespace spacedyn {

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
