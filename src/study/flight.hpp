/// @file
/// One flight of a sweep, or several in vector lanes. Private.
#pragma once

#include <atomic>
#include <chrono>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "loading/scenario/scenario_family.hpp"
#include "spacedyn/integration/sensitivities.hpp"
#include "spacedyn/study/sweep_run.hpp"
#include "study/collector.hpp"

namespace spacedyn {

/// Why a flight has to end before its time.
enum class FlightStop { none, too_slow, interrupted };

/// What may end the flights of a thread, in the hands of the one that watches it.
class FlightTimer {
 public:
  /// Flights begin. @return false if no more are to be flown
  bool begin(std::size_t flights);
  void end();
  /// Ends flights that take longer than each may, s.
  void limit(double wall_time);
  /// Ends them, and lets no others begin.
  void stop();
  const std::atomic<FlightStop>& order() const { return order_; }

 private:
  std::mutex mutex_;  // of what follows
  std::chrono::steady_clock::time_point started_;
  std::size_t flights_ = 0;  // on their way
  std::atomic<FlightStop> order_{FlightStop::none};
};

/// Exit codes of the program that rows have as their status.
namespace row_status {
constexpr int kInternalError = 1, kRefused = 3, kFailed = 4, kCheckFailed = 5, kNoMemory = 7,
              kInterrupted = 130;
}  // namespace row_status

/// Why a row fails that has flown for as long as it may.
/// @param time, duration  reached and wanted, s
std::string too_slow_message(double wall_time, double time, double duration);

/// What is flown in memory, and what is kept of it.
struct FlightPlan {
  const loading::ScenarioFamily& family;
  const CollectPlan& collect;
  const std::vector<double>& times;  ///< s, of Samples; empty: a Collection of the outputs
  double wall_time = std::numeric_limits<double>::infinity();  ///< that it may take, s
  std::vector<Override> fixed = {};  ///< changes of the scenario in flights with gradients
};

/// Flies a variant of a scenario; failures are part of what it returns.
/// @param stop  as of fly_row()
/// @return nothing if it was interrupted
std::optional<SweepRow> fly_variant(const FlightPlan& plan, const std::vector<Override>& overrides,
                                    const std::atomic<FlightStop>& stop);

/// A number of a scenario, and the step to both sides of it.
struct VariedNumber {
  std::string key;
  double value = 0.0, step = 0.0;  ///< a step of zero: it does not vary
};
/// A step for a number: 10⁻⁵ of its size, or of the size that it may have; a power of two, so that
/// sides are exactly as far away.
double variation_step(double value, double scale);

/// What is kept of a flight, and its derivatives.
struct FlightGradient {
  std::vector<double> collected;
  MatrixX by;  ///< a row for each number that is kept, a column for each number
  /// Of each number that is kept why it has no derivative; empty where it has, NaN otherwise.
  std::vector<std::string> missing;
  long evaluations = 0;  ///< of the equations of motion, for derivatives
};

/// Flies a variant of a scenario with the tangents of its motion.
/// @param tangents  receives them, may be null
/// @return nothing if it was interrupted
/// @throws NotDifferentiableError naming what of the flight has no derivative; NumericalError
std::optional<FlightGradient> fly_with_gradient(const FlightPlan& plan,
                                                const std::vector<VariedNumber>& numbers,
                                                const std::atomic<FlightStop>& stop,
                                                SensitivityObserver* tangents = nullptr);

/// Flies a row; failures are part of what it returns.
/// @param directory  for all files of the flight where the settings keep them; empty: none
/// @param stop       may be set by another thread while it flies
/// @return nothing if it was interrupted
/// @throws IoError if files of the flight cannot be written
std::optional<SweepRow> fly_row(const Sweep& sweep, long row, const std::string& directory,
                                const std::atomic<FlightStop>& stop);

/// Flies rows that were handed out together.
/// @param results  folder for those of flights; empty: they are not kept
/// @return those that were not interrupted
/// @throws IoError as fly_row()
std::vector<SweepRow> fly_rows(const Sweep& sweep, const std::vector<long>& rows,
                               const std::string& results, FlightTimer& timer);

/// What of a scenario vector lanes cannot fly, by its name; empty if there is nothing.
std::string lanes_obstacle(const Scenario& scenario);
/// Whether flights in lanes know what a channel records.
bool lanes_record(Channel channel);
/// Whether flights in lanes may differ in a key: it is about where they start alone.
bool lanes_may_differ_in(const std::string& key);
/// Whether references of controllers are the same in two variants of a scenario.
bool have_same_references(const Scenario& a, const Scenario& b);

/// Flies rows at once that differ in such keys alone. Each is flown as if it were alone, bit for
/// bit; one that fails is flown again by itself, so that it fails as any other row does.
/// @param timer  of all of them, and then of those that fly by themselves
/// @return those that were not interrupted
std::vector<SweepRow> fly_in_lanes(const Sweep& sweep, const std::vector<long>& rows,
                                   FlightTimer& timer);

}  // namespace spacedyn
