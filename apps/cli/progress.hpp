/// @file
/// One line on the terminal that tells how far a run has come.
#pragma once

#include <chrono>

namespace spacedyn::cli {

/// Redraws its line ten times a second on standard error; does nothing unless enabled.
class Progress {
 public:
  Progress(bool enabled, double duration);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Simulated time reached, s.
  void update(double time);
  /// Wipes the line, so that other output starts on an empty one.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool enabled_;
  bool drawn_ = false;
  double duration_;
  Clock::time_point start_;
  Clock::time_point last_;
};

}  // namespace spacedyn::cli
