/// @file
/// All that a run of a scenario is watched for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/loading/scenario.hpp"
#include "spacedyn/recording/run_watches.hpp"

namespace spacedyn {

/// The watches of a run as one.
class SPACEDYN_EXPORT RunWatches {
 public:
  /// @param scenario  must outlive this
  explicit RunWatches(const Scenario& scenario);

  /// Looks at one output. Allocates nothing.
  void see(const SimulationPoint& point);
  /// What gives reason to doubt a run that has ended, one sentence for each.
  std::vector<std::string> warnings(const SimulationResult& result) const;
  std::vector<MissedEvent> missed(const std::vector<EventRecord>& happened) const {
    return events_->missed(happened);
  }
  std::vector<BaseRotation> rotations() const { return rotations_->rotations(); }

  /// The greatest values so far, of one watch after another.
  std::vector<std::vector<Peak>> peaks() const;
  /// Takes over those of an earlier part of the run.
  /// @throws DimensionError unless they are of the same watches
  void go_on_from(const std::vector<std::vector<Peak>>& earlier);

 private:
  const Scenario& scenario_;
  std::vector<std::unique_ptr<RunWatch>> all_;
  const EventWatch* events_;            // of these
  const BaseRotationWatch* rotations_;  // of these
};

}  // namespace spacedyn
