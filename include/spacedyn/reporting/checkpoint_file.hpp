/// @file
/// Checkpoints as files, with what is needed to tell whether a run may continue from them.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/recording/run_watch.hpp"
#include "spacedyn/reporting/build_info.hpp"

namespace spacedyn {

/// The version of this library as checkpoints know it: release and commit.
SPACEDYN_EXPORT std::string checkpoint_version();

/// A checkpoint and the run it belongs to.
struct CheckpointFile {
  std::string version = checkpoint_version();
  std::string instruction_set;                  ///< of the kernels: others round otherwise
  std::string model;                            ///< as write_model() writes it
  std::map<std::string, std::string> sections;  ///< as Scenario::sections
  std::vector<std::pair<std::string, std::string>> overrides;  ///< key path and value
  std::string started;                                         ///< ISO 8601, UTC
  double wall_seconds = 0.0;                                   ///< spent until then
  Checkpoint checkpoint;
  std::vector<std::vector<Peak>> peaks;  ///< of all that the run is watched for, until then
};

/// Replaces the file in one step: whoever is killed meanwhile leaves the old one or the new one.
/// @throws IoError
SPACEDYN_EXPORT void write_checkpoint(const std::string& path, const CheckpointFile& file);

/// @throws IoError if there is no such file, it is damaged, or another version has written it
SPACEDYN_EXPORT CheckpointFile read_checkpoint(const std::string& path);

}  // namespace spacedyn
