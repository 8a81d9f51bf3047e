/// @file
/// The instants on which steps must land.
#pragma once

#include <utility>
#include <vector>

#include "integration/equations/archive.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "system/instants.hpp"

namespace spacedyn {

/// An instant to land on, and the last time before anything of it shows.
struct Breakpoint {
  double time = 0.0;
  double last_before = 0.0;

  void transfer(Archive& archive) { archive(time, last_before); }
};

/// All discontinuities of elements and references between the start and the end of a run.
class Timeline {
 public:
  /// @param stops  further instants to land on
  Timeline(const SimulationSetup& setup, double duration, const std::vector<double>& stops = {});

  /// Collects them again, for events may have made some known or set others.
  void renew(const SimulationSetup& setup, const DiscreteState& discrete);

  /// The first discontinuity, sample instant or end after a time.
  Breakpoint next(double time, double next_sample) const;

 private:
  void take(const std::vector<double>& times);

  double duration_;
  std::vector<double> stops_;
  std::vector<double> discontinuities_;  // ascending, inside (0, duration)
};

/// Output times: k · interval and the end, given ones, or those that are asked for one by one.
class OutputTimes {
 public:
  OutputTimes(double interval, double duration) : interval_(interval), duration_(duration) {}
  /// @param times  ascending
  explicit OutputTimes(std::vector<double> times)
      : duration_(times.back()), next_(times.front()), given_(std::move(times)) {}
  static OutputTimes on_demand(double duration);

  /// Sets the next of outputs on demand. @param interval  s, at which more are expected
  void ask(double time, double interval);
  /// Whether no more are due, of those on demand until the next is asked for.
  bool is_done() const { return done_; }

  double duration() const { return duration_; }
  /// Empty where outputs come at an interval.
  const std::vector<double>& given() const { return given_; }
  double next() const { return next_; }
  /// The latest output handed out; negative before the first.
  double last() const { return last_; }
  /// Whether the next output is due at an instant reached.
  bool is_due(double time) const { return !done_ && next_ <= latest_same_instant(time); }
  /// Whether the next output lies before an instant not yet reached.
  bool is_before(double time) const { return !done_ && latest_same_instant(next_) < time; }
  void advance();
  /// About how many outputs come until a time.
  double count_until(double time) const;

  void transfer(Archive& archive) {
    archive(interval_, duration_, next_, last_, given_, index_, done_);
    archive.require(are_possible());
  }

 private:
  bool are_possible() const;

  double interval_ = 0.0, duration_;
  double next_ = 0.0, last_ = -1.0;
  std::vector<double> given_;
  long index_ = 0;
  bool done_ = false, on_demand_ = false;
};

}  // namespace spacedyn
