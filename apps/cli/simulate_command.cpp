#include <chrono>

#include <fmt/format.h>

#include "browser.hpp"
#include "commands.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "result_report.hpp"
#include "resume.hpp"
#include "simulation_run.hpp"
#include "spacedyn/scenario/scenario_run.hpp"
#include "spacedyn/study/sweep_run.hpp"
#include "suggestions.hpp"

namespace spacedyn::cli {

std::vector<Override> parse_overrides(const std::vector<std::string>& texts) {
  std::vector<Override> overrides;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw Failure(ExitCode::wrong_command_line,
                    "option '--set' needs KEY.PATH=VALUE, got '" + text + "'",
                    "for example --set integrator.relative_tolerance=1.0e-11");
    }
    overrides.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return overrides;
}

std::vector<Override> all_overrides(const SimulateOptions& options) {
  std::vector<Override> overrides = parse_overrides(options.overrides);
  if (!options.duration.empty()) overrides.emplace_back("duration", options.duration);
  if (!options.format.empty()) overrides.emplace_back("output.format", options.format);
  if (!options.channels.empty()) {
    overrides.emplace_back("output.channels", '[' + options.channels + ']');
  }
  return overrides;
}

void print_run_summary(const RunRecord& record, const std::string& look, Console& console) {
  if (console.options().json) {
    console.print(summary_json(record) + '\n');
  } else if (!console.options().quiet) {
    console.print(summary_text(record) + look);
  }
}

void write_page(const OutputDirectory& directory, RunRecord& record, Console& console) {
  console.detail("writing " + directory.report());
  try {
    // within the limits that the environment sets, which the library does not look at
    write_html_report(directory.report(),
                      {read_result_report(directory.result(), ReportDetail::page)});
  } catch (const IoError& error) {
    throw Failure(ExitCode::output_failed, error.what(),
                  "the result itself is complete in '" + directory.result() + "'");
  }
  record.files.push_back(directory.report());
}

bool write_partial_page(const OutputDirectory& directory, RunRecord& record, Console& console) {
  try {
    write_page(directory, record, console);
    return true;
  } catch (const Failure& failure) {
    console.note("there is no page: " + failure.diagnostics().front().message);
    return false;
  }
}

namespace {

/// The same flight for twice as long, into a folder of its own.
std::string next_command(const SimulateOptions& options, const RunRecord& record) {
  std::string command = fmt::format("next: {} simulate {}", shell_word(options.program),
                                    shell_word(options.scenario));
  for (const std::string& change : options.overrides) {
    if (change.rfind("duration=", 0) != 0) command += " --set " + shell_word(change);
  }
  return fmt::format("{} --set duration={:g}\n", command, 2.0 * record.duration);
}

/// What goes on with an interrupted run: the command as it was given, but for what does not matter.
std::string resume_command(const SimulateOptions& options) {
  std::string command =
      fmt::format("{} simulate {}", shell_word(options.program), shell_word(options.scenario));
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) command += fmt::format(" {} {}", option, shell_word(value));
  };
  add("-o", options.output);
  for (const std::string& change : options.overrides) add("--set", change);
  add("--duration", options.duration);
  add("--format", options.format);
  add("--channels", options.channels);
  if (options.row) return command + fmt::format(" --row {} --force", *options.row);
  return command + " --resume";
}

/// Where to look and what to try next.
std::string advice(const SimulateOptions& options, const RunRecord& record) {
  const std::string look =
      options.no_report ? "" : fmt::format("look: open {} in a browser\n", record.files.back());
  return look + (options.row ? "" : next_command(options, record));
}

/// Shows the checks that failed; whether there are any.
bool any_check_failed(const RunRecord& record, Console& console) {
  std::vector<Diagnostic> failed;
  for (const CheckOutcome& check : record.checks) {
    if (check.passed()) continue;
    Diagnostic diagnostic;
    diagnostic.message = fmt::format("check {}: {:.3g} exceeds the limit {:g}", check.name,
                                     check.value, check.limit);
    diagnostic.hint = "a smaller step or tolerance shows whether the integration is to blame";
    failed.push_back(std::move(diagnostic));
  }
  console.show(failed, ExitCode::check_failed);
  return !failed.empty();
}

/// Last words of a run whose page is interrupted.
std::string without_page(const std::string& what, const OutputDirectory& directory,
                         const Console& console) {
  return console.last_words("interrupted; " + what + " in '" + directory.result() +
                            "', but it has no page");
}

/// Writes and opens the page of a run that was stopped, unless that is interrupted once more.
void show_partial_page(const OutputDirectory& directory, RunRecord& record,
                       const SimulateOptions& options, Console& console) {
  if (options.no_report) return;
  forget_interrupt();
  end_on_interrupts(without_page("the rows so far are", directory, console),
                    directory.report() + ".tmp");
  if (!write_partial_page(directory, record, console)) return;
  console.note("look: open " + directory.report() + " in a browser");
  if (options.open) open_in_browser(directory.report(), console);
}

ExitCode simulate_into(const OutputDirectory& directory, const Scenario& scenario,
                       const std::vector<Override>& overrides, RunControl control,
                       const SimulateOptions& options, Console& console) {
  for (const auto& [path, text] : scenario.sources) console.detail("read " + path);
  console.detail("writing " + directory.result());
  RunRecord record = start_record(scenario, overrides, directory, control.earlier);
  control.checkpoint_interval = options.checkpoint_interval;
  if (control.earlier != nullptr) {
    console.note(fmt::format("going on from t = {:g} s", control.earlier->checkpoint.time));
  }
  const ConsoleOptions& say = console.options();
  control.show_progress = !options.no_progress && !say.quiet && !say.json && error_is_terminal();
  catch_interrupts();
  try {
    run_command(scenario, directory, control, record);
  } catch (const Failure& failure) {
    if (failure.exit_code() != ExitCode::integration_failed) throw;
    console.show(failure.diagnostics(), failure.exit_code());
    show_partial_page(directory, record, options, console);
    return failure.exit_code();
  }
  if (record.status == RunStatus::interrupted) {
    print_run_summary(record, "next: " + resume_command(options) + '\n', console);
    console.note(
        fmt::format("interrupted at t = {:g} s; the rows so far are in '{}'\n"
                    "go on from there with\n  {}",
                    record.time, directory.result(), resume_command(options)));
    show_partial_page(directory, record, options, console);
    return ExitCode::interrupted;
  }
  if (!options.no_report) {
    end_on_interrupts(without_page("the run is complete", directory, console),
                      directory.report() + ".tmp");
    write_page(directory, record, console);
  }
  print_run_summary(record, advice(options, record), console);
  if (options.open) open_in_browser(record.files.back(), console);
  return any_check_failed(record, console) ? ExitCode::check_failed : ExitCode::done;
}

/// Ends a flight that takes longer than its sweep allows.
class WallTimeLimit final : public SimulationObserver {
 public:
  WallTimeLimit(double most, double duration) : most_(most), duration_(duration) {}

  bool on_step(double time, const IntegratorStatistics& statistics) override {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    if (elapsed.count() <= most_) return true;
    throw NumericalError(fmt::format("limits.wall_time: {:g} s are over at t = {:.6g} of {:g} s",
                                     most_, time, duration_),
                         time, statistics.steps, "limits.wall_time");
  }

 private:
  double most_, duration_;  // s
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Flies a row of a sweep again.
ExitCode simulate_row(const SimulateOptions& options, const std::vector<Override>& changes,
                      Console& console) {
  const std::string& file = options.scenario;
  const Sweep sweep = reading(file, [&] { return sweep_of_result(file); });
  const long row = *options.row;
  if (row >= sweep.rows()) {
    throw Failure(
        ExitCode::wrong_command_line,
        fmt::format("option '--row': expected a row from 0 to {}, got {}", sweep.rows() - 1, row));
  }
  const std::vector<Override> overrides =
      merge_overrides(sweep.overrides_of(sweep.draw(row)), changes);
  try {
    const Scenario scenario = reload_scenario(sweep.sources(), overrides);
    judge_warnings(scenario.warnings, options.strict);
    console.show(scenario.warnings, ExitCode::bad_input);
    console.show(scenario.remarks, ExitCode::done);
    const OutputDirectory directory = create_directory(scenario, options.output, options.force);
    WallTimeLimit limit(sweep.settings().limits.wall_time, scenario.duration);
    RunControl control;
    control.companion = &limit;
    return simulate_into(directory, scenario, overrides, control, options, console);
  } catch (const OverrideError& error) {
    // what a row is flown with is no matter of the command line
    const bool is_own = changes.empty();
    throw Failure(is_own ? ExitCode::bad_input : ExitCode::wrong_command_line, error.diagnostics());
  } catch (const Error& error) {
    throw Failure(ExitCode::bad_input, diagnostics_of(error, file));
  }
}

}  // namespace

ExitCode run_simulate(const SimulateOptions& options, Console& console) {
  std::vector<Override> overrides = all_overrides(options);
  if (options.row) return simulate_row(options, overrides, console);
  if (options.resume) {
    const Resumption run = find_resumption(options, overrides, console);
    RunControl control;
    control.earlier = run.checkpoint ? &*run.checkpoint : nullptr;
    return simulate_into(run.directory, run.scenario, run.overrides, control, options, console);
  }
  const Scenario scenario = read_scenario(options.scenario, overrides, options.strict, console);
  const OutputDirectory directory = create_directory(scenario, options.output, options.force);
  return simulate_into(directory, scenario, overrides, {}, options, console);
}

}  // namespace spacedyn::cli
