/// @file
/// One line on the terminal that tells how far a run has come.
#pragma once

#include <chrono>
#include <string>

namespace spacedyn::cli {

/// A duration in the two units that matter: seconds do not matter in a night.
std::string time_text(double seconds);

/// Redraws its line ten times a second on standard error; does nothing unless enabled.
class ProgressLine {
 public:
  explicit ProgressLine(bool enabled) : enabled_(enabled), last_(Clock::now()) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Whether a new text would be shown now.
  bool is_due() const;
  void update(const std::string& text);
  /// Wipes the line, so that other output starts on an empty one.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool enabled_;
  bool drawn_ = false;
  Clock::time_point last_;
};

/// The line of a run.
class Progress {
 public:
  Progress(bool enabled, double duration) : line_(enabled), duration_(duration) {}

  /// Simulated time reached, s.
  void update(double time);
  void clear() { line_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;

  ProgressLine line_;
  double duration_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace spacedyn::cli
