#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "failure.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "simulation_run.hpp"
#include "spacedyn/study/linear_covariance.hpp"
#include "spacedyn/study/sweep_run.hpp"
#include "suggestions.hpp"

namespace spacedyn::cli {
namespace {

/// Rows that have failed for one reason.
struct FailureKind {
  int status = 0;
  long count = 0;
  long first = 0;  ///< row
  std::string message;
};

/// Shows how far a sweep has come, counts why rows fail, and hears interrupts.
class SweepWatcher final : public SweepObserver {
 public:
  SweepWatcher(const Console& console, bool is_shown)
      : events_(is_shown && console.options().json),
        line_(is_shown && !console.options().json && error_is_terminal()) {}

  void on_row(const SweepRow& row) override {
    if (row.status == 0) return;
    FailureKind& kind = kinds_[failure_kind(row)];
    if (kind.count == 0 || row.row < kind.first) {
      kind.first = row.row;
      kind.message = row.message;
    }
    kind.status = row.status;
    ++kind.count;
  }

  bool on_progress(const SweepProgress& progress) override {
    line_.update(fmt::format(
        "{:3.0f} %  {} of {} rows, {} failed, {:.3g} rows/s, {} left",
        100.0 * static_cast<double>(progress.flown) / static_cast<double>(progress.rows),
        progress.flown, progress.rows, progress.failed, progress.rate,
        time_text(progress.seconds_left())));
    const std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now();
    if (events_ && now >= next_event_) {
      next_event_ = now + std::chrono::seconds(1);
      write_event(progress);
    }
    return !interrupt_requested();
  }

  std::vector<FailureKind> kinds() const {
    std::vector<FailureKind> all;
    for (const auto& [text, kind] : kinds_) all.push_back(kind);
    std::sort(all.begin(), all.end(),
              [](const FailureKind& a, const FailureKind& b) { return a.first < b.first; });
    return all;
  }

 private:
  static void write_event(const SweepProgress& progress) {
    const std::string text = nlohmann::ordered_json{{"event", "progress"},
                                                    {"rows", progress.rows},
                                                    {"flown", progress.flown},
                                                    {"failed", progress.failed},
                                                    {"rows_per_second", progress.rate},
                                                    {"seconds_left", progress.seconds_left()}}
                                 .dump() +
                             '\n';
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
  }

  bool events_;
  ProgressLine line_;
  std::chrono::steady_clock::time_point next_event_ =
      std::chrono::steady_clock::now() + std::chrono::seconds(1);
  std::map<std::string, FailureKind> kinds_;
};

OutputDirectory sweep_directory(const SweepCommandOptions& options, const std::string& name) {
  try {
    if (options.resume) {
      auto earlier = OutputDirectory::newest(name, options.output, ResultFormat::hdf5);
      if (earlier) return *earlier;
    }
    return {name, options.output, ResultFormat::hdf5,
            options.force ? ExistingFiles::overwrite : ExistingFiles::keep};
  } catch (const OutputDirectoryError& error) {
    throw directory_failure(error);
  }
}

std::string sweep_command_line(const SweepCommandOptions& options) {
  std::string text =
      fmt::format("{} sweep {}", shell_word(options.program), shell_word(options.sweep));
  if (!options.output.empty()) text += " -o " + shell_word(options.output);
  for (const std::string& change : options.overrides) text += " --set " + shell_word(change);
  return text;
}

SweepOutcome fly_sweep(const Sweep& sweep, const OutputDirectory& directory,
                       const SweepCommandOptions& options, const SweepOptions& how) {
  try {
    return run_sweep_into(directory.path().string(), sweep, options.resume, how);
  } catch (const SweepMismatch& error) {
    throw Failure(ExitCode::bad_input, error.what(),
                  "sweep without --resume, into another directory or with --force");
  } catch (const OutputDirectoryError& error) {
    throw directory_failure(error);
  } catch (const IoError& error) {
    throw Failure(
        ExitCode::output_failed, error.what(),
        "rows flown so far are kept; go on with\n  " + sweep_command_line(options) + " --resume");
  }
}

void print_sweep_summary(const Sweep& sweep, const SweepProgress& progress,
                         const OutputDirectory& directory, const SweepCommandOptions& options,
                         const std::vector<FailureKind>& kinds, const Console& console) {
  const std::vector<std::string> files{directory.result(), directory.metadata()};
  if (console.options().json) {
    console.print(nlohmann::ordered_json{{"sweep", sweep.settings().name},
                                         {"rows", progress.rows},
                                         {"done", progress.flown - progress.failed},
                                         {"failed", progress.failed},
                                         {"wall_seconds", progress.wall_seconds},
                                         {"files", files}}
                      .dump(2) +
                  '\n');
    return;
  }
  if (console.options().quiet) return;
  std::string text =
      fmt::format("{}: {} of {} rows flown, {} failed, in {:.3g} s\n", sweep.settings().name,
                  progress.flown, progress.rows, progress.failed, progress.wall_seconds);
  for (const FailureKind& kind : kinds) {
    text += fmt::format("  {} with status {}, first row {}: {}\n", kind.count, kind.status,
                        kind.first, kind.message.substr(0, kind.message.find('\n')));
  }
  text += fmt::format("files\n  {}\n  {}\n", files[0], files[1]);
  const long row = kinds.empty() ? 0 : kinds.front().first;
  text += fmt::format("next: {} simulate --row {} {}\n", shell_word(options.program), row,
                      shell_word(files[0]));
  console.print(text);
}

std::string linear_text(const Sweep& sweep, const LinearCovariance& result) {
  const SweepSettings& settings = sweep.settings();
  std::string text = fmt::format("{}: to first order about the means of {} parameters\n",
                                 settings.name, settings.parameters.size());
  for (std::size_t i = 0; i < settings.collect.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    if (!result.missing[i].empty()) {
      text += fmt::format("  {}: {:.8g}; {}\n", settings.collect[i].name, result.collected[i],
                          result.missing[i]);
      continue;
    }
    const double variance = result.covariance(row, row);
    text += fmt::format("  {}: {:.8g} ± {:.4g} {}\n", settings.collect[i].name, result.collected[i],
                        std::sqrt(variance), settings.collect[i].unit);
    for (std::size_t j = 0; j < settings.parameters.size(); ++j) {
      text +=
          fmt::format("    {:>14.6g} per {} of {}\n", result.by(row, static_cast<Eigen::Index>(j)),
                      settings.parameters[j].unit.empty() ? "1" : settings.parameters[j].unit,
                      settings.parameters[j].key);
    }
  }
  return text;
}

/// One flight with its derivatives in place of the rows.
ExitCode run_linear(const Sweep& sweep, const SweepCommandOptions& options,
                    const Console& console) {
  LinearCovariance result;
  try {
    result = linear_covariance(sweep);
  } catch (const NumericalError& error) {
    throw Failure(ExitCode::integration_failed, error.what());
  } catch (const Error& error) {
    throw Failure(ExitCode::bad_input, diagnostics_of(error, options.sweep));
  }
  std::vector<std::string> files;
  if (!options.output.empty()) {
    try {
      OutputDirectory directory(sweep.settings().name, options.output, ResultFormat::hdf5,
                                options.force ? ExistingFiles::overwrite : ExistingFiles::keep);
      files = write_linear_covariance(directory.path().string(), sweep, result);
    } catch (const OutputDirectoryError& error) {
      throw directory_failure(error);
    } catch (const IoError& error) {
      throw Failure(ExitCode::output_failed, error.what());
    }
  }
  if (console.options().json) {
    console.print(linear_covariance_summary(sweep, result, files));
  } else if (!console.options().quiet) {
    std::string text = linear_text(sweep, result);
    if (!files.empty()) text += "files\n";
    for (const std::string& file : files) text += "  " + file + '\n';
    console.print(text);
  }
  return ExitCode::done;
}

}  // namespace

ExitCode run_sweep_command(const SweepCommandOptions& options, Console& console) {
  const Ranks ranks = join_ranks();
  SweepOptions how;
  how.threads = options.threads;
  std::optional<SweepProcesses> processes;
  if (ranks.communicator) {
    if (how.threads == 0) how.threads = 1;  // whoever starts ranks has counted the cores
    if (ranks.rank > 0) {
      catch_interrupts();
      fly_rows_for_others(*ranks.communicator, how.threads, [] { return !interrupt_requested(); });
      return ExitCode::done;
    }
    how.processes = &processes.emplace(*ranks.communicator);
  }
  const std::vector<Override> overrides = parse_overrides(options.overrides);
  const Sweep sweep = reading(options.sweep, [&] { return Sweep::load(options.sweep, overrides); });
  judge_warnings(sweep.warnings(), options.strict);
  console.show(sweep.warnings(), ExitCode::bad_input);
  if (options.linear) return run_linear(sweep, options, console);
  const OutputDirectory directory = sweep_directory(options, sweep.settings().name);
  const ConsoleOptions& say = console.options();
  SweepWatcher observer(console, !options.no_progress && !say.quiet);
  how.observer = &observer;
  catch_interrupts();
  const SweepOutcome outcome = fly_sweep(sweep, directory, options, how);
  print_sweep_summary(sweep, outcome.progress, directory, options, observer.kinds(), console);
  if (processes && processes->lost() > 0) {
    console.note(fmt::format("{} of {} ranks no longer answered; others have flown their rows",
                             processes->lost(), processes->size()));
  }
  if (!outcome.is_complete()) {
    console.note("interrupted; go on with\n  " + sweep_command_line(options) + " --resume");
    return ExitCode::interrupted;
  }
  return outcome.progress.failed > 0 ? ExitCode::integration_failed : ExitCode::done;
}

}  // namespace spacedyn::cli
