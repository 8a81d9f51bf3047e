#include "spacedyn/study/sweep_run.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <thread>

#include "reporting/results/output_file.hpp"
#include "scenario/run_outcome.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/build_info.hpp"
#include "spacedyn/scenario/output_directory.hpp"
#include "study/process_crew.hpp"
#include "study/sweep_file.hpp"
#include "study/sweep_implementation.hpp"
#include "study/thread_crew.hpp"
#include "threads.hpp"

namespace spacedyn {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds kBeat(50), kAnswer(2);
/// Part of its time that the file may take from flights.
constexpr double kWritingShare = 0.05;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Runs until all rows are flown or the observer ends it.
class Runner {
 public:
  Runner(const Sweep& sweep, const SweepOptions& options, SweepFileWriter* file)
      : sweep_(sweep),
        options_(options),
        file_(file),
        pending_(sweep.rows(), sweep.implementation().bundle) {
    progress_.rows = sweep.rows();
    if (options.only.empty()) return;
    pending_.keep_only(options.only);
    progress_.rows = pending_.count();
  }

  /// Counts a row of an earlier part.
  void count_earlier(const SweepRow& row) {
    pending_.leave_out(row.row);
    count(row);
  }

  SweepOutcome run(const std::string& results) {
    const long before = progress_.flown;
    const std::unique_ptr<Crew> crew = hire(results);
    std::vector<SweepRow> rows;
    bool goes_on = true;
    while (crew->take(rows, kBeat)) {
      for (const SweepRow& row : rows) count(row);
      write(rows);
      crew->watch_limits();
      progress_.wall_seconds = seconds_since(start_);
      progress_.rate =
          static_cast<double>(progress_.flown - before) / std::max(progress_.wall_seconds, 1e-9);
      const bool is_due = options_.observer != nullptr && Clock::now() >= next_beat_;
      if (!is_due || !goes_on) continue;
      next_beat_ = Clock::now() + kBeat;
      goes_on = options_.observer->on_progress(progress_);
      if (!goes_on) crew->stop();
    }
    flush();
    if (options_.observer != nullptr) options_.observer->on_progress(progress_);
    return {progress_};
  }

 private:
  void count(const SweepRow& row) {
    ++progress_.flown;
    if (row.has_failed()) ++progress_.failed;
    if (options_.observer != nullptr) options_.observer->on_row(row);
  }

  std::unique_ptr<Crew> hire(const std::string& results) {
    const int threads = thread_count(options_.threads);
    if (options_.processes != nullptr) {
      return std::make_unique<ProcessCrew>(sweep_, results, threads, pending_, *options_.processes);
    }
    return std::make_unique<ThreadCrew>(sweep_, results, threads,
                                        [this] { return pending_.next(); });
  }

  /// Rows that come fast are taken and written together, so that this takes a small part of the
  /// time.
  void write(std::vector<SweepRow>& rows) {
    const Clock::time_point now = Clock::now();
    Clock::time_point until = now + kAnswer;  // other processes wait for an answer
    if (file_ != nullptr) {
      std::move(rows.begin(), rows.end(), std::back_inserter(unwritten_));
      if (now >= next_write_) flush();
      until = options_.processes ? std::min(next_write_, until) : next_write_;
    }
    if (rows.empty() || progress_.flown == progress_.rows) return;
    std::this_thread::sleep_until(until);
  }

  void flush() {
    if (unwritten_.empty()) return;
    const Clock::time_point begin = Clock::now();
    file_->write(unwritten_);
    unwritten_.clear();
    const std::chrono::duration<double> pause(seconds_since(begin) / kWritingShare);
    next_write_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::min(pause, std::chrono::duration<double>(kBeat)));
  }

  const Sweep& sweep_;
  const SweepOptions& options_;
  SweepFileWriter* file_;
  PendingRows pending_;
  SweepProgress progress_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_beat_ = start_, next_write_ = start_;
  std::vector<SweepRow> unwritten_;
};

/// @throws SweepMismatch unless a result is that of a sweep
void check_same(const SweepTable& result, const Sweep& sweep) {
  const auto refuse = [&](const std::string& what) {
    throw SweepMismatch('\'' + result.path + "' cannot be resumed: " + what);
  };
  if (result.version != build_info().spacedyn) {
    refuse("version " + result.version + " of spacedyn has flown its rows, this is " +
           build_info().spacedyn);
  }
  if (result.overrides != sweep.overrides()) refuse("it was begun with other options --set");
  const auto texts_of = [](const std::map<std::string, std::string>& sources) {
    std::vector<std::string> texts;
    for (const auto& [path, text] : sources) texts.push_back(text);
    std::sort(texts.begin(), texts.end());
    return texts;
  };
  if (texts_of(result.sources) == texts_of(sweep.sources())) return;
  for (const auto& [path, text] : result.sources) {
    const auto now = sweep.sources().find(path);
    if (now == sweep.sources().end() || now->second != text) {
      refuse('\'' + path + "' is not what it was when the sweep began");
    }
  }
  refuse("it has other input files");
}

/// Goes on with a result. The rows so far go into a new file, which then takes the place of the old
/// one: whatever happens meanwhile, one of them is whole.
SweepOutcome continue_sweep(const std::string& path, const std::string& results, const Sweep& sweep,
                            const SweepOptions& options, SweepMetadata& metadata) {
  SweepFileReader earlier(path);
  check_same(earlier.head(), sweep);
  const std::string unfinished = path + ".part";
  std::error_code ignored;
  std::filesystem::remove(unfinished, ignored);
  SweepFileWriter file(unfinished, sweep);
  metadata.begin();
  Runner runner(sweep, options, &file);
  std::vector<SweepRow> rows;
  while (earlier.next(rows)) {
    for (const SweepRow& row : rows) runner.count_earlier(row);
    file.write(rows);
  }
  rename_file(unfinished, path);
  const SweepOutcome outcome = runner.run(results);
  file.close();
  return outcome;
}

}  // namespace

SweepObserver::~SweepObserver() = default;
SweepMismatch::~SweepMismatch() = default;

SweepOutcome run_sweep(const Sweep& sweep, const SweepOptions& options) {
  return Runner(sweep, options, nullptr).run({});
}

std::string sweep_file(const std::string& folder, const Sweep& sweep) {
  return (std::filesystem::path(folder) / (file_stem(sweep.settings().name) + ".h5")).string();
}

SweepOutcome run_sweep_into(const std::string& folder, const Sweep& sweep, bool resume,
                            const SweepOptions& options) {
  const RunLock lock(folder);
  const std::string path = sweep_file(folder, sweep);
  const std::string results = sweep.settings().keep_results == KeepResults::none
                                  ? ""
                                  : (std::filesystem::path(folder) / "rows").string();
  SweepMetadata metadata(std::filesystem::path(path).replace_extension(".meta.json").string(),
                         sweep, thread_count(options.threads),
                         options.processes != nullptr ? options.processes->size() : 1);
  SweepOutcome outcome;
  if (resume && std::filesystem::exists(path)) {
    outcome = continue_sweep(path, results, sweep, options, metadata);
  } else {
    SweepFileWriter file(path, sweep);
    metadata.begin();
    outcome = Runner(sweep, options, &file).run(results);
    file.close();
  }
  metadata.end(outcome);
  return outcome;
}

}  // namespace spacedyn
