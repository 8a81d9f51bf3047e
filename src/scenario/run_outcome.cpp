#include "scenario/run_outcome.hpp"

#include "spacedyn/system/propellant.hpp"

namespace spacedyn {

std::vector<CheckOutcome> check_outcomes(const ScenarioChecks& checks,
                                         const ConservationAudit& audit) {
  std::vector<CheckOutcome> outcomes;
  if (checks.momentum_drift) {
    outcomes.push_back({"momentum_drift", audit.momentum_drift(), *checks.momentum_drift});
  }
  if (checks.energy_residual) {
    outcomes.push_back({"energy_residual", audit.energy_residual(), *checks.energy_residual});
  }
  if (checks.attitude_error) {
    outcomes.push_back({"attitude_error", audit.attitude_error(), *checks.attitude_error});
  }
  return outcomes;
}

void take_outcome(const Scenario& scenario, SimulationResult result, const RunWatches& watches,
                  RunRecord& record) {
  record.time = result.time;
  record.propellant_used = propellant_used(scenario.setup, result.state);
  record.statistics = result.statistics;
  record.status = result.interrupted ? RunStatus::interrupted : RunStatus::complete;
  record.missed_events = watches.missed(result.events);
  record.rotations = watches.rotations();
  record.warnings = watches.warnings(result);
  record.checks = check_outcomes(scenario.checks, result.audit);
  record.result = std::move(result);
}

}  // namespace spacedyn
