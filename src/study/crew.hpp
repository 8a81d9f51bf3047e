/// @file
/// Who flies the rows of a sweep. Private.
#pragma once

#include <chrono>
#include <vector>

#include "spacedyn/study/sweep_run.hpp"

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

}  // namespace spacedyn
