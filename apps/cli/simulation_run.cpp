#include "simulation_run.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "failure.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "result_report.hpp"
#include "spacedyn/reporting/result_writer.hpp"

namespace spacedyn::cli {
namespace {

using Kind = OutputDirectoryError::Kind;

constexpr const char* kResumeHint =
    "; --resume with other integrator keys (--set integrator.…) goes on from the last good state";

/// Shows progress on the terminal and hears interrupts.
class CommandObserver final : public SimulationObserver {
 public:
  CommandObserver(Progress& progress, SimulationObserver* companion)
      : progress_(progress), companion_(companion) {}

  void on_output(const SimulationPoint& point) override {
    if (companion_ != nullptr) companion_->on_output(point);
  }
  void on_event(const EventRecord& event) override {
    if (companion_ != nullptr) companion_->on_event(event);
  }
  bool on_step(double time, const IntegratorStatistics& statistics) override {
    progress_.update(time);
    return !interrupt_requested() &&
           (companion_ == nullptr || companion_->on_step(time, statistics));
  }
  bool may_end_inside_steps() override { return true; }
  bool must_end_now() override { return interrupt_is_overdue(); }

 private:
  Progress& progress_;
  SimulationObserver* companion_;
};

/// What to do about a directory that cannot be used.
std::string advice(Kind kind) {
  switch (kind) {
    case Kind::too_many:
      return "give another one with -o, or --force to overwrite the first";
    case Kind::holds_checkpoint:
      return "give --resume to go on with the run in it, or --force to overwrite its results";
    case Kind::not_empty:
      return "choose another directory, or give --force to overwrite the results in it";
    case Kind::in_use:
      return "wait until it ends, end it, or choose another directory with -o";
    case Kind::unusable:
    case Kind::no_run:
    case Kind::no_checkpoint:
      break;
  }
  return {};
}

/// A table that a scenario reads may lie where its result is to go.
void keep_inputs(const Scenario& scenario, const std::string& requested) {
  namespace fs = std::filesystem;
  const std::string stem = file_stem(scenario.name);
  const fs::path folder = requested.empty() ? fs::path("results") / stem : fs::path(requested);
  for (const char* ending : {".h5", ".csv", ".meta.json", ".checkpoint", ".html"}) {
    for (const auto& [path, text] : scenario.sources) {
      refuse_inputs((folder / (stem + ending)).string(), {path});
    }
  }
}

[[noreturn]] void fail_in(const Scenario& scenario, const Error& error) {
  Diagnostic diagnostic;
  diagnostic.file = scenario.file;
  diagnostic.message = error.what();
  throw Failure(ExitCode::bad_input, {diagnostic});
}

}  // namespace

Failure directory_failure(const OutputDirectoryError& error) {
  return {ExitCode::output_failed, error.what(), advice(error.kind())};
}

OutputDirectory create_directory(const Scenario& scenario, const std::string& requested,
                                 bool force) {
  if (force) keep_inputs(scenario, requested);
  try {
    return {scenario.name, requested, scenario.format,
            force ? ExistingFiles::overwrite : ExistingFiles::keep};
  } catch (const OutputDirectoryError& error) {
    throw directory_failure(error);
  }
}

void run_command(const Scenario& scenario, const OutputDirectory& directory,
                 const RunControl& control, RunRecord& record) {
  const std::string kept = fmt::format("the rows before that are in '{}'", directory.result());
  const auto exists = [](const std::string& path) { return std::filesystem::exists(path); };
  Progress progress(control.show_progress, scenario.duration);
  CommandObserver observer(progress, control.companion);
  try {
    run_scenario(scenario, directory, {control.checkpoint_interval, &observer, control.earlier},
                 record);
  } catch (const NumericalError& error) {
    throw Failure(ExitCode::integration_failed, error.what(),
                  kept + (exists(directory.checkpoint()) ? kResumeHint : ""));
  } catch (const ContinuationError& error) {
    throw Failure(ExitCode::bad_input, error.what(),
                  "run the scenario from its start, with --force to overwrite these results");
  } catch (const OutputDirectoryError& error) {
    throw directory_failure(error);
  } catch (const IoError& error) {
    throw Failure(ExitCode::output_failed, error.what(), exists(directory.result()) ? kept : "");
  } catch (const Error& error) {
    fail_in(scenario, error);
  }
}

}  // namespace spacedyn::cli
