/// @file
/// Threads that fly rows. Private.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "study/crew.hpp"
#include "study/flight.hpp"

namespace spacedyn {

/// Threads of this process, each with a flight at a time.
class ThreadCrew final : public Crew {
 public:
  /// The next row to fly, −1 if there are no more; called by several threads at once.
  using NextRow = std::function<long()>;

  /// Flies a row. @return nothing if it was interrupted
  using FlyRow =
      std::function<std::optional<SweepRow>(long row, const std::atomic<FlightStop>& stop)>;

  /// @param wall_time  that a flight may take, s
  ThreadCrew(FlyRow fly, double wall_time, int threads, NextRow next_row);
  /// Flies the rows of a sweep.
  /// @param results  folder for those of flights; empty: they are not kept
  ThreadCrew(const Sweep& sweep, const std::string& results, int threads, NextRow next_row);
  /// Cuts off what still flies.
  ~ThreadCrew() override;
  ThreadCrew(const ThreadCrew&) = delete;
  ThreadCrew& operator=(const ThreadCrew&) = delete;

  bool take(std::vector<SweepRow>& rows, std::chrono::milliseconds patience) override;
  void watch_limits() override;
  void stop() override;

 private:
  /// What one thread does.
  struct Worker {
    std::thread thread;
    std::mutex mutex;  // of what follows
    std::chrono::steady_clock::time_point started;
    bool is_flying = false;
    std::atomic<FlightStop> order{FlightStop::none};
  };
  void work(Worker& worker);
  bool begin(Worker& worker);
  void deliver(SweepRow row);

  FlyRow fly_;
  double wall_time_;
  NextRow next_row_;
  std::mutex mutex_;
  std::condition_variable flown_, taken_;
  std::vector<SweepRow> rows_;
  int busy_ = 0;  // threads that have not ended
  std::exception_ptr failure_;
  std::atomic<bool> stopping_{false};
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace spacedyn
