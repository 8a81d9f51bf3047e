#include "spacedyn/study/sweep_run.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "reporting/results/output_file.hpp"
#include "scenario/run_lock.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/build_info.hpp"
#include "spacedyn/scenario/output_directory.hpp"
#include "study/crew.hpp"
#include "study/sweep_file.hpp"
#include "study/sweep_metadata.hpp"

namespace spacedyn {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds kBeat(50);
/// Part of its time that the file may take from flights.
constexpr double kWritingShare = 0.05;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

int thread_count(int wanted) {
  if (wanted < 0) throw DomainError("the number of threads must not be negative");
  if (wanted > 0) return wanted;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// Hands out the rows that have not been flown, in ascending order.
class PendingRows {
 public:
  explicit PendingRows(long rows) : flown_(static_cast<std::size_t>(rows), false) {}

  /// @throws DomainError if one is none of the sweep
  void keep_only(const std::vector<long>& rows) {
    flown_.assign(flown_.size(), true);
    for (const long row : rows) {
      if (row < 0 || row >= static_cast<long>(flown_.size())) {
        throw DomainError("the sweep has no row " + std::to_string(row));
      }
      flown_[static_cast<std::size_t>(row)] = false;
    }
  }

  /// Only before next() is called.
  void leave_out(long row) { flown_.at(static_cast<std::size_t>(row)) = true; }

  long count() const { return std::count(flown_.begin(), flown_.end(), false); }

  long next() {
    const auto rows = static_cast<long>(flown_.size());
    while (true) {
      const long row = next_++;
      if (row >= rows) return -1;
      if (!flown_[static_cast<std::size_t>(row)]) return row;
    }
  }

 private:
  std::vector<bool> flown_;
  std::atomic<long> next_{0};
};

/// Runs until all rows are flown or the observer ends it.
class Runner {
 public:
  Runner(const Sweep& sweep, const SweepOptions& options, SweepFileWriter* file)
      : sweep_(sweep), options_(options), file_(file), pending_(sweep.rows()) {
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
    Crew crew(sweep_, results, thread_count(options_.threads), [this] { return pending_.next(); });
    std::vector<SweepRow> rows;
    bool goes_on = true;
    while (crew.take(rows, kBeat)) {
      for (const SweepRow& row : rows) count(row);
      write(rows);
      crew.watch_limits();
      progress_.wall_seconds = seconds_since(start_);
      progress_.rate =
          static_cast<double>(progress_.flown - before) / std::max(progress_.wall_seconds, 1e-9);
      const bool is_due = options_.observer != nullptr && Clock::now() >= next_beat_;
      if (!is_due || !goes_on) continue;
      next_beat_ = Clock::now() + kBeat;
      goes_on = options_.observer->on_progress(progress_);
      if (!goes_on) crew.stop();
    }
    if (options_.observer != nullptr) options_.observer->on_progress(progress_);
    return {progress_};
  }

 private:
  void count(const SweepRow& row) {
    ++progress_.flown;
    if (row.has_failed()) ++progress_.failed;
    if (options_.observer != nullptr) options_.observer->on_row(row);
  }

  /// Rows that come fast are written together, so that writing takes a small part of the time.
  void write(std::vector<SweepRow>& rows) {
    if (file_ == nullptr || rows.empty()) return;
    const Clock::time_point begin = Clock::now();
    file_->write(rows);
    if (progress_.flown == progress_.rows) return;
    const auto pause = std::chrono::duration<double>(seconds_since(begin) / kWritingShare);
    std::this_thread::sleep_for(std::min(pause, std::chrono::duration<double>(kBeat)));
  }

  const Sweep& sweep_;
  const SweepOptions& options_;
  SweepFileWriter* file_;
  PendingRows pending_;
  SweepProgress progress_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_beat_ = start_;
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
                         sweep, thread_count(options.threads));
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
