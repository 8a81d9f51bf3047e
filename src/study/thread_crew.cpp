#include "study/thread_crew.hpp"

#include <filesystem>

namespace spacedyn {
namespace {

/// Rows that may wait to be taken; beyond, flights wait.
constexpr std::size_t kMostWaiting = 4096;

}  // namespace

ThreadCrew::ThreadCrew(const Sweep& sweep, const std::string& results, int threads,
                       NextRow next_row)
    : ThreadCrew(
          [&sweep, results](long row, const std::atomic<FlightStop>& stop) {
            const std::filesystem::path folder =
                results.empty() ? "" : std::filesystem::path(results) / std::to_string(row);
            return fly_row(sweep, row, folder.string(), stop);
          },
          sweep.settings().limits.wall_time, threads, std::move(next_row)) {}

ThreadCrew::ThreadCrew(FlyRow fly, double wall_time, int threads, NextRow next_row)
    : fly_(std::move(fly)), wall_time_(wall_time), next_row_(std::move(next_row)), busy_(threads) {
  for (int i = 0; i < threads; ++i) workers_.push_back(std::make_unique<Worker>());
  for (const auto& worker : workers_) {
    worker->thread = std::thread([this, own = worker.get()] { work(*own); });
  }
}

ThreadCrew::~ThreadCrew() {
  ThreadCrew::stop();
  for (const auto& worker : workers_) worker->thread.join();
}

void ThreadCrew::work(Worker& worker) {
  try {
    for (long row = next_row_(); row >= 0 && begin(worker); row = next_row_()) {
      std::optional<SweepRow> flown = fly_(row, worker.order);
      {
        const std::lock_guard<std::mutex> lock(worker.mutex);
        worker.is_flying = false;
      }
      if (flown) deliver(std::move(*flown));
    }
  } catch (...) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  --busy_;
  flown_.notify_all();
}

bool ThreadCrew::begin(Worker& worker) {
  const std::lock_guard<std::mutex> lock(worker.mutex);
  if (stopping_) return false;
  worker.order = FlightStop::none;
  worker.started = std::chrono::steady_clock::now();
  worker.is_flying = true;
  return true;
}

void ThreadCrew::deliver(SweepRow row) {
  std::unique_lock<std::mutex> lock(mutex_);
  taken_.wait(lock, [this] { return rows_.size() < kMostWaiting || stopping_; });
  rows_.push_back(std::move(row));
  if (rows_.size() == 1) flown_.notify_all();
}

bool ThreadCrew::take(std::vector<SweepRow>& rows, std::chrono::milliseconds patience) {
  rows.clear();
  std::unique_lock<std::mutex> lock(mutex_);
  flown_.wait_for(lock, patience, [this] { return !rows_.empty() || busy_ == 0 || failure_; });
  if (failure_) std::rethrow_exception(failure_);
  rows.swap(rows_);
  taken_.notify_all();
  return !rows.empty() || busy_ > 0;
}

void ThreadCrew::watch_limits() {
  const auto now = std::chrono::steady_clock::now();
  for (const auto& worker : workers_) {
    const std::lock_guard<std::mutex> lock(worker->mutex);
    if (!worker->is_flying || worker->order != FlightStop::none) continue;
    const double elapsed = std::chrono::duration<double>(now - worker->started).count();
    if (elapsed > wall_time_) worker->order = FlightStop::too_slow;
  }
}

void ThreadCrew::stop() {
  stopping_ = true;
  for (const auto& worker : workers_) {
    const std::lock_guard<std::mutex> lock(worker->mutex);
    worker->order = FlightStop::interrupted;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  taken_.notify_all();
}

}  // namespace spacedyn
