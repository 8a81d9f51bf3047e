/// @file
/// Flights of a scenario with some of its numbers changed. Private.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "spacedyn/math/types.hpp"
#include "study/flight.hpp"

namespace spacedyn {

/// The search has been told to end.
struct SearchInterrupted {};

class Trials {
 public:
  /// Asked some twenty times a second; false ends all flights.
  using Beat = std::function<bool()>;

  /// @param keys     of the numbers that change
  /// @param threads  0: one for each core
  /// @throws DomainError if the number of threads is negative
  Trials(const FlightPlan& plan, std::vector<std::string> keys, int threads, Beat beat);

  /// Flies each point; rows are in the order of the points. @throws SearchInterrupted
  std::vector<SweepRow> fly(const std::vector<VectorX>& points);
  std::vector<Override> overrides_of(const VectorX& point) const;
  long flights() const { return flights_; }

 private:
  FlightPlan plan_;
  std::vector<std::string> keys_;
  int threads_;
  Beat beat_;
  long flights_ = 0;
};

}  // namespace spacedyn
