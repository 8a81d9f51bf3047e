/// @file
/// The lock of a folder in which a run writes, and what is known when it has ended. Private.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reporting/results/child_process.hpp"
#include "spacedyn/loading/scenario.hpp"
#include "spacedyn/reporting/run_record.hpp"
#include "spacedyn/scenario/run_watches.hpp"

namespace spacedyn {

/// What a run made of the limits that it had to keep.
std::vector<CheckOutcome> check_outcomes(const ScenarioChecks& checks,
                                         const ConservationAudit& audit);

/// Notes in the record how a run has ended.
void take_outcome(const Scenario& scenario, SimulationResult result, const RunWatches& watches,
                  RunRecord& record);

/// Steps that stability kept short, momentum or energy that has not been kept, and joints that
/// stand at their limits at the end.
std::vector<std::string> outcome_warnings(const Scenario& scenario, const SimulationResult& result);

/// Held by the run that writes into a folder; the operating system releases it with the process.
/// File systems that know no locks are used without.
class RunLock {
 public:
  /// @throws OutputDirectoryError of kind in_use, naming the process that holds it
  explicit RunLock(const std::filesystem::path& folder);

 private:
  Descriptor folder_;
};

/// Does nothing if no run writes into a folder, or if there is none.
/// @throws OutputDirectoryError of kind in_use
void refuse_folder_in_use(const std::filesystem::path& folder);

}  // namespace spacedyn
