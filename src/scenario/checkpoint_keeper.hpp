/// @file
/// Writes a checkpoint beside the result of a run from time to time. Private.
#pragma once

#include <chrono>
#include <string>

#include "coarse_clock.hpp"
#include "spacedyn/loading/scenario.hpp"
#include "spacedyn/reporting/checkpoint_file.hpp"
#include "spacedyn/reporting/result_writer.hpp"
#include "spacedyn/reporting/run_record.hpp"
#include "spacedyn/scenario/output_directory.hpp"
#include "spacedyn/scenario/run_watches.hpp"

namespace spacedyn {

/// Knows when the next checkpoint is due; each time the rows until then reach the disk first.
class CheckpointKeeper {
 public:
  /// @param record    of the run as it starts; what it says about elapsed time counts on
  /// @param interval  s of elapsed time between checkpoints
  CheckpointKeeper(const Scenario& scenario, const OutputDirectory& directory,
                   const RunRecord& record, ResultWriter& writer, double interval);

  bool is_due() const { return CoarseClock::now() >= next_; }
  /// @throws IoError
  void keep(const Checkpoint& checkpoint, const RunWatches& watches);
  /// Lets the metadata say which events have happened, so that whatever ends the run keeps them: at
  /// most once a second, and no more than a twentieth of the time.
  void tell_events(const RunRecord& record);
  /// Removes the file: the run is complete.
  void forget() const;

  /// Spent on the run, earlier parts included.
  double wall_seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  const Scenario& scenario_;
  const OutputDirectory& directory_;
  ResultWriter& writer_;
  CheckpointFile file_;  // the model is written down with the first checkpoint
  double earlier_seconds_;
  CoarseClock::duration interval_;
  Clock::time_point start_;
  CoarseClock::time_point next_, next_telling_;
  std::size_t told_;  // events
};

}  // namespace spacedyn
