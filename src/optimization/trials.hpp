/// @file
/// Flights of a scenario with some of its numbers changed, and those of an optimization as a file.
/// Private.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "spacedyn/optimization/fit.hpp"
#include "spacedyn/optimization/optimize.hpp"
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

/// Where the derivatives of a search come from.
class Derivatives {
 public:
  explicit Derivatives(SearchDerivatives choice) : choice_(choice) {}

  /// Calls what follows tangents, if it may. @returns false where differences of flights have to do
  /// @throws NotDifferentiableError where tangents are asked for and there are none
  bool differentiate(const std::function<void()>& follow_tangents);
  /// Takes the latest ones over from an earlier search.
  void recall(bool are_tangents);
  /// Whether the latest ones are sensitivities.
  bool are_tangents() const { return are_tangents_; }
  /// For reports.
  std::string text() const;

 private:
  SearchDerivatives choice_;
  bool has_tangents_ = false, has_differences_ = false, are_tangents_ = false;
  int refusals_ = 0;  // since the last tangents
  std::string why_;   // there were none
};

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
  /// Flies a point with the derivatives of what is kept. @throws SearchInterrupted,
  /// NotDifferentiableError, NumericalError
  FlightGradient differentiate(const VectorX& point);
  SearchProgress progress() const;

 private:
  using Clock = std::chrono::steady_clock;
  using FlyOne = std::function<std::optional<SweepRow>(long trial, FlightTimer& timer)>;

  std::vector<SweepRow> fly_all(long count, const FlyOne& fly_one);

  FlightPlan plan_;
  const std::vector<ScenarioVariable>& variables_;
  int threads_;
  SearchObserver* observer_;
  Reached reached_;
  Clock::time_point start_ = Clock::now();
  long flights_ = 0;
};

/// Writes `NAME.trials.json`, from which read_trials() reads. @returns its path. @throws IoError
std::string write_trials(const std::string& folder, const Optimization& optimization,
                         const OptimizationResult& result);

}  // namespace spacedyn
