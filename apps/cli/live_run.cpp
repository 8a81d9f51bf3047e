#include "live_run.hpp"

#include <filesystem>
#include <memory>

#include "browser.hpp"
#include "failure.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "live_server.hpp"
#include "loaded_library.hpp"
#include "result_report.hpp"
#include "simulation_run.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::cli {
namespace {

/// Hands the rows of a run to its viewers at the pace they want.
class LiveObserver final : public SimulationObserver {
 public:
  LiveObserver(LiveSession& session, const Scenario& scenario)
      : session_(session),
        layout_(scenario.setup, scenario.initial, scenario.channels),
        row_(static_cast<Eigen::Index>(layout_.columns().size())) {}

  void on_output(const SimulationPoint& point) override {
    session_.wait_until_due(point.time);
    layout_.fill(point, row_);
    session_.add_row(row_);
  }
  void on_event(const EventRecord& event) override { session_.add_event(event); }
  bool on_step(double /*time*/, const IntegratorStatistics& /*statistics*/) override {
    return !session_.is_to_end();
  }

 private:
  LiveSession& session_;
  RowLayout layout_;
  VectorX row_;
};

/// The runs of one scenario, one after the other, all in one directory.
class LiveRuns {
 public:
  LiveRuns(const ViewOptions& options, LiveSession& session, Console& console)
      : options_(options.run), session_(session), console_(console) {}

  /// One run to its end. @throws Failure unless it is its integration that failed
  ExitCode run(const std::vector<Override>& overrides) {
    const std::string& file = options_.scenario;
    const Scenario scenario = reading(file, [&] { return open_scenario(file, overrides); });
    judge_warnings(scenario.warnings, options_.strict);
    if (directory_.empty()) {
      console_.show(scenario.warnings, ExitCode::bad_input);
      console_.show(scenario.remarks, ExitCode::done);
    }
    // the first run finds a directory, the next ones write over it
    const bool again = !directory_.empty();
    const OutputDirectory directory =
        create_directory(scenario, again ? directory_ : options_.output, again || options_.force);
    directory_ = std::filesystem::path(directory.result()).parent_path().string();
    RunRecord record = start_record(scenario, overrides, directory);
    session_.begin(std::make_shared<const Scenario>(open_scenario(file, overrides)), overrides);
    LiveObserver observer(session_, scenario);
    const ExitCode outcome = fly(scenario, directory, record, observer);
    session_.end(record.status, record.message, ending_of(scenario, record));
    if (session_.is_to_end()) return outcome;
    if (outcome == ExitCode::done) {
      write_page(directory, record, console_);
    } else if (!write_partial_page(directory, record, console_)) {
      return outcome;  // it was stopped before its first row
    }
    if (record.result) {
      print_run_summary(record, "look: " + directory.report() + '\n', console_);
    }
    return outcome;
  }

 private:
  static std::shared_ptr<const ReportData> ending_of(const Scenario& scenario,
                                                     const RunRecord& record) {
    auto ending = std::make_shared<ReportData>(ending_report(record));
    add_limits(*ending, scenario.checks);
    add_setup_facts(*ending, scenario.setup);
    return ending;
  }

  ExitCode fly(const Scenario& scenario, const OutputDirectory& directory, RunRecord& record,
               SimulationObserver& observer) {
    try {
      RunControl control;
      control.companion = &observer;
      run_command(scenario, directory, control, record);
      return record.status == RunStatus::interrupted ? ExitCode::interrupted : ExitCode::done;
    } catch (const Failure& failure) {
      if (failure.exit_code() != ExitCode::integration_failed) throw;
      console_.show(failure.diagnostics(), failure.exit_code());
      return failure.exit_code();
    }
  }

  SimulateOptions options_;
  LiveSession& session_;
  Console& console_;
  std::string directory_;
};

}  // namespace

ExitCode run_live(const ViewOptions& options, Console& console) {
  const std::vector<Override> overrides = all_overrides(options.run);
  const std::string& file = options.run.scenario;
  reading(file, [&] { return open_scenario(file, overrides); });
  catch_interrupts();
  LiveSession session(options.speed, overrides);
  const auto make =
      reinterpret_cast<MakeLiveServer>(loaded_function("spacedyn-live-server.so", kMakeLiveServer));
  const std::unique_ptr<const LiveServer> server(make(session, file, options.port));
  LiveRuns runs(options, session, console);
  console.print("live: " + server->address() + '\n');
  console.note("the run is shown there as it goes; Ctrl-C ends it and keeps the results");
  std::unique_ptr<const LeadingPage> page;
  if (!options.no_open) {
    page = std::make_unique<const LeadingPage>(server->address());
    open_in_browser(page->path(), console);
  }
  ExitCode outcome = runs.run(overrides);
  while (const auto command = session.wait_for_restart()) outcome = runs.run(*command);
  return outcome;
}

}  // namespace spacedyn::cli
