#include "study/thread_crew.hpp"

#include <iterator>

namespace spacedyn {
namespace {

/// Rows that may wait to be taken; beyond, flights wait.
constexpr std::size_t kMostWaiting = 4096;

}  // namespace

ThreadCrew::ThreadCrew(const Sweep& sweep, const std::string& results, int threads,
                       NextRows next_rows)
    : ThreadCrew(
          [&sweep, results](const std::vector<long>& rows, FlightTimer& timer) {
            return fly_rows(sweep, rows, results, timer);
          },
          sweep.settings().limits.wall_time, threads, std::move(next_rows)) {}

ThreadCrew::ThreadCrew(FlyRows fly, double wall_time, int threads, NextRows next_rows)
    : fly_(std::move(fly)),
      wall_time_(wall_time),
      next_rows_(std::move(next_rows)),
      busy_(threads),
      timers_(static_cast<std::size_t>(threads)),
      arena_(threads, 0) {
  allow_threads();
  begins_.give();
  for (FlightTimer& timer : timers_) {
    arena_.enqueue(flights_.defer([this, &timer] { work(timer); }));
  }
}

ThreadCrew::~ThreadCrew() noexcept {
  ThreadCrew::stop();
  arena_.execute([this] {  // on any of its threads
    flights_.wait();
    ends_.give();
  });
  ends_.take();
}

void ThreadCrew::work(FlightTimer& timer) {
  begins_.take();
  try {
    for (std::vector<long> rows = next_rows_(); !rows.empty() && timer.begin(rows.size());
         rows = next_rows_()) {
      std::vector<SweepRow> flown = fly_(rows, timer);
      timer.end();
      deliver(std::move(flown));
    }
  } catch (...) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  --busy_;
  flown_.notify_all();
  ends_.give();
}

void ThreadCrew::deliver(std::vector<SweepRow> rows) {
  if (rows.empty()) return;
  std::unique_lock<std::mutex> lock(mutex_);
  taken_.wait(lock, [this] { return rows_.size() < kMostWaiting || stopping_; });
  const bool is_awaited = rows_.empty();
  std::move(rows.begin(), rows.end(), std::back_inserter(rows_));
  if (is_awaited) flown_.notify_all();
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
  for (FlightTimer& timer : timers_) timer.limit(wall_time_);
}

void ThreadCrew::stop() {
  stopping_ = true;
  for (FlightTimer& timer : timers_) timer.stop();
  const std::lock_guard<std::mutex> lock(mutex_);
  taken_.notify_all();
}

}  // namespace spacedyn
