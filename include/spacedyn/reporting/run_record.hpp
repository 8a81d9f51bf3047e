/// @file
/// Everything worth knowing about one run, for its metadata file and its summary.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/recording/channels.hpp"
#include "spacedyn/recording/run_watches.hpp"

namespace spacedyn {

/// How far a run has come. A result whose metadata says `running` while nothing runs was killed.
enum class RunStatus { running, complete, interrupted, failed };

/// A figure of a run and the limit it had to keep.
struct CheckOutcome {
  std::string name;
  double value = 0.0;
  double limit = 0.0;
  bool passed() const { return value <= limit; }  ///< false for NaN
};

/// One run of one scenario, filled as the run proceeds.
struct RunRecord {
  std::string scenario;
  std::shared_ptr<const Model> model;
  BaseMode base_mode = BaseMode::floating;
  double duration = 0.0;         ///< asked for, s
  double output_interval = 0.0;  ///< s
  IntegratorOptions integrator;
  std::map<std::string, std::string> sources;  ///< text of every input file, by path
  std::vector<std::pair<std::string, std::string>> overrides;  ///< key path and value
  std::vector<Column> columns;
  std::string started;  ///< ISO 8601, UTC

  RunStatus status = RunStatus::running;
  std::string message;  ///< why the run failed
  double time = 0.0;    ///< reached, s
  double wall_seconds = 0.0;
  IntegratorStatistics statistics;
  std::optional<SimulationResult> result;  ///< absent while running and after a failure
  std::vector<EventRecord> events;         ///< so far; without a result all that is known of them
  std::vector<MissedEvent> missed_events;  ///< of the scenario, that have not happened
  std::vector<BaseRotation> rotations;     ///< the largest of each base, over the outputs
  std::vector<CheckOutcome> checks;
  std::vector<std::string> warnings;      ///< what the run gave reason to doubt
  std::vector<std::string> files;         ///< written, in the order in which to name them
  std::vector<std::string> notes;         ///< what overrides have left out of the scenario
  std::optional<double> propellant_used;  ///< of all thrusters that consume, kg

  /// Simulated per elapsed time.
  double real_time_factor() const { return wall_seconds > 0.0 ? time / wall_seconds : 0.0; }
};

SPACEDYN_EXPORT std::string to_string(RunStatus status);

/// Writes `<result>.meta.json`: inputs, versions, options, statistics, columns and how it ended.
///
/// The file is replaced in one step, so that a reader never meets half of it; written once before
/// the run starts, it is there even if the run is killed. @throws IoError
SPACEDYN_EXPORT void write_metadata(const std::string& path, const RunRecord& record);

/// @name Summary of a finished run @pre record.result
/// @{
/// A block of lines for people.
SPACEDYN_EXPORT std::string summary_text(const RunRecord& record);
/// One JSON object for programs.
SPACEDYN_EXPORT std::string summary_json(const RunRecord& record);
/// @}

}  // namespace spacedyn
