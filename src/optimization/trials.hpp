/// @file
/// Flights of a scenario with some of its numbers changed. Private.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "spacedyn/optimization/fit.hpp"
#include "study/flight.hpp"

namespace spacedyn {

/// One number of each variable: its start, or a bound.
VectorX numbers_of(const std::vector<ScenarioVariable>& variables,
                   double ScenarioVariable::*number);
/// Values of variables as changes of their scenario.
std::vector<Override> overrides_of(const std::vector<ScenarioVariable>& variables,
                                   const VectorX& values);

/// The search has been told to end.
struct SearchInterrupted {};
/// What a search says then.
inline constexpr const char* kInterrupted = "interrupted; these are the best values so far";

/// @throws NumericalError: the start of a search cannot be flown
[[noreturn]] void refuse_start(const std::string& why);

class Trials {
 public:
  /// How far a search has come, as it knows that itself: steps, and the least cost.
  using Reached = std::function<std::pair<int, double>()>;

  /// @param variables  whose numbers change
  /// @throws DomainError if the number of threads is negative
  Trials(const FlightPlan& plan, const std::vector<ScenarioVariable>& variables,
         const SearchOptions& options, Reached reached);

  /// Flies each point; rows are in the order of the points. @throws SearchInterrupted
  std::vector<SweepRow> fly(const std::vector<VectorX>& points);
  SearchProgress progress() const;

 private:
  using Clock = std::chrono::steady_clock;

  FlightPlan plan_;
  const std::vector<ScenarioVariable>& variables_;
  int threads_;
  SearchObserver* observer_;
  Reached reached_;
  Clock::time_point start_ = Clock::now();
  long flights_ = 0;
};

}  // namespace spacedyn
