/// @file
/// Threads that fly the rows of a sweep. Private.
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

#include "study/flight.hpp"

namespace spacedyn {

/// Flies rows as they are asked for; the thread that made it collects them.
class Crew {
 public:
  /// The next row to fly, −1 if there are no more; called by several threads at once.
  using NextRow = std::function<long()>;

  /// @param results  folder for those of flights; empty: they are not kept
  Crew(const Sweep& sweep, std::string results, int threads, NextRow next_row);
  /// Cuts off what still flies.
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// Takes the rows that have been flown, after a wait for some of at most so long.
  /// @return false if there are none and will be no more
  /// @throws whatever a flight has thrown
  bool take(std::vector<SweepRow>& rows, std::chrono::milliseconds patience);
  /// Cuts off flights that take too long.
  void watch_limits();
  /// Cuts off all flights; rows that have been flown can still be taken.
  void stop();

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

  const Sweep& sweep_;
  std::string results_;
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
