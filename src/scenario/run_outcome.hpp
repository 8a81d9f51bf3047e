/// @file
/// What is known of a run when it has ended. Private.
#pragma once

#include <string>
#include <vector>

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

}  // namespace spacedyn
