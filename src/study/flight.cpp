#include "study/flight.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <new>

#include <fmt/format.h>

#include "study/single_flight.hpp"
#include "study/sweep_implementation.hpp"

namespace spacedyn {
namespace {

using Clock = std::chrono::steady_clock;

/// Calls what flies, and notes in the row why it fails. @throws IoError as fly_row()
template <typename Fly>
void attempt(SweepRow& row, const Fly& fly) {
  row.status = 0;
  row.message.clear();
  const auto fail = [&](int status, const std::string& message) {
    row.status = status;
    row.message = message;
  };
  try {
    fly();
  } catch (const NumericalError& error) {
    fail(row_status::kFailed, error.what());
  } catch (const IoError&) {
    throw;
  } catch (const Error& error) {
    fail(row_status::kRefused, error.what());
  } catch (const std::bad_alloc&) {
    fail(row_status::kNoMemory, "there is not enough memory");
  } catch (const std::exception& error) {
    fail(row_status::kInternalError, error.what());
  }
}

/// Flies a row once. @throws IoError as fly_row()
void fly_once(const Sweep& sweep, SweepRow& row, const std::string& directory,
              const std::atomic<FlightStop>& stop) {
  const std::vector<double> outputs;
  const FlightPlan plan{*sweep.implementation().family, sweep.implementation().plan, outputs,
                        sweep.settings().limits.wall_time};
  attempt(row, [&] {
    const std::vector<Override> overrides = sweep.overrides_of(row.draw);
    if (directory.empty()) {
      const Scenario scenario = plan.family.variant(overrides);
      SingleFlight(plan, scenario, stop).fly(row);
    } else {
      const Scenario scenario = reload_scenario(sweep.sources(), overrides);
      SingleFlight(plan, scenario, stop).fly_into(directory, overrides, row);
    }
  });
}

}  // namespace

bool FlightTimer::begin(std::size_t flights) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (order_ == FlightStop::interrupted) return false;
  order_ = FlightStop::none;
  started_ = Clock::now();
  flights_ = flights;
  return true;
}

void FlightTimer::end() {
  const std::lock_guard<std::mutex> lock(mutex_);
  flights_ = 0;
}

void FlightTimer::limit(double wall_time) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (flights_ == 0 || order_ != FlightStop::none) return;
  const std::chrono::duration<double> elapsed = Clock::now() - started_;
  if (elapsed.count() > wall_time * static_cast<double>(flights_)) order_ = FlightStop::too_slow;
}

void FlightTimer::stop() {
  const std::lock_guard<std::mutex> lock(mutex_);
  order_ = FlightStop::interrupted;
}

std::string too_slow_message(double wall_time, double time, double duration) {
  return fmt::format("limits.wall_time: {:g} s are over at t = {:.6g} of {:g} s", wall_time, time,
                     duration);
}

bool SweepRow::has_failed() const { return status != 0 && status != row_status::kCheckFailed; }

std::string failure_kind(const SweepRow& row) {
  std::string kind = std::to_string(row.status) + ' ';
  for (std::size_t i = 0; i < row.message.size(); ++i) {
    const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    if (!is_digit(row.message[i])) {
      kind += row.message[i];
      continue;
    }
    const auto end = row.message.find_first_not_of("0123456789.e+-", i);
    kind += '#';
    i = std::min(end, row.message.size()) - 1;
  }
  return kind;
}

std::optional<SweepRow> fly_variant(const FlightPlan& plan, const std::vector<Override>& overrides,
                                    const std::atomic<FlightStop>& stop) {
  SweepRow row;
  attempt(row, [&] {
    const Scenario scenario = plan.family.variant(overrides);
    SingleFlight(plan, scenario, stop).fly(row);
  });
  if (row.status == row_status::kInterrupted) return std::nullopt;
  return row;
}

std::optional<SweepRow> fly_row(const Sweep& sweep, long row, const std::string& directory,
                                const std::atomic<FlightStop>& stop) {
  const Clock::time_point start = Clock::now();
  SweepRow result;
  result.row = row;
  result.draw = sweep.draw(row);
  const KeepResults keep = directory.empty() ? KeepResults::none : sweep.settings().keep_results;
  fly_once(sweep, result, keep == KeepResults::all ? directory : "", stop);
  if (keep == KeepResults::failed && result.status == row_status::kFailed) {
    fly_once(sweep, result, directory, stop);
  }
  if (result.status == row_status::kInterrupted) return std::nullopt;
  result.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (result.has_failed() || result.collected.empty()) {
    result.collected.assign(sweep.settings().collect.size(), std::nan(""));
  }
  return result;
}

std::vector<SweepRow> fly_rows(const Sweep& sweep, const std::vector<long>& rows,
                               const std::string& results, FlightTimer& timer) {
  if (sweep.settings().engine == SweepEngine::lanes) return fly_in_lanes(sweep, rows, timer);
  std::vector<SweepRow> flown;
  for (const long row : rows) {
    const std::filesystem::path folder =
        results.empty() ? "" : std::filesystem::path(results) / std::to_string(row);
    auto single = fly_row(sweep, row, folder.string(), timer.order());
    if (single) flown.push_back(std::move(*single));
  }
  return flown;
}

}  // namespace spacedyn
