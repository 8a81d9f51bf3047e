/// @file
/// Those who fly rows, and threads that do. Private.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include "spacedyn/study/sweep_run.hpp"
#include "study/flight.hpp"
#include "threads.hpp"

namespace spacedyn {

/// Flies rows; the thread that made it collects them.
class Crew {
 public:
  virtual ~Crew() = default;
  /// Takes the rows that have been flown, after a wait for some of at most so long.
  /// @return false if there are none and will be no more
  /// @throws whatever a flight has thrown
  virtual bool take(std::vector<SweepRow>& rows, std::chrono::milliseconds patience) = 0;
  /// Cuts off flights that take too long.
  virtual void watch_limits() = 0;
  /// Cuts off all flights; rows that have been flown can still be taken.
  virtual void stop() = 0;
};

/// Threads of this process, each with a flight at a time, or several that fly together.
class ThreadCrew final : public Crew {
 public:
  /// The next rows to fly together, none if there are no more; called by several threads at once.
  using NextRows = std::function<std::vector<long>()>;
  /// Flies rows. @return those that were not interrupted
  using FlyRows =
      std::function<std::vector<SweepRow>(const std::vector<long>& rows, FlightTimer& timer)>;

  /// @param wall_time  that a flight may take, s
  ThreadCrew(FlyRows fly, double wall_time, int threads, NextRows next_rows);
  /// Flies the rows of a sweep.
  /// @param results  folder for those of flights; empty: they are not kept
  ThreadCrew(const Sweep& sweep, const std::string& results, int threads, NextRows next_rows);
  /// Cuts off what still flies.
  ~ThreadCrew() noexcept override;
  ThreadCrew(const ThreadCrew&) = delete;
  ThreadCrew& operator=(const ThreadCrew&) = delete;

  bool take(std::vector<SweepRow>& rows, std::chrono::milliseconds patience) override;
  void watch_limits() override;
  void stop() override;

 private:
  void work(FlightTimer& timer);
  void deliver(std::vector<SweepRow> rows);

  FlyRows fly_;
  double wall_time_;
  NextRows next_rows_;
  std::mutex mutex_;
  std::condition_variable flown_, taken_;
  std::vector<SweepRow> rows_;
  int busy_ = 0;  // threads that have not ended
  std::exception_ptr failure_;
  std::atomic<bool> stopping_{false};
  std::deque<FlightTimer> timers_;  // one a thread
  oneapi::tbb::task_arena arena_;
  oneapi::tbb::task_group flights_;
  Handover begins_, ends_;
};

}  // namespace spacedyn
