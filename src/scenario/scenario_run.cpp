#include "spacedyn/scenario/scenario_run.hpp"

#include "coarse_clock.hpp"
#include "scenario/checkpoint_keeper.hpp"
#include "scenario/run_outcome.hpp"
#include "spacedyn/reporting/result_writer.hpp"
#include "spacedyn/scenario/result_report.hpp"
#include "spacedyn/system/propellant.hpp"

namespace spacedyn {
namespace {

/// Hands the simulation to the recorder, the record and the observer of the run.
class RunObserver final : public SimulationObserver {
 public:
  RunObserver(Recorder& recorder, RunWatches& watches, RunRecord& record, CheckpointKeeper& keeper,
              SimulationObserver* companion)
      : recorder_(recorder),
        watches_(watches),
        record_(record),
        keeper_(keeper),
        companion_(companion) {}

  void on_output(const SimulationPoint& point) override {
    recorder_.on_output(point);
    watches_.see(point);
    if (companion_ != nullptr) companion_->on_output(point);
  }
  void on_event(const EventRecord& event) override {
    record_.events.push_back(event);
    keeper_.tell_events(record_);
    if (companion_ != nullptr) companion_->on_event(event);
  }
  bool on_step(double time, const IntegratorStatistics& statistics) override {
    record_.time = time;
    record_.statistics = statistics;
    keeper_.tell_events(record_);
    const bool goes_on = recorder_.on_step(time, statistics);
    return (companion_ == nullptr || companion_->on_step(time, statistics)) && goes_on;
  }
  bool may_end_inside_steps() override {
    return companion_ != nullptr && companion_->may_end_inside_steps();
  }
  bool must_end_now() override { return companion_ != nullptr && companion_->must_end_now(); }
  bool wants_checkpoint() override {
    return keeper_.is_due() || (companion_ != nullptr && companion_->wants_checkpoint());
  }
  void on_checkpoint(const Checkpoint& checkpoint) override {
    keeper_.keep(checkpoint, watches_);
    if (companion_ != nullptr) companion_->on_checkpoint(checkpoint);
  }

 private:
  Recorder& recorder_;
  RunWatches& watches_;
  RunRecord& record_;
  CheckpointKeeper& keeper_;
  SimulationObserver* companion_;
};

SimulationResult fly(const Scenario& scenario, SimulationObserver& observer,
                     const CheckpointFile* earlier) {
  Simulator simulator(scenario.setup);
  if (earlier != nullptr) return simulator.resume(earlier->checkpoint, observer);
  return simulator.run(scenario.initial, scenario.duration, scenario.output_interval, observer);
}

void simulate(const Scenario& scenario, RowSink& sink, RowLayout& layout,
              const ScenarioRunOptions& options, RunRecord& record, CheckpointKeeper& keeper) {
  Recorder recorder(layout, sink);
  RunWatches watches(scenario);
  if (options.earlier != nullptr) watches.go_on_from(options.earlier->peaks);
  RunObserver observer(recorder, watches, record, keeper, options.observer);
  take_outcome(scenario, fly(scenario, observer, options.earlier), watches, record);
}

/// Notes a failure in the metadata as far as that is still possible.
void note_failure(const std::string& message, const OutputDirectory& directory,
                  ResultWriter& writer, RunRecord& record) {
  record.status = RunStatus::failed;
  record.message = message;
  record.result.reset();
  try {
    write_metadata(directory.metadata(), record);
    writer.finish(record);
  } catch (const IoError&) {
    // what they said first is `running`, which no complete result does
  }
}

std::unique_ptr<ResultWriter> open_result(const Scenario& scenario,
                                          const OutputDirectory& directory, const RunRecord& record,
                                          const CheckpointFile* earlier) {
  if (earlier != nullptr) {
    auto writer =
        continue_result(directory.result(), scenario.format, record, earlier->checkpoint.outputs);
    write_metadata(directory.metadata(), record);
    return writer;
  }
  try {
    write_metadata(directory.metadata(), record);
    return create_result(directory.result(), scenario.format, record);
  } catch (const IoError&) {
    directory.discard();
    throw;
  }
}

}  // namespace

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

RunRecord start_record(const Scenario& scenario, const std::vector<Override>& overrides,
                       const OutputDirectory& directory, const CheckpointFile* earlier) {
  RunRecord record;
  record.scenario = scenario.name;
  record.model = scenario.setup.model;
  record.base_mode = scenario.setup.base_mode;
  record.duration = scenario.duration;
  record.output_interval = scenario.output_interval;
  record.integrator = scenario.setup.integrator;
  record.sources = scenario.sources;
  record.overrides = overrides;
  for (const Diagnostic& remark : scenario.remarks) {
    record.notes.push_back(remark.path + ": " + remark.message);
  }
  record.started = earlier != nullptr ? earlier->started : utc_now();
  if (earlier != nullptr) {
    record.wall_seconds = earlier->wall_seconds;
    for (EventRecord& event : facts_of_run(directory).events) {
      if (event.time <= earlier->checkpoint.time) record.events.push_back(std::move(event));
    }
  }
  record.files = {directory.result(), directory.metadata()};
  return record;
}

void run_scenario(const Scenario& scenario, const OutputDirectory& directory,
                  const ScenarioRunOptions& options, RunRecord& record) {
  const RunLock lock(directory.path());
  RowLayout layout(scenario.setup, scenario.initial, scenario.channels);
  record.columns = layout.columns();
  const std::unique_ptr<ResultWriter> writer =
      open_result(scenario, directory, record, options.earlier);
  CheckpointKeeper keeper(scenario, directory, record, *writer, options.checkpoint_interval);
  const auto fail = [&](const Error& error) {
    record.wall_seconds = keeper.wall_seconds();
    note_failure(error.what(), directory, *writer, record);
  };
  try {
    simulate(scenario, *writer, layout, options, record, keeper);
    record.wall_seconds = keeper.wall_seconds();
    writer->finish(record);
    write_metadata(directory.metadata(), record);
    if (record.status == RunStatus::complete) keeper.forget();
  } catch (const NumericalError& error) {
    fail(error);
    throw;
  } catch (const IoError& error) {
    fail(error);
    throw;
  } catch (const Error&) {
    if (options.earlier == nullptr) directory.discard();
    throw;
  }
}

RunRecord run_scenario_file(const std::string& path, const std::vector<Override>& overrides,
                            const std::string& directory) {
  const Scenario scenario = load_scenario(path, overrides);
  const OutputDirectory output(scenario.name, directory, scenario.format);
  RunRecord record = start_record(scenario, overrides, output);
  run_scenario(scenario, output, {}, record);
  write_run_report(output, record);
  return record;
}

void write_run_report(const OutputDirectory& directory, RunRecord& record) {
  write_html_report(directory.report(), {read_report(directory.result(), {}, ReportDetail::page)});
  record.files.push_back(directory.report());
}

}  // namespace spacedyn
