#include "simulation_run.hpp"

#include <array>
#include <ctime>

#include <fmt/format.h>

#include "checkpoint_keeper.hpp"
#include "failure.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "spacedyn/reporting/result_writer.hpp"

namespace spacedyn::cli {
namespace {

constexpr const char* kResumeHint =
    "; --resume with other integrator keys (--set integrator.…) goes on from the last good state";

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

/// Hands the simulation to the recorder, and its progress to the terminal and the record.
class RunObserver final : public SimulationObserver {
 public:
  RunObserver(Recorder& recorder, RateWatches& watches, Progress& progress, RunRecord& record,
              CheckpointKeeper& keeper, SimulationObserver* companion)
      : recorder_(recorder),
        watches_(watches),
        progress_(progress),
        record_(record),
        keeper_(keeper),
        companion_(companion) {}

  void on_output(const SimulationPoint& point) override {
    recorder_.on_output(point);
    watches_.modal.see(point.time, point.velocities);
    watches_.joints.see(point.time, point.state);
    if (companion_ != nullptr) companion_->on_output(point);
  }

  bool on_step(double time, const IntegratorStatistics& statistics) override {
    record_.time = time;
    record_.statistics = statistics;
    progress_.update(time);
    const bool goes_on = recorder_.on_step(time, statistics) && !interrupt_requested();
    return goes_on && (companion_ == nullptr || companion_->on_step(time, statistics));
  }

  bool may_end_inside_steps() override { return true; }
  bool must_end_now() override { return interrupt_is_overdue(); }
  bool wants_checkpoint() override { return keeper_.is_due(); }
  void on_checkpoint(const Checkpoint& checkpoint) override { keeper_.keep(checkpoint, watches_); }

 private:
  Recorder& recorder_;
  RateWatches& watches_;
  Progress& progress_;
  RunRecord& record_;
  CheckpointKeeper& keeper_;
  SimulationObserver* companion_;
};

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

SimulationResult fly(const Scenario& scenario, SimulationObserver& observer,
                     const CheckpointFile* earlier) {
  Simulator simulator(scenario.setup);
  if (earlier != nullptr) return simulator.resume(earlier->checkpoint, observer);
  return simulator.run(scenario.initial, scenario.duration, scenario.output_interval, observer);
}

void simulate(const Scenario& scenario, RowSink& sink, RowLayout& layout, const RunControl& control,
              RunRecord& record, CheckpointKeeper& keeper) {
  Recorder recorder(layout, sink);
  Progress progress(control.show_progress, scenario.duration);
  RateWatches watches(scenario);
  if (control.earlier != nullptr) {
    watches.modal.go_on_from(control.earlier->modal_rates);
    watches.joints.go_on_from(control.earlier->joint_rates);
  }
  RunObserver observer(recorder, watches, progress, record, keeper, control.companion);
  record.result = fly(scenario, observer, control.earlier);
  record.time = record.result->time;
  record.statistics = record.result->statistics;
  record.status = record.result->interrupted ? RunStatus::interrupted : RunStatus::complete;
  record.warnings = watches.modal.warnings();
  for (std::string& text : watches.joints.warnings()) record.warnings.push_back(std::move(text));
  record.checks = check_outcomes(scenario.checks, record.result->audit);
}

/// @throws Failure (3) if a channel cannot be recorded in this scenario
RowLayout layout_of(const Scenario& scenario) {
  try {
    return {scenario.setup, scenario.initial, scenario.channels};
  } catch (const DomainError& error) {
    Diagnostic diagnostic;
    diagnostic.file = scenario.file;
    diagnostic.message = error.what();
    throw Failure(ExitCode::bad_input, {diagnostic});
  }
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

}  // namespace

RunRecord start_record(const Scenario& scenario, const std::vector<Override>& overrides,
                       const OutputDirectory& directory) {
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
  record.started = utc_now();
  record.files = {directory.result(), directory.metadata()};
  return record;
}

namespace {

/// @throws Failure (6)
std::unique_ptr<ResultWriter> open_result(const Scenario& scenario,
                                          const OutputDirectory& directory, const RunRecord& record,
                                          const CheckpointFile* earlier) {
  try {
    if (earlier != nullptr) {
      auto writer =
          continue_result(directory.result(), scenario.format, record, earlier->checkpoint.outputs);
      write_metadata(directory.metadata(), record);
      return writer;
    }
    write_metadata(directory.metadata(), record);
    return create_result(directory.result(), scenario.format, record);
  } catch (const ContinuationError& error) {
    throw Failure(ExitCode::bad_input, error.what(),
                  "run the scenario from its start, with --force to overwrite these results");
  } catch (const IoError& error) {
    if (earlier == nullptr) directory.discard();
    throw Failure(ExitCode::output_failed, error.what());
  }
}

}  // namespace

void run_scenario(const Scenario& scenario, const OutputDirectory& directory,
                  const RunControl& control, RunRecord& record) {
  RowLayout layout = layout_of(scenario);
  record.columns = layout.columns();
  const std::unique_ptr<ResultWriter> writer =
      open_result(scenario, directory, record, control.earlier);
  CheckpointKeeper keeper(scenario, directory.checkpoint(), record, *writer,
                          control.checkpoint_interval);
  const auto stop_watch = [&] { record.wall_seconds = keeper.wall_seconds(); };
  const std::string kept = fmt::format("the rows before that are in '{}'", directory.result());
  try {
    simulate(scenario, *writer, layout, control, record, keeper);
    stop_watch();
    writer->finish(record);
    write_metadata(directory.metadata(), record);
    if (record.status == RunStatus::complete) keeper.forget();
  } catch (const NumericalError& error) {
    stop_watch();
    note_failure(error.what(), directory, *writer, record);
    throw Failure(ExitCode::integration_failed, error.what(),
                  kept + (keeper.has_kept() ? kResumeHint : ""));
  } catch (const IoError& error) {
    stop_watch();
    note_failure(error.what(), directory, *writer, record);
    throw Failure(ExitCode::output_failed, error.what(), kept);
  } catch (const Error& error) {
    if (control.earlier == nullptr) directory.discard();
    Diagnostic diagnostic;
    diagnostic.file = scenario.file;
    diagnostic.message = error.what();
    throw Failure(ExitCode::bad_input, {diagnostic});
  }
}

}  // namespace spacedyn::cli
