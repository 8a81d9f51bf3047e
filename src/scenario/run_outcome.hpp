/// @file
/// What is known of a run when it has ended. Private.
#pragma once

#include "spacedyn/reporting/run_record.hpp"
#include "spacedyn/scenario/run_watches.hpp"

namespace spacedyn {

/// What a run made of the limits that it had to keep.
std::vector<CheckOutcome> check_outcomes(const ScenarioChecks& checks,
                                         const ConservationAudit& audit);

/// Notes in the record how a run has ended.
void take_outcome(const Scenario& scenario, SimulationResult result, const RunWatches& watches,
                  RunRecord& record);

}  // namespace spacedyn
