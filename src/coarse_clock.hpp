/// @file
/// A clock for what happens some times a second and is asked for at every row or step.
#pragma once

#include <chrono>

#include <time.h>

namespace spacedyn {

/// Steps every few milliseconds and costs a few nanoseconds: the kernel has written the time down.
struct CoarseClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<CoarseClock>;
  static constexpr bool is_steady = true;

  static time_point now() {
    timespec now = {};
    ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return time_point(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
  }
};

}  // namespace spacedyn
