/// @file
/// Finding the run that `--resume` is to continue, and whether it can be.
#pragma once

#include <optional>
#include <vector>

#include "commands.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/reporting/checkpoint_file.hpp"
#include "spacedyn/scenario/output_directory.hpp"

namespace spacedyn::cli {

/// An earlier run with its checkpoint, and its scenario as it is now.
struct Resumption {
  std::vector<Override> overrides;  ///< those of the run, then new ones
  Scenario scenario;
  OutputDirectory directory;
  std::optional<CheckpointFile> checkpoint;  ///< none: the run begins again
};

/// Reads scenario and checkpoint; what was set with `--set` at first is set again.
/// @param overrides  given now
/// @throws Failure (2), (3) also if anything but the integrator and the checks has changed
Resumption find_resumption(const SimulateOptions& options, const std::vector<Override>& overrides,
                           Console& console);

}  // namespace spacedyn::cli
